#include "engines/book/text_book.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <utility>

#include "engines/book/db_line.h"
#include "engines/record/counted.h"

namespace fuhyo::book {
namespace {

// Of a slot: where the line begins. Books have grown to some hundred gigabytes.
constexpr int kOffsetBits = 42;
constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kOffsetBits) - 1;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kOpening = "sfen ";
constexpr std::string_view kNoPosition = "it has no position";

std::string_view next_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

// "lnsgkgsnl/... b -" of a position: its SFEN without the move number.
std::string key_of(const shogi::Position& position) {
  std::string sfen = position.sfen();
  sfen.erase(sfen.rfind(' '));
  return sfen;
}

bool wanted(const PositionLine& found, const Query& query) {
  return !query.ply || !found.ply || found.ply == query.ply;
}

// Adds the moves up to the next position.
void add_moves(std::string_view text, Entry& entry) {
  while (!text.empty() && !text.starts_with(kOpening)) {
    const Line line = parse_db_line(next_line(text));
    if (line.kind == LineKind::move) add_once(entry, line.move);
  }
}

std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  while (text.ends_with('\r')) text.remove_suffix(1);
  std::string out;
  for (const char c : text.substr(0, kLongest)) out += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > kLongest ? out + "..." : out;
}

}  // namespace

// ---- in memory ----

std::expected<std::unique_ptr<TextBook>, std::string> TextBook::make(std::unique_ptr<MemoryBytes> bytes) {
  if (bytes->size() >= kOffsetMask) return std::unexpected("it is too large to be read into memory");
  std::unique_ptr<TextBook> book(new TextBook(std::move(bytes)));
  const std::vector<Place> places = book->scan();
  if (places.empty() && book->damage_.lines == 0) return std::unexpected(std::string(kNoPosition));
  if (places.empty()) {
    return std::unexpected(fmt::format("{}; line {} is neither a position nor a move: {}", kNoPosition,
                                       book->damage_.first_line, book->damage_.first_text));
  }
  book->index(places);
  return book;
}

std::vector<TextBook::Place> TextBook::scan() {
  std::string_view rest = bytes_->view();
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  std::vector<Place> places;
  for (std::uint64_t number = 1; !rest.empty(); ++number) {
    const char* const begin = rest.data();
    const std::string_view text = next_line(rest);
    const Line line = parse_db_line(text);
    if (line.kind == LineKind::position) {
      places.push_back({digest_of_key(line.position.key), static_cast<std::uint64_t>(begin - bytes_->view().data())});
    } else if (line.kind == LineKind::damaged || (line.kind == LineKind::move && places.empty())) {
      report_damage(text, number);
    }
  }
  return places;
}

void TextBook::report_damage(std::string_view line, std::uint64_t number) {
  if (++damage_.lines > 1) return;
  damage_.first_line = number;
  damage_.first_text = printable(line);
}

void TextBook::index(std::span<const Place> places) {
  positions_ = places.size();
  slots_.assign(std::bit_ceil(places.size() * 3 / 2 + 1), 0);
  const std::size_t mask = slots_.size() - 1;
  for (const auto& [digest, offset] : places) {
    std::size_t slot = digest & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = (digest & ~kOffsetMask) | (offset + 1);
  }
}

Entry TextBook::find(const Query& query) {
  Entry entry;
  const std::string key = key_of(query.position);
  const std::uint64_t digest = digest_of_key(key);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = digest & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
    if (((slots_[slot] ^ digest) & ~kOffsetMask) != 0) continue;
    std::string_view rest = bytes_->view().substr((slots_[slot] & kOffsetMask) - 1);
    const Line line = parse_db_line(next_line(rest));
    if (same_key(line.position.key, key) && wanted(line.position, query)) add_moves(rest, entry);
  }
  return entry;
}

std::string TextBook::description() const { return record::counted(positions_, "position"); }

// ---- on disk ----

namespace {

constexpr std::size_t kBlock = 1024;
// Nearer than this, what is left is read from its beginning.
constexpr std::uint64_t kNear = kBlock / 2;
// Of a file that is not looked at as a whole for its order: so many parts of so many bytes.
constexpr std::uint64_t kParts = 256, kPart = std::uint64_t{64} << 10;
// What is longer is cut: a file without line ends must not fill the memory.
constexpr std::size_t kLongestLine = 64 * 1024, kLongestEntry = 1024 * 1024;
// A position's line, and the end of the line before.
constexpr std::string_view kNextOpening = "\nsfen ";

std::string key_of_line(std::string_view line) { return std::string(parse_db_line(line).position.key); }

}  // namespace

std::expected<std::unique_ptr<SortedTextBook>, std::string> SortedTextBook::make(std::unique_ptr<Bytes> bytes) {
  std::string mark(kByteOrderMark.size(), '\0');
  mark.resize(bytes->read(0, mark.data(), mark.size()));
  const std::uint64_t skipped = mark == kByteOrderMark ? mark.size() : 0;
  std::unique_ptr<SortedTextBook> book(new SortedTextBook(std::move(bytes), skipped));
  const std::uint64_t size = book->end_ - 1;
  book->whole_ = size <= kReadThrough;
  std::string before;
  for (std::uint64_t i = 0; i < (book->whole_ ? 1 : kParts); ++i) {
    const std::uint64_t from = (size - std::min(size, kPart)) / (kParts - 1) * i;
    const bool last = book->whole_ || i + 1 == kParts;
    if (auto fine = book->check(from, last ? size : from + kPart, before); !fine) return std::unexpected(fine.error());
  }
  if (before.empty()) return std::unexpected(std::string(kNoPosition));
  return book;
}

std::expected<void, std::string> SortedTextBook::check(std::uint64_t from, std::uint64_t to, std::string& before) {
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  const auto look_at = [&](std::string_view text, std::uint64_t at) -> std::expected<void, std::string> {
    if (!text.starts_with(kOpening)) return {};
    const auto wrong = [at](std::string_view what) {
      return std::unexpected(fmt::format("{} (near byte {})", what, at));
    };
    const Line line = parse_db_line(text);
    if (line.kind != LineKind::position) return wrong("it has a damaged position");
    if (line.position.key < before) return wrong("it is not sorted");
    if (!is_usual_key(line.position.key)) return wrong("it has a position that is written in another way than usual");
    before = line.position.key;
    return {};
  };
  std::string text;
  bool cut = from > 0;  // what is there is the rest of a line
  for (std::uint64_t at = from; at < to;) {
    const std::size_t had = text.size();
    text.resize(had + std::min<std::uint64_t>(kChunk, to - at));
    const std::size_t got = bytes_->read(skipped_ + at, text.data() + had, text.size() - had);
    text.resize(had + got);
    if (got == 0) break;
    at += got;
    std::string_view rest = text;
    while (rest.find('\n') != std::string_view::npos) {
      const std::string_view line = next_line(rest);
      if (std::exchange(cut, false)) continue;
      if (auto fine = look_at(line, at - rest.size()); !fine) return fine;
    }
    text.erase(0, text.size() - rest.size());
    if (text.size() < kLongestLine) continue;
    text.clear();
    cut = true;
  }
  return cut || to + 1 < end_ ? std::expected<void, std::string>{} : look_at(text, to);
}

bool SortedTextBook::append_block(std::string& text, std::uint64_t at) {
  if (at == 0) {
    text += '\n';
    return true;
  }
  const std::size_t before = text.size();
  text.resize(before + kBlock);
  const std::size_t got = bytes_->read(at - 1 + skipped_, text.data() + before, kBlock);
  text.resize(before + got);
  return got > 0;
}

std::optional<SortedTextBook::Place> SortedTextBook::next_position(std::uint64_t from, std::uint64_t limit) {
  std::uint64_t at = from - 1;  // where `text` begins
  std::string text;
  std::size_t found = std::string::npos;
  while (found == std::string::npos) {
    // All but what may be the beginning of an opening has been searched.
    const std::size_t searched = text.size() - std::min(text.size(), kNextOpening.size() - 1);
    text.erase(0, searched);
    at += searched;
    if (at + 1 >= limit || !append_block(text, at + text.size())) return std::nullopt;
    found = text.find(kNextOpening);
  }
  const std::uint64_t begin = at + found + 1;
  if (begin >= limit) return std::nullopt;
  text.erase(0, found + 1);
  std::size_t end = text.find('\n');
  while (end == std::string::npos && text.size() < kLongestLine && append_block(text, begin + text.size())) {
    end = text.find('\n');
  }
  text.resize(std::min(end, text.size()));
  return Place{.begin = begin, .end = begin + text.size() + 1, .line = std::move(text)};
}

std::string SortedTextBook::moves_after(std::uint64_t offset) {
  std::string text = "\n";
  std::size_t end = std::string::npos, searched = 0;
  while (end == std::string::npos && text.size() < kLongestEntry && append_block(text, offset + text.size() - 1)) {
    end = text.find(kNextOpening, searched);
    searched = text.size() - std::min(text.size(), kNextOpening.size() - 1);
  }
  return text.substr(1, end);
}

Entry SortedTextBook::find(const Query& query) {
  Entry entry;
  const std::string key = key_of(query.position);
  std::uint64_t low = 1, high = end_;
  while (high - low > kNear) {
    const std::uint64_t middle = low + (high - low) / 2;
    const auto place = next_position(middle, high);
    if (place && key_of_line(place->line) < key) {
      low = place->end;
    } else {
      high = middle;
    }
  }
  // Nothing that begins before `low` is large enough; several may differ in their number.
  for (auto place = next_position(low, end_); place; place = next_position(place->end, end_)) {
    const Line line = parse_db_line(place->line);
    if (line.position.key > key) break;
    if (line.position.key == key && wanted(line.position, query)) add_moves(moves_after(place->end), entry);
  }
  return entry;
}

std::string SortedTextBook::description() const {
  return fmt::format("{} bytes, searched on disk{}", bytes_->size(),
                     whole_ ? "" : "; whether it is sorted was looked at in places");
}

}  // namespace fuhyo::book
