// Text that may be compressed or lie in an archive: plain, .xz, .gz, .bz2, .zst and whatever else libarchive knows;
// .7z, .zip and .tar, in which each file is an entry. Told by the content, not by the name. Reads files.
#pragma once

#include <cstddef>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct archive;

namespace fuhyo::learn {

// The texts of a file one after the other, as streams: one of a plain or compressed file, each file of an archive. What
// is in memory does not depend on how long they are. One thread at a time per object.
class TextEntries {
 public:
  // Errors, here and below, name the file and what is wrong: it is not there, ends too early, is damaged. After one,
  // there is nothing more to come.
  static std::expected<TextEntries, std::string> open(const std::filesystem::path& file);

  // Goes to the next entry; false if there is none.
  std::expected<bool, std::string> next();
  // The next bytes of the entry; nothing at its end. Valid until the next call.
  std::expected<std::string_view, std::string> read();
  // Of the entry: "FILE", or "FILE:NAME" of one in an archive.
  const std::string& name() const { return name_; }

 private:
  struct Close {
    void operator()(archive* reader) const;
  };

  explicit TextEntries(std::string file) : file_(std::move(file)), name_(file_) {}
  std::unexpected<std::string> wrong();

  std::string file_, name_;
  std::unique_ptr<archive, Close> reader_;
  std::string block_;
};

// The whole text of a file that holds one. An error also if it is larger than `limit` bytes when unpacked, or an
// archive of several files.
std::expected<std::string, std::string> read_text_file(const std::filesystem::path& file,
                                                       std::size_t limit = std::size_t{1} << 30U);

}  // namespace fuhyo::learn
