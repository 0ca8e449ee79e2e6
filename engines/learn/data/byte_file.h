// A file as a stream of bytes with a look-ahead. Reads files; one thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <fstream>
#include <string>

#include "engines/record/bytes.h"

namespace fuhyo::learn {

class ByteFile {
 public:
  // An empty file is an error.
  static std::expected<ByteFile, std::string> open(const std::filesystem::path& path);

  // The next bytes: at least so many, unless the file ends before. Valid until the next call.
  std::expected<record::ByteView, std::string> peek(std::size_t at_least);
  void consume(std::size_t count);  // no more than peek() returned

  std::uint64_t offset() const { return offset_; }
  // "FILE: offset N: what".
  std::string at_offset(std::string_view what) const;

 private:
  ByteFile(std::filesystem::path path, std::ifstream in) : path_(std::move(path)), in_(std::move(in)) {}

  std::filesystem::path path_;
  std::ifstream in_;
  record::Bytes buffer_;
  std::size_t begin_ = 0;  // of what is not consumed
  std::uint64_t offset_ = 0;
};

}  // namespace fuhyo::learn
