// Reads the journal of a PostgreSQL database over connections of its own, while the writer goes on. A connection that
// was lost is made anew with the next call.
#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/store/journal_reader.h"
#include "server/store/postgres/address.h"
#include "server/store/postgres/connection.h"
#include "server/store/postgres/options.h"

namespace fuhyo::store {

class PostgresReader : public JournalReader {
 public:
  static std::expected<std::unique_ptr<JournalReader>, std::string> open(const PostgresAddress& address,
                                                                         const PostgresOptions& options);

  std::expected<std::vector<core::Journaled>, std::string> read_after(core::Seq after, std::size_t limit) override;
  std::expected<bool, std::string> wait_after(core::Seq after, std::chrono::milliseconds longest) override;

 private:
  PostgresReader(PostgresAddress address, const PostgresOptions& options)
      : address_(std::move(address)), options_(options) {}
  PgResult<void> connect(std::unique_ptr<PgConnection>& connection, const char* purpose);
  PgResult<bool> newer(core::Seq after);
  PgResult<bool> wait(core::Seq after, std::chrono::milliseconds longest);

  const PostgresAddress address_;
  const PostgresOptions options_;
  Patience patience_;
  std::mutex mutex_;         // any thread may read, one at a time
  std::mutex listen_mutex_;  // ... and wait
  std::unique_ptr<PgConnection> rows_, listening_;
};

}  // namespace fuhyo::store
