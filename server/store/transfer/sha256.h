// SHA-256 (FIPS 180-4) over bytes that come in portions, by libcrypto. One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace fuhyo::store {

class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  // Of everything that was added, in 64 hexadecimal digits. Nothing may be added afterwards.
  std::string finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace fuhyo::store
