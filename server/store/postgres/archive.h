// The archive of a PostgreSQL database.
#pragma once

#include <memory>
#include <utility>

#include "server/store/archive.h"
#include "server/store/postgres/address.h"
#include "server/store/postgres/connection.h"
#include "server/store/postgres/options.h"

namespace fuhyo::store {

class PostgresArchive : public Archive {
 public:
  static std::expected<std::unique_ptr<Archive>, std::string> open(const PostgresAddress& address,
                                                                   const PostgresOptions& options);

  std::expected<std::vector<ArchivedGame>, std::string> games(std::string_view wanted, std::size_t limit) override;
  std::expected<std::vector<core::AdminActed>, std::string> audit(std::size_t limit) override;

 private:
  PostgresArchive() = default;
  Patience patience_;
  std::unique_ptr<PgConnection> connection_;
};

}  // namespace fuhyo::store
