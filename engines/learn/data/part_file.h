// A file that has a name of its own ("FILE.part") until it is finished. Writes files; one thread at a time per object.
#pragma once

#include <cstdio>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "engines/record/bytes.h"

namespace fuhyo::learn {

// "FILE: cannot be written: why".
std::unexpected<std::string> unwritten(const std::filesystem::path& file, std::string_view why);

// The name. What is not finished is removed.
class PartName {
 public:
  explicit PartName(std::filesystem::path path) : path_(std::move(path)), part_(path_.string() + ".part") {}
  ~PartName();
  PartName(const PartName&) = delete;
  PartName& operator=(const PartName&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& part() const { return part_; }
  // All that was written is on the disk, under the file's name, in place of what had that name.
  std::expected<void, std::string> finish();

 private:
  std::filesystem::path path_, part_;
  bool finished_ = false;
};

class PartFile {
 public:
  explicit PartFile(std::filesystem::path path) : name_(std::move(path)) {}

  std::expected<void, std::string> open();
  std::expected<void, std::string> write(record::ByteView bytes);
  std::expected<void, std::string> finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  PartName name_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace fuhyo::learn
