#include "engines/book/open.h"

#include <fmt/format.h>

#include "engines/book/binary_books.h"
#include "engines/book/text_book.h"

namespace fuhyo::book {
namespace {

using Made = std::expected<Opened, std::string>;

template <class Kind>
Made made(std::expected<std::unique_ptr<Kind>, std::string> book) {
  if (!book) return std::unexpected(std::move(book.error()));
  Opened opened;
  opened.book = *std::move(book);
  return opened;
}

Made read_text(const std::filesystem::path& path) {
  auto bytes = read_whole(path);
  if (!bytes) return std::unexpected(bytes.error());
  auto book = TextBook::make(*std::move(bytes));
  if (!book) return std::unexpected(std::move(book.error()));
  Opened opened;
  if (const auto& damage = (*book)->damage(); damage.lines > 0) {
    opened.notes.push_back(fmt::format(
        "{}:{}: neither a position nor a move of one: {}{}", path.string(), damage.first_line, damage.first_text,
        damage.lines == 1 ? " (the line is left out)" : fmt::format(" ({} such lines are left out)", damage.lines)));
  }
  opened.book = *std::move(book);
  return opened;
}

Made read_apery(const std::filesystem::path& path) {
  auto bytes = read_whole(path);
  if (!bytes) return std::unexpected(bytes.error());
  if ((*bytes)->size() % 16 != 0) return made(AperyBook::make(*std::move(bytes)));
  return made(AperyBook::make(std::make_unique<MemoryBytes>(AperyBook::sorted((*bytes)->view()))));
}

Made read_ybb(const std::filesystem::path& path) {
  auto bytes = read_whole(path);
  return bytes ? made(YbbBook::make(*std::move(bytes))) : std::unexpected(bytes.error());
}

enum class Format : std::uint8_t { text, ybb, apery };

Format format_of(const std::filesystem::path& path, Bytes& bytes) {
  std::string begin(kYbbMagic.size(), '\0');
  begin.resize(bytes.read(0, begin.data(), begin.size()));
  if (begin == kYbbMagic || path.extension() == ".ybb") return Format::ybb;
  return path.extension() == ".bin" ? Format::apery : Format::text;
}

Made read(const std::filesystem::path& path, Format format) {
  switch (format) {
    case Format::ybb:
      return read_ybb(path);
    case Format::apery:
      return read_apery(path);
    case Format::text:
      break;
  }
  return read_text(path);
}

Made on_disk(std::unique_ptr<Bytes> bytes, Format format) {
  switch (format) {
    case Format::ybb:
      return made(YbbBook::make(std::move(bytes)));
    case Format::apery:
      return made(AperyBook::make(std::move(bytes)));
    case Format::text:
      break;
  }
  return made(SortedTextBook::make(std::move(bytes)));
}

}  // namespace

std::expected<Opened, std::string> open_book(const std::filesystem::path& path, bool on_the_fly) {
  const auto describe = [&](const std::string& why) { return std::unexpected(path.string() + ": " + why); };
  auto file = FileBytes::open(path);
  if (!file) return describe(file.error());
  const Format format = format_of(path, **file);
  std::string note;
  if (on_the_fly) {
    auto opened = on_disk(*std::move(file), format);
    if (opened || format == Format::ybb) return opened ? std::move(opened) : describe(opened.error());
    note = fmt::format("{}: BookOnTheFly is not possible: {}; it is read into memory", path.string(), opened.error());
  }
  auto opened = read(path, format);
  if (!opened) return describe(opened.error());
  if (!note.empty()) opened->notes.insert(opened->notes.begin(), std::move(note));
  return opened;
}

}  // namespace fuhyo::book
