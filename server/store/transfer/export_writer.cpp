#include "server/store/transfer/export_writer.h"

#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "server/store/transfer/sha256.h"

namespace fuhyo::store {
namespace {

constexpr std::size_t kPortion = 256U << 10U;  // bytes at a time

class Writer {
 public:
  Writer(Dump& dump, const ExportSink& sink) : dump_(dump), sink_(sink) {}

  std::expected<Counts, TransferFault> write(std::string_view origin) {
    text_ = fmt::format("{}{}\n", kExportMagic, kExportVersion);
    sha_.add(text_);
    text_ += "origin ";
    append_escaped(text_, origin);
    text_ += '\n';
    Counts said{};
    for (std::size_t i = 0; i < kTables; ++i) {
      const auto count = dump_.count(tables()[i]);
      if (!count) return of_store(count.error());
      said[i] = *count;
    }
    add(fmt::format("{}\nrows {}\n", schema_line(), count_words(said)));
    for (std::size_t i = 0; i < kTables; ++i) {
      if (auto written = write_table(i); !written) return std::unexpected(std::move(written.error()));
    }
    if (counts_ != said) return of_store("holds another number of rows than it has counted");
    add(fmt::format("end {}\n", count_words(counts_)));
    text_ += fmt::format("sha256 {}\n", sha_.finish());
    if (auto written = flush(); !written) return std::unexpected(std::move(written.error()));
    return counts_;
  }

 private:
  using Done = std::expected<void, TransferFault>;

  static std::unexpected<TransferFault> of_store(std::string why) {
    return std::unexpected(TransferFault{.of = TransferFault::Of::store, .text = std::move(why)});
  }

  void add(std::string_view lines) {
    sha_.add(lines);
    text_ += lines;
  }

  Done write_table(std::size_t index) {
    const Table& table = tables()[index];
    add(table_line(table) + '\n');
    if (auto opened = dump_.open(table); !opened) return of_store(opened.error());
    Row row;
    std::string line;
    for (;;) {
      const auto there = dump_.next(row);
      if (!there) return of_store(there.error());
      if (!*there) return {};
      line.clear();
      append_row(line, table, row);
      add(line);
      ++counts_[index];
      if (text_.size() < kPortion) continue;
      if (auto written = flush(); !written) return written;
    }
  }

  Done flush() {
    auto written = sink_(text_);
    text_.clear();
    if (written) return {};
    return std::unexpected(TransferFault{.of = TransferFault::Of::file, .text = std::move(written.error())});
  }

  Dump& dump_;
  const ExportSink& sink_;
  Sha256 sha_;
  std::string text_;  // not yet in the sink
  Counts counts_{};
};

}  // namespace

std::expected<Counts, TransferFault> write_export(Dump& dump, std::string_view origin, const ExportSink& sink) {
  return Writer(dump, sink).write(origin);
}

}  // namespace fuhyo::store
