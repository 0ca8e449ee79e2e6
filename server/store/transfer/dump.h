// Everything that a store holds, as it stands at one moment: what exports and checks read. Beside a running server,
// which goes on meanwhile. One thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "server/store/transfer/row.h"

namespace fuhyo::store {

class Dump {
 public:
  virtual ~Dump() = default;

  virtual std::expected<std::uint64_t, std::string> count(const Table& table) = 0;  // its rows
  // Begins with the rows of a table, in the order of its key; `table` is one of tables().
  virtual std::expected<void, std::string> open(const Table& table) = 0;
  // The next one. False: there is none, and `row` is as it was.
  virtual std::expected<bool, std::string> next(Row& row) = 0;
  // What the database finds wrong with itself, a line a fault.
  virtual std::expected<std::vector<std::string>, std::string> faults() = 0;
};

}  // namespace fuhyo::store
