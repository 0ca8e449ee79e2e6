// A certificate with its key, loaded and checked, and the rules of our TLS: 1.2 and 1.3, nothing older; forward secrecy
// and authenticated encryption in every suite; no renegotiation, no compression, no early data.
// A value: its holders may use it after it has been replaced. Any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct ssl_ctx_st;

namespace fuhyo::net {

class TlsPair {
 public:
  // PEM files: the certificate with those that lead to its authority after it, and its private key without a password.
  // The error names the file that is wrong, and what is wrong with it. `now_us`: since 1970, UTC.
  static std::expected<std::shared_ptr<const TlsPair>, std::string> load(const std::filesystem::path& certificate,
                                                                         const std::filesystem::path& key,
                                                                         std::int64_t now_us);
  TlsPair(const TlsPair&) = delete;
  TlsPair& operator=(const TlsPair&) = delete;
  ~TlsPair();

  std::int64_t not_after_us() const { return not_after_us_; }  // since 1970, UTC
  // Whole days until it expires; negative: since it has.
  std::int64_t days_left(std::int64_t now_us) const;
  const std::string& subject() const { return subject_; }                 // "CN=shogi.example", for people
  const std::vector<std::string>& warnings() const { return warnings_; }  // what is not good, and no reason to refuse

  // For players, without session tickets: nothing that is kept could open what was recorded.
  ssl_ctx_st& csa() const { return *csa_; }
  // For browsers: agrees on HTTP/1.1, and hands out tickets, because a page comes back with several connections.
  ssl_ctx_st& https() const { return *https_; }

 private:
  struct Free {
    void operator()(ssl_ctx_st* context) const;
  };
  using Context = std::unique_ptr<ssl_ctx_st, Free>;
  struct Parts;

  TlsPair() = default;
  static std::expected<Context, std::string> make_context(const Parts& parts, const std::filesystem::path& certificate);

  Context csa_, https_;
  std::int64_t not_after_us_ = 0;
  std::string subject_;
  std::vector<std::string> warnings_;
};

}  // namespace fuhyo::net
