// Games of elsewhere into a PostgreSQL database.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "server/store/archive_import.h"
#include "server/store/postgres/address.h"
#include "server/store/postgres/connection.h"
#include "server/store/postgres/options.h"

namespace fuhyo::store {

class PostgresArchiveImport : public ArchiveImport {
 public:
  static std::expected<std::unique_ptr<ArchiveImport>, std::string> begin(const PostgresAddress& address,
                                                                          const PostgresOptions& options, bool dry);

  std::expected<bool, std::string> add(FinishedGame& game) override;
  std::expected<void, std::string> commit() override;

 private:
  explicit PostgresArchiveImport(bool dry) : dry_(dry) {}
  PgResult<void> open(const PostgresAddress& address, const PostgresOptions& options);
  PgResult<bool> has(const std::string& csa_id);
  PgResult<void> flush();

  const bool dry_;
  Patience patience_;
  std::unique_ptr<PgConnection> connection_;
  std::vector<PgCommand> waiting_;         // of the transaction, to be sent together
  std::unordered_set<std::string> added_;  // Game_IDs
  std::int64_t last_ = 0;                  // number of the newest game
};

}  // namespace fuhyo::store
