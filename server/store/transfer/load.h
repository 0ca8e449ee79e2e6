// Fills an empty store: one transaction, all after commit() or nothing. Nobody else can write before this object is
// gone. One thread.
#pragma once

#include <expected>
#include <string>

#include "server/store/transfer/row.h"

namespace fuhyo::store {

class Load {
 public:
  virtual ~Load() = default;

  // `table`: one of tables().
  virtual std::expected<void, std::string> add(const Table& table, const Row& row) = 0;
  virtual std::expected<void, std::string> commit() = 0;
};

}  // namespace fuhyo::store
