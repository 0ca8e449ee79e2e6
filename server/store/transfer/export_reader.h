// Reads an export, row by row, and notices whatever is wrong with it: at the latest where its end should be. One of an
// older schema is read to its end first, and its rows are brought up to today's tables. Memory does not grow with the
// file. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "server/store/sqlite/older_rows.h"
#include "server/store/transfer/format.h"
#include "server/store/transfer/row.h"
#include "server/store/transfer/sha256.h"

namespace fuhyo::store {

// Fills the front of the room with the next bytes of the file and says how many: 0 at its end.
using ExportSource = std::function<std::expected<std::size_t, std::string>(std::span<char> room)>;

class ExportReader {
 public:
  // Reads the header. Refused: what is no export, and what a newer program has written.
  static std::expected<ExportReader, TransferFault> open(ExportSource source);

  // The next row, and the place of its table in tables(). False: there is none, and the file was whole. Until then no
  // row may be relied on.
  std::expected<bool, TransferFault> next(std::size_t& table, Row& row);

  const std::string& origin() const { return origin_; }  // printable
  const Counts& counts() const { return said_; }         // as the header says; after the last row, of rows given out

 private:
  using Done = std::expected<void, TransferFault>;

  explicit ExportReader(ExportSource source) : source_(std::move(source)) {}
  Done read_header();
  Done read_schema();
  Done read_line(std::string_view& line, bool counted = true);
  Done fill();
  Done expect(const std::string& wanted);
  std::expected<bool, TransferFault> read_row(std::size_t& table, Row& row);
  Done bring_up();
  std::expected<bool, TransferFault> next_of_brought_up(std::size_t& table, Row& row);
  std::expected<bool, TransferFault> end();
  Done expect_nothing();
  std::unexpected<TransferFault> wrong(std::string_view why) const;
  std::unexpected<TransferFault> truncated() const;

  ExportSource source_;
  std::string buffer_;
  std::size_t at_ = 0;  // of buffer_: where the next line begins
  bool source_ended_ = false;
  std::uint64_t line_ = 0;  // from 1, of the newest one
  Sha256 sha_;
  std::string origin_;
  std::span<const Table> tables_ = tables();  // that the file has
  Counts said_{}, read_{};                    // by place in tables_
  std::size_t table_ = 0;                     // whose rows are being read
  std::unique_ptr<OlderRows> older_;          // of a file of an older schema
  std::unique_ptr<Dump> brought_up_;          // all its rows
};

}  // namespace fuhyo::store
