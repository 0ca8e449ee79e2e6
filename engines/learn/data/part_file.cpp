#include "engines/learn/data/part_file.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <system_error>

#include "engines/jobs/files/durable_file.h"

namespace fuhyo::learn {

namespace fs = std::filesystem;

std::unexpected<std::string> unwritten(const fs::path& file, std::string_view why) {
  return std::unexpected(fmt::format("{}: cannot be written: {}", file.string(), why));
}

PartName::~PartName() {
  std::error_code ignored;
  if (!finished_) fs::remove(part_, ignored);
}

std::expected<void, std::string> PartName::finish() {
  std::error_code error = jobs::sync_bytes(part_);
  if (!error) fs::rename(part_, path_, error);
  if (error) return unwritten(path_, error.message());
  finished_ = true;
  return {};
}

std::expected<void, std::string> PartFile::open() {
  std::error_code ignored;
  // A device, a pipe or a folder would be replaced by a file.
  if (fs::exists(name_.path(), ignored) && !fs::is_regular_file(name_.path(), ignored)) {
    return unwritten(name_.path(), "it is not a file");
  }
  file_.reset(std::fopen(name_.part().string().c_str(), "wb"));
  if (!file_) return unwritten(name_.part(), std::strerror(errno));
  return {};
}

std::expected<void, std::string> PartFile::write(record::ByteView bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size()) return {};
  return unwritten(name_.part(), std::strerror(errno));
}

std::expected<void, std::string> PartFile::finish() {
  if (std::fflush(file_.get()) != 0) return unwritten(name_.part(), std::strerror(errno));
  return name_.finish();
}

}  // namespace fuhyo::learn
