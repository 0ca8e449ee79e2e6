#include "engines/learn/data/text_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <array>
#include <fmt/format.h>
#include <memory>

namespace fuhyo::learn {
namespace {

struct Close {
  void operator()(archive* reader) const { archive_read_free(reader); }
};

}  // namespace

std::expected<std::string, std::string> read_text_file(const std::filesystem::path& file, std::size_t limit) {
  const std::unique_ptr<archive, Close> reader(archive_read_new());
  const auto wrong = [&] {
    const char* why = reader ? archive_error_string(reader.get()) : nullptr;
    return std::unexpected(fmt::format("{}: {}", file.string(), why != nullptr ? why : "cannot be read"));
  };
  if (!reader) return wrong();
  archive_read_support_filter_all(reader.get());
  archive_read_support_format_raw(reader.get());
  archive_read_support_format_empty(reader.get());
  constexpr std::size_t kBlock = 64 * 1024;
  if (archive_read_open_filename(reader.get(), file.c_str(), kBlock) != ARCHIVE_OK) return wrong();
  archive_entry* entry = nullptr;
  const int opened = archive_read_next_header(reader.get(), &entry);
  if (opened == ARCHIVE_EOF) return std::string();
  if (opened != ARCHIVE_OK) return wrong();
  std::string text;
  std::array<char, kBlock> block;
  while (true) {
    const la_ssize_t got = archive_read_data(reader.get(), block.data(), block.size());
    if (got < 0) return wrong();
    if (got == 0) return text;
    text.append(block.data(), static_cast<std::size_t>(got));
    if (text.size() > limit) {
      return std::unexpected(fmt::format("{}: more than {} MB of text", file.string(), limit >> 20U));
    }
  }
}

}  // namespace fuhyo::learn
