// A PostgreSQL database as a dump: one transaction that only reads, and a cursor for each table. One thread.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "server/store/postgres/address.h"
#include "server/store/postgres/connection.h"
#include "server/store/postgres/options.h"
#include "server/store/transfer/dump.h"

namespace fuhyo::store {

class PostgresDump : public Dump {
 public:
  // Refused: a database that is not ours, or of another schema than this program's.
  static std::expected<std::unique_ptr<Dump>, std::string> open(const PostgresAddress& address,
                                                                const PostgresOptions& options);

  std::expected<std::uint64_t, std::string> count(const Table& table) override;
  std::expected<void, std::string> open(const Table& table) override;
  std::expected<bool, std::string> next(Row& row) override;
  // PostgreSQL notices a damaged page when it is read, where its cluster has checksums.
  std::expected<std::vector<std::string>, std::string> faults() override { return std::vector<std::string>{}; }

 private:
  // A statement whose text lives as long as the connection that knows it by its address.
  struct Text {
    std::string name, sql;
    PgStatement statement{};
  };

  PostgresDump() = default;
  PgResult<void> begin(const PostgresAddress& address, const PostgresOptions& options);
  PgResult<PgRows> run(std::string name, std::string sql);

  Patience patience_;
  std::list<Text> texts_;
  std::unique_ptr<PgConnection> connection_;
  const Table* table_ = nullptr;
  const PgStatement* fetch_ = nullptr;  // the next portion of its rows
  std::vector<PgRows> portion_;         // one, once a table is open
  int at_ = 0;                          // of the portion: the next row
};

}  // namespace fuhyo::store
