#include "engines/learn/book/search_log.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "engines/learn/data/block.h"
#include "engines/learn/data/whole_file.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;
using record::ByteReader;
using record::Bytes;
using record::ByteView;
using record::put;

constexpr std::string_view kLogMagic = "FuhyoBK\n";
constexpr std::uint32_t kLogVersion = 1;
constexpr std::size_t kBeforeText = 16, kMostText = 4'096, kSum = 4;
constexpr std::size_t kFixed = record::PackedSfen::kSize + 2, kLine = 8;
constexpr std::size_t kLargestRecord = 2 + kFixed + kMostLines * kLine + kSum;

Bytes header_of(std::string_view options) {
  Bytes out(kLogMagic.begin(), kLogMagic.end());
  put(out, kLogVersion);
  put(out, static_cast<std::uint32_t>(options.size()));
  out.insert(out.end(), options.begin(), options.end());
  put(out, crc32c(out));
  return out;
}

// The text of the header that a file begins with; nothing if it is damaged or cut.
std::optional<std::string> text_of(ByteView bytes) {
  ByteReader in(bytes);
  const auto magic = in.take_bytes(kLogMagic.size());
  const auto version = in.take<std::uint32_t>(), length = in.take<std::uint32_t>();
  if (!magic || std::memcmp(magic->data(), kLogMagic.data(), kLogMagic.size()) != 0 || version != kLogVersion ||
      !length || *length > kMostText) {
    return std::nullopt;
  }
  const auto text = in.take_bytes(*length);
  const auto sum = in.take<std::uint32_t>();
  if (!text || !sum || *sum != crc32c(bytes.first(kBeforeText + *length))) return std::nullopt;
  return std::string(text->begin(), text->end());
}

Bytes record_of(const record::PackedSfen& position, const SearchResult& found) {
  Bytes out;
  put(out, static_cast<std::uint16_t>(kFixed + found.lines.size() * kLine));
  out.insert(out.end(), position.bytes.begin(), position.bytes.end());
  put(out, static_cast<std::uint16_t>(found.ended));
  for (const SearchLine& line : found.lines) {
    put(out, line.move.bits());
    put(out, line.reply.bits());
    put(out, static_cast<std::uint16_t>(line.value));
    put(out, line.depth);
  }
  put(out, crc32c(out));
  return out;
}

// The bytes of the whole record that comes next; nothing if it is cut or damaged.
std::optional<std::size_t> record_size(ByteView bytes) {
  const auto length = ByteReader(bytes).take<std::uint16_t>();
  if (!length || *length < kFixed || (*length - kFixed) % kLine != 0) return std::nullopt;
  const std::size_t covered = 2U + *length;
  if (covered + kSum > std::min(bytes.size(), kLargestRecord)) return std::nullopt;
  if (ByteReader(bytes.subspan(covered)).take<std::uint32_t>() != crc32c(bytes.first(covered))) return std::nullopt;
  return covered + kSum;
}

// Of a whole record.
std::pair<record::PackedSfen, SearchResult> parse_record(ByteView bytes) {
  std::pair<record::PackedSfen, SearchResult> out;
  std::memcpy(out.first.bytes.data(), bytes.data() + 2, record::PackedSfen::kSize);
  ByteReader in(bytes.first(bytes.size() - kSum).subspan(2 + record::PackedSfen::kSize));
  out.second.ended = static_cast<std::int16_t>(in.take<std::uint16_t>().value_or(0));
  while (!in.rest().empty()) {
    const auto next = [&] { return in.take<std::uint16_t>().value_or(0); };
    SearchLine line{.move = shogi::Move::from_bits(next())};
    line.reply = shogi::Move::from_bits(next());
    line.value = static_cast<std::int16_t>(next());
    line.depth = next();
    out.second.lines.push_back(line);
  }
  return out;
}

}  // namespace

std::unexpected<std::string> SearchLog::trouble(std::string_view what) const {
  return std::unexpected(fmt::format("{}: {}", path_.string(), what));
}

std::expected<SearchLog, std::string> SearchLog::open(const fs::path& file, std::string_view options) {
  SearchLog log(file);
  if (options.size() > kMostText) return log.trouble("says how it is searched in too many words");
  const Bytes header = header_of(options);
  std::error_code error;
  if (fs::is_regular_file(file, error)) {
    const auto bytes = read_file(file);
    if (!bytes) return std::unexpected(bytes.error());
    const ByteView view(reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size());
    const auto whole = log.read(view, header);
    if (!whole) return std::unexpected(whole.error());
    log.cut_ = bytes->size() - *whole;
    if (log.cut_ > 0) fs::resize_file(file, *whole, error);
    if (error) return log.trouble(error.message());
  }
  auto opened = jobs::AppendFile::open(file);
  if (!opened) return log.trouble(opened.error());
  log.file_ = *std::move(opened);
  if (log.file_.size() > 0) return log;
  if (auto done = log.write(header); !done) return std::unexpected(done.error());
  return log;
}

std::expected<std::size_t, std::string> SearchLog::read(ByteView bytes, const Bytes& header) {
  // Of a file that was not even begun nothing is kept.
  if (bytes.size() < header.size() && std::ranges::equal(bytes, ByteView(header).first(bytes.size()))) return 0;
  const auto text = text_of(bytes);
  if (!text) return trouble("is no file of searches for a book, or damaged at its beginning");
  const Bytes own = header_of(*text);
  if (own != header) {
    const std::string_view wanted(reinterpret_cast<const char*>(header.data()) + kBeforeText,
                                  header.size() - kBeforeText - kSum);
    return trouble(fmt::format("holds other searches ({}) than are asked for ({})", *text, wanted));
  }
  std::size_t whole = header.size();
  while (whole < bytes.size()) {
    const ByteView rest = bytes.subspan(whole);
    const auto size = record_size(rest);
    if (!size && rest.size() >= kLargestRecord) {
      return trouble(fmt::format("offset {}: the file is damaged", whole));
    }
    if (!size) {
      // What a kill leaves is the beginning of one record. Whole ones behind it mean that it was whole, too.
      for (std::size_t i = 1; i < rest.size(); ++i) {
        if (record_size(rest.subspan(i))) return trouble(fmt::format("offset {}: the file is damaged", whole));
      }
      return whole;
    }
    found_.insert(parse_record(rest.first(*size)));
    whole += *size;
  }
  return whole;
}

const SearchResult* SearchLog::find(const record::PackedSfen& position) const {
  const auto found = found_.find(position);
  return found == found_.end() ? nullptr : &found->second;
}

std::expected<void, std::string> SearchLog::append(const record::PackedSfen& position, const SearchResult& found) {
  if (auto done = write(record_of(position, found)); !done) return done;
  found_.insert_or_assign(position, found);
  return {};
}

std::expected<void, std::string> SearchLog::write(ByteView bytes) {
  const auto written = file_.append(std::as_bytes(bytes));
  return written ? written : trouble("cannot be written: " + written.error());
}

std::expected<void, std::string> SearchLog::sync() {
  const auto synced = file_.sync();
  return synced ? synced : trouble("cannot be written: " + synced.error());
}

}  // namespace fuhyo::learn
