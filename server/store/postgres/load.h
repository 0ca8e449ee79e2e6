// Fills an empty PostgreSQL database. Its session holds the lock that a server would hold.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "server/store/postgres/address.h"
#include "server/store/postgres/connection.h"
#include "server/store/postgres/options.h"
#include "server/store/transfer/load.h"

namespace fuhyo::store {

class PostgresLoad : public Load {
 public:
  // Makes the tables if need be. Refused: a store that is in use, holds anything, or is not to be relied on.
  static std::expected<std::unique_ptr<Load>, std::string> begin(const PostgresAddress& address,
                                                                 const PostgresOptions& options);

  std::expected<void, std::string> add(const Table& table, const Row& row) override;
  std::expected<void, std::string> commit() override;

 private:
  // The rows of a table that wait to be sent, column by column.
  struct Waiting {
    std::string name, sql;
    PgStatement statement{};
    std::vector<PgArray> columns;
  };

  PostgresLoad();
  std::expected<void, std::string> open(const PostgresAddress& address, const PostgresOptions& options);
  std::expected<void, std::string> check_empty();
  PgResult<void> send(std::size_t table);

  Patience patience_;
  std::vector<Waiting> waiting_;      // by place in tables(); never resized, because statements are known by address
  std::size_t table_ = 0;             // the one whose rows wait
  std::size_t rows_ = 0, bytes_ = 0;  // that wait
  std::unique_ptr<PgConnection> connection_;
};

}  // namespace fuhyo::store
