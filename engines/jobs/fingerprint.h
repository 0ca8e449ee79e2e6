// FNV-1a, 64 bits: a hash that is not cryptographic. The same on every machine. Pure; one thread at a time per object.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace fuhyo::jobs {

class Fingerprint {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) add_byte(static_cast<unsigned char>(c));
  }
  // As eight bytes, the lowest first.
  void add_number(std::uint64_t number) {
    for (int i = 0; i < 8; ++i, number >>= 8U) add_byte(static_cast<unsigned char>(number & 0xFFU));
  }
  std::uint64_t value() const { return value_; }
  std::string text() const { return fmt::format("{:016x}", value_); }  // 16 digits

 private:
  void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3; }
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace fuhyo::jobs
