// A file that grows by whole pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace fuhyo::jobs {

// What a full disk took of a piece is cut off again, so that the next one follows the one before. A piece is in the
// file or is not, whatever becomes of the program. Errors are the reason alone. Blocking; one thread at a time.
class AppendFile {
 public:
  AppendFile() = default;  // of no file: nothing may be appended
  // Creates the file if there is none.
  static std::expected<AppendFile, std::string> open(const std::filesystem::path& path);

  std::expected<void, std::string> append(std::span<const std::byte> piece);
  // All pieces are on the disk afterwards.
  std::expected<void, std::string> sync();
  std::uint64_t size() const { return size_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t size_ = 0;  // of whole pieces
};

}  // namespace fuhyo::jobs
