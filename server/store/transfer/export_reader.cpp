#include "server/store/transfer/export_reader.h"

#include <charconv>
#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace fuhyo::store {
namespace {

constexpr std::size_t kPortion = 256U << 10U;  // bytes at a time

std::unexpected<TransferFault> no_export(std::string why) {
  return std::unexpected(TransferFault{.of = TransferFault::Of::content, .text = std::move(why)});
}

bool parse_count(std::string_view text, std::uint64_t& count) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), count);
  return fault == std::errc{} && end == text.data() + text.size();
}

// "journal=5 live=1 ...": every table, in order.
bool parse_counts(std::string_view words, Counts& counts) {
  for (std::size_t i = 0; i < kTables; ++i) {
    const std::string_view word = words.substr(0, words.find(' '));
    const std::size_t equals = word.find('=');
    if (word.substr(0, equals) != tables()[i].name || equals == word.npos) return false;
    if (!parse_count(word.substr(equals + 1), counts[i])) return false;
    words.remove_prefix(std::min(word.size() + 1, words.size()));
  }
  return words.empty();
}

}  // namespace

std::unexpected<TransferFault> ExportReader::wrong(std::string_view why) const {
  return no_export(fmt::format("line {}: {}: the file is damaged", line_, why));
}

std::unexpected<TransferFault> ExportReader::truncated() const {
  return no_export(fmt::format("ends after line {}, in table {} after {} of {} rows: it is truncated", line_,
                               tables()[table_].name, read_[table_], said_[table_]));
}

std::expected<ExportReader, TransferFault> ExportReader::open(ExportSource source) {
  ExportReader reader(std::move(source));
  if (auto read = reader.read_header(); !read) return std::unexpected(std::move(read.error()));
  return reader;
}

ExportReader::Done ExportReader::fill() {
  buffer_.erase(0, std::exchange(at_, 0));
  const std::size_t had = buffer_.size();
  buffer_.resize(had + kPortion);
  auto got = source_(std::span(buffer_).subspan(had));
  buffer_.resize(had + got.value_or(0));
  if (!got) return std::unexpected(TransferFault{.of = TransferFault::Of::file, .text = std::move(got.error())});
  source_ended_ = *got == 0;
  return {};
}

// Without its LF; as long as the next call.
ExportReader::Done ExportReader::read_line(std::string_view& line, bool counted) {
  for (std::size_t seen = at_;;) {
    const std::size_t end = buffer_.find('\n', seen);
    if (end != std::string::npos) {
      line = std::string_view(buffer_).substr(at_, end - at_);
      if (counted) sha_.add(std::string_view(buffer_).substr(at_, end + 1 - at_));
      at_ = end + 1;
      ++line_;
      return {};
    }
    if (source_ended_) return truncated();
    if (buffer_.size() - at_ > kLongestExportLine) return wrong("is too long");
    const std::size_t waits = buffer_.size() - at_;
    if (auto filled = fill(); !filled) return filled;
    seen = waits;
  }
}

ExportReader::Done ExportReader::expect(const std::string& wanted) {
  std::string_view line;
  if (auto read = read_line(line); !read) return read;
  if (line != wanted) return wrong(fmt::format("should be '{}'", wanted));
  return {};
}

ExportReader::Done ExportReader::read_header() {
  // What is no export may have no lines at all.
  while (buffer_.size() < kExportMagic.size() && !source_ended_) {
    if (auto filled = fill(); !filled) return filled;
  }
  if (!buffer_.starts_with(kExportMagic)) return no_export("is no export of a store");
  std::string_view line;
  if (auto read = read_line(line); !read) return read;
  std::uint64_t version = 0;
  if (!parse_count(line.substr(kExportMagic.size()), version)) return wrong("names no version");
  if (version != kExportVersion) {
    return no_export(fmt::format("was written by a newer program: its format is {}, this program reads {}", version,
                                 kExportVersion));
  }
  if (auto read = read_line(line, false); !read) return read;
  if (!line.starts_with("origin ") || !parse_escaped(line, origin_)) return wrong("names no origin");
  origin_ = line.substr(line.find(' ') + 1);
  if (auto read = read_line(line); !read) return read;
  std::uint64_t schema = 0;
  if (!line.starts_with("schema ") || !parse_count(line.substr(7), schema)) return wrong("names no schema");
  if (schema != kSchema) {
    return no_export(fmt::format("was written by {} program: its schema is {}, this program's is {}",
                                 schema > kSchema ? "a newer" : "an older", schema, kSchema));
  }
  if (auto read = read_line(line); !read) return read;
  if (!line.starts_with("rows ") || !parse_counts(line.substr(5), said_)) return wrong("counts no rows");
  return expect(table_line(tables()[0]));
}

std::expected<bool, TransferFault> ExportReader::next(std::size_t& table, Row& row) {
  for (;;) {
    if (table_ + 1 == kTables && read_[table_] == said_[table_]) return end();
    if (read_[table_] < said_[table_]) break;
    ++table_;
    if (auto begun = expect(table_line(tables()[table_])); !begun) return std::unexpected(std::move(begun.error()));
  }
  std::string_view line;
  if (auto read = read_line(line); !read) return std::unexpected(std::move(read.error()));
  if (!line.starts_with('\t')) {
    return wrong(
        fmt::format("table {} has {} rows instead of {}", tables()[table_].name, read_[table_], said_[table_]));
  }
  if (auto parsed = parse_row(line, tables()[table_], row); !parsed) return wrong(parsed.error());
  ++read_[table_];
  table = table_;
  return true;
}

std::expected<bool, TransferFault> ExportReader::end() {
  if (auto ended = expect("end " + count_words(said_)); !ended) return std::unexpected(std::move(ended.error()));
  const std::string sum = sha_.finish();
  std::string_view line;
  if (auto read = read_line(line, false); !read) return std::unexpected(std::move(read.error()));
  if (!line.starts_with("sha256 ")) return wrong("should be the checksum");
  if (line.substr(7) != sum) return no_export("does not have the checksum that it says: it is damaged");
  if (auto nothing = expect_nothing(); !nothing) return std::unexpected(std::move(nothing.error()));
  return false;
}

ExportReader::Done ExportReader::expect_nothing() {
  while (at_ == buffer_.size() && !source_ended_) {
    if (auto filled = fill(); !filled) return filled;
  }
  if (at_ == buffer_.size()) return {};
  return no_export("goes on after its end: it is damaged");
}

}  // namespace fuhyo::store
