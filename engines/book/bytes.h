// The bytes of a book: in memory, or in a file that is read on demand. Independent of the format.
// One thread at a time per object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

namespace fuhyo::book {

// A file up to this size is looked at as a whole for its order before it is searched on disk, which takes some
// seconds; of a larger one, parts.
inline constexpr std::uint64_t kReadThrough = std::uint64_t{256} << 20;

class Bytes {
 public:
  virtual ~Bytes() = default;
  virtual std::uint64_t size() const = 0;
  // Copies up to `count` bytes from `offset` on and returns how many there were: fewer at the end, and none where the
  // file cannot be read any more.
  virtual std::size_t read(std::uint64_t offset, char* to, std::size_t count) = 0;
};

class MemoryBytes final : public Bytes {
 public:
  explicit MemoryBytes(std::string bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size() const override { return bytes_.size(); }
  std::size_t read(std::uint64_t offset, char* to, std::size_t count) override;
  std::string_view view() const { return bytes_; }

 private:
  std::string bytes_;
};

// The file stays open, so that a replacement by another program cannot mix old and new bytes. A file that becomes
// shorter is read to its end (a mapping would kill the engine there).
class FileBytes final : public Bytes {
 public:
  static std::expected<std::unique_ptr<FileBytes>, std::string> open(const std::filesystem::path& path);
  std::uint64_t size() const override { return size_; }
  std::size_t read(std::uint64_t offset, char* to, std::size_t count) override;

 private:
  FileBytes() = default;
  std::ifstream in_;
  std::uint64_t size_ = 0;
};

// All of a file. An error says what is wrong with it; throws std::bad_alloc.
std::expected<std::unique_ptr<MemoryBytes>, std::string> read_whole(const std::filesystem::path& path);

}  // namespace fuhyo::book
