// A file that is there whole or not at all: written beside its place and renamed, or the standard output. One thread.
#pragma once

#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace fuhyo::app {

class PartFile {
 public:
  // `path`: where the file will be; "-" is the standard output. Refuses a path where something is already, unless
  // `replace`.
  static std::expected<PartFile, std::string> create(const std::string& path, bool replace);
  PartFile(PartFile&& other) noexcept;
  PartFile& operator=(PartFile&&) = delete;
  ~PartFile();  // what was not finished is gone

  const std::string& part() const { return part_; }  // PATH.part, for who writes it otherwise; empty: standard output
  std::expected<void, std::string> write(std::string_view bytes);
  // Durable, and in its place.
  std::expected<void, std::string> finish();

 private:
  PartFile(std::string path, std::string part, int fd, bool replace);

  std::string path_, part_;
  int fd_;
  bool replace_;
};

// A file that is read from begin to end; "-" is the standard input.
class InputFile {
 public:
  static std::expected<InputFile, std::string> open(const std::string& path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  // Fills the front of the room; 0 at the end.
  std::expected<std::size_t, std::string> read(std::span<char> room);

 private:
  explicit InputFile(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace fuhyo::app
