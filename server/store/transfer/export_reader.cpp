#include "server/store/transfer/export_reader.h"

#include <fmt/format.h>
#include <utility>

#include "engines/shogi/number.h"

namespace fuhyo::store {
namespace {

constexpr std::size_t kPortion = 256U << 10U;  // bytes at a time

std::unexpected<TransferFault> no_export(std::string why) {
  return std::unexpected(TransferFault{.of = TransferFault::Of::content, .text = std::move(why)});
}

bool parse_count(std::string_view text, std::uint64_t& count) {
  const auto found = shogi::number_of<std::uint64_t>(text);
  count = found.value_or(count);
  return found.has_value();
}

std::unexpected<TransferFault> not_brought_up(std::string_view why) {
  return std::unexpected(TransferFault{.of = TransferFault::Of::store,
                                       .text = fmt::format("the export of an older program is brought up: {}", why)});
}

// "journal=5 live=1 ...": every table, in order.
bool parse_counts(std::string_view words, std::span<const Table> tables, Counts& counts) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::string_view word = words.substr(0, words.find(' '));
    const std::size_t equals = word.find('=');
    if (word.substr(0, equals) != tables[i].name || equals == word.npos) return false;
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
                               tables_[table_].name, read_[table_], said_[table_]));
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
  if (auto read = read_schema(); !read) return read;
  if (auto read = read_line(line); !read) return read;
  if (!line.starts_with("rows ") || !parse_counts(line.substr(5), tables_, said_)) return wrong("counts no rows");
  return expect(table_line(tables_[0]));
}

ExportReader::Done ExportReader::read_schema() {
  std::string_view line;
  if (auto read = read_line(line); !read) return read;
  std::uint64_t schema = 0;
  if (!line.starts_with("schema ") || !parse_count(line.substr(7), schema) || schema == 0) {
    return wrong("names no schema");
  }
  if (schema > kSchema) {
    return no_export(
        fmt::format("was written by a newer program: its schema is {}, this program's is {}", schema, kSchema));
  }
  if (schema == kSchema) return {};
  auto made = OlderRows::make(schema);
  if (!made) return not_brought_up(made.error());
  older_ = std::move(*made);
  tables_ = older_->tables();
  return {};
}

std::expected<bool, TransferFault> ExportReader::next(std::size_t& table, Row& row) {
  if (!older_) return read_row(table, row);
  if (!brought_up_) {
    if (auto done = bring_up(); !done) return std::unexpected(std::move(done.error()));
  }
  return next_of_brought_up(table, row);
}

ExportReader::Done ExportReader::bring_up() {
  Row row;
  std::size_t table = 0;
  for (;;) {
    const auto there = read_row(table, row);
    if (!there) return std::unexpected(there.error());
    if (!*there) break;
    const auto added = older_->add(table, row);
    if (!added && (added.error().code & 0xff) == SQLITE_CONSTRAINT) return wrong(added.error().message);
    if (!added) return not_brought_up(in_words(added.error()));
  }
  auto rows = older_->bring_up();
  if (!rows) return not_brought_up(rows.error());
  brought_up_ = std::move(*rows);
  table_ = 0;
  said_ = {};
  if (auto opened = brought_up_->open(tables()[0]); !opened) return not_brought_up(opened.error());
  return {};
}

std::expected<bool, TransferFault> ExportReader::next_of_brought_up(std::size_t& table, Row& row) {
  for (;;) {
    const auto there = brought_up_->next(row);
    if (!there) return not_brought_up(there.error());
    table = table_;
    if (*there) ++said_[table_];
    if (*there || table_ + 1 == kTables) return *there;
    if (auto opened = brought_up_->open(tables()[++table_]); !opened) return not_brought_up(opened.error());
  }
}

std::expected<bool, TransferFault> ExportReader::read_row(std::size_t& table, Row& row) {
  for (;;) {
    if (table_ + 1 == tables_.size() && read_[table_] == said_[table_]) return end();
    if (read_[table_] < said_[table_]) break;
    ++table_;
    if (auto begun = expect(table_line(tables_[table_])); !begun) return std::unexpected(std::move(begun.error()));
  }
  std::string_view line;
  if (auto read = read_line(line); !read) return std::unexpected(std::move(read.error()));
  if (!line.starts_with('\t')) {
    return wrong(fmt::format("table {} has {} rows instead of {}", tables_[table_].name, read_[table_], said_[table_]));
  }
  if (auto parsed = parse_row(line, tables_[table_], row); !parsed) return wrong(parsed.error());
  ++read_[table_];
  table = table_;
  return true;
}

std::expected<bool, TransferFault> ExportReader::end() {
  if (auto ended = expect("end " + count_words(tables_, said_)); !ended)
    return std::unexpected(std::move(ended.error()));
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
