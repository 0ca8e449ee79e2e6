#include "engines/learn/data/text_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <utility>

namespace fuhyo::learn {
namespace {

constexpr std::size_t kBlock = std::size_t{256} * 1024;

}  // namespace

void TextEntries::Close::operator()(archive* reader) const { archive_read_free(reader); }

std::unexpected<std::string> TextEntries::wrong() {
  const char* why = reader_ ? archive_error_string(reader_.get()) : nullptr;
  auto error = std::unexpected(fmt::format("{}: {}", name_, why != nullptr ? why : "cannot be read"));
  reader_.reset();
  return error;
}

std::expected<TextEntries, std::string> TextEntries::open(const std::filesystem::path& file) {
  TextEntries entries(file.string());
  entries.reader_.reset(archive_read_new());
  archive* const reader = entries.reader_.get();
  if (reader == nullptr) return entries.wrong();
  archive_read_support_filter_all(reader);
  archive_read_support_format_7zip(reader);
  archive_read_support_format_zip(reader);
  archive_read_support_format_tar(reader);
  archive_read_support_format_raw(reader);
  archive_read_support_format_empty(reader);
  if (archive_read_open_filename(reader, file.c_str(), kBlock) != ARCHIVE_OK) return entries.wrong();
  entries.block_.resize(kBlock);
  return entries;
}

std::expected<bool, std::string> TextEntries::next() {
  while (reader_) {
    archive_entry* entry = nullptr;
    const int found = archive_read_next_header(reader_.get(), &entry);
    if (found == ARCHIVE_EOF) break;
    if (found != ARCHIVE_OK && found != ARCHIVE_WARN) return wrong();
    const bool in_archive = archive_format(reader_.get()) != ARCHIVE_FORMAT_RAW;
    if (in_archive && archive_entry_filetype(entry) != AE_IFREG) continue;
    const char* name = archive_entry_pathname_utf8(entry);
    if (name == nullptr) name = archive_entry_pathname(entry);
    name_ = in_archive ? fmt::format("{}:{}", file_, name != nullptr ? name : "?") : file_;
    return true;
  }
  return false;
}

std::expected<std::string_view, std::string> TextEntries::read() {
  if (!reader_) return std::string_view();
  const la_ssize_t got = archive_read_data(reader_.get(), block_.data(), block_.size());
  if (got < 0) return wrong();
  return std::string_view(block_).substr(0, static_cast<std::size_t>(got));
}

std::expected<std::string, std::string> read_text_file(const std::filesystem::path& file, std::size_t limit) {
  auto entries = TextEntries::open(file);
  if (!entries) return std::unexpected(std::move(entries.error()));
  std::string text;
  auto found = entries->next();
  if (!found) return std::unexpected(std::move(found.error()));
  if (!*found) return text;
  for (;;) {
    const auto block = entries->read();
    if (!block) return std::unexpected(block.error());
    if (block->empty()) break;
    text += *block;
    if (text.size() > limit) {
      return std::unexpected(fmt::format("{}: more than {} MB of text", file.string(), limit >> 20U));
    }
  }
  found = entries->next();
  if (!found) return std::unexpected(std::move(found.error()));
  if (*found) return std::unexpected(fmt::format("{}: an archive of several files", file.string()));
  return text;
}

}  // namespace fuhyo::learn
