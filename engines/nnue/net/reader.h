// Reads numbers of a network file, never beyond its end: after the first failure everything else fails too, and the
// error says what was being read, where, and how much was there. One thread at a time.
#pragma once

#include <cstdint>
#include <istream>
#include <span>
#include <string>
#include <string_view>

namespace fuhyo::nnue {

class Reader {
 public:
  // `size`: bytes that the stream holds, from where it stands.
  Reader(std::istream& in, std::uint64_t size) : in_(in), size_(size) {}

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  std::uint64_t position() const { return position_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t left() const { return size_ - position_; }
  // The first error stays.
  void fail(std::string error);

  // `what` names the part of the file. Numbers are little-endian. Failed reads give 0 and leave memory as it was.
  std::uint32_t u32(std::string_view what);
  std::string text(std::uint64_t length, std::string_view what);
  void bytes(std::span<std::int8_t> out, std::string_view what);
  void numbers(std::span<std::int32_t> out, std::string_view what);
  void numbers(std::span<std::int16_t> out, std::string_view what);
  // The same of a block of variable-length numbers ("COMPRESSED_LEB128", length, data), or plain ones if no such block
  // begins here.
  void maybe_compressed(std::span<std::int16_t> out, std::string_view what);

 private:
  bool take(void* out, std::uint64_t length, std::string_view what);
  void compressed(std::span<std::int16_t> out, std::string_view what);

  std::istream& in_;
  std::uint64_t size_;
  std::uint64_t position_ = 0;
  std::string error_;
};

}  // namespace fuhyo::nnue
