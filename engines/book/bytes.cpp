#include "engines/book/bytes.h"

#include <algorithm>
#include <cstring>

namespace fuhyo::book {

std::size_t MemoryBytes::read(std::uint64_t offset, char* to, std::size_t count) {
  if (offset >= bytes_.size()) return 0;
  const std::size_t available = std::min(count, bytes_.size() - static_cast<std::size_t>(offset));
  std::memcpy(to, bytes_.data() + offset, available);
  return available;
}

std::expected<std::unique_ptr<FileBytes>, std::string> FileBytes::open(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::unexpected("there is no such file");
  if (!std::filesystem::is_regular_file(path, error)) return std::unexpected("it is not a file");
  const std::uint64_t size = std::filesystem::file_size(path, error);
  std::unique_ptr<FileBytes> file(new FileBytes);
  // What is read is small and far apart: a buffer would read for nothing.
  file->in_.rdbuf()->pubsetbuf(nullptr, 0);
  file->in_.open(path, std::ios::binary);
  if (error || !file->in_) return std::unexpected("it cannot be read");
  file->size_ = size;
  return file;
}

std::size_t FileBytes::read(std::uint64_t offset, char* to, std::size_t count) {
  in_.clear();
  if (offset >= size_ || !in_.seekg(static_cast<std::streamoff>(offset))) return 0;
  in_.read(to, static_cast<std::streamsize>(std::min<std::uint64_t>(count, size_ - offset)));
  return static_cast<std::size_t>(in_.gcount());
}

std::expected<std::unique_ptr<MemoryBytes>, std::string> read_whole(const std::filesystem::path& path) {
  auto file = FileBytes::open(path);
  if (!file) return std::unexpected(file.error());
  std::string bytes;
  bytes.resize_and_overwrite(static_cast<std::size_t>((*file)->size()),
                             [&](char* to, std::size_t count) { return (*file)->read(0, to, count); });
  if (bytes.size() != (*file)->size()) return std::unexpected("it cannot be read to its end");
  return std::make_unique<MemoryBytes>(std::move(bytes));
}

}  // namespace fuhyo::book
