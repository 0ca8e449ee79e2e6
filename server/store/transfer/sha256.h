// SHA-256 (FIPS 180-4) over bytes that come in portions. A value; one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fuhyo::store {

class Sha256 {
 public:
  void add(std::string_view bytes);
  // Of everything that was added, in 64 hexadecimal digits. Nothing may be added afterwards.
  std::string finish();

 private:
  void mix(const unsigned char* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> waiting_{};  // bytes of a block that is not full yet
  std::size_t waits_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace fuhyo::store
