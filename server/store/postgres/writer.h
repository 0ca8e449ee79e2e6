// The session that writes, and what one commit does: one transaction, sent whole before the first answer is awaited.
//
// A connection that was lost during a commit leaves its outcome unknown. The next try takes the lock on a new
// connection, by which the old session is over, and reads back how far the journal goes before it writes anything.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/core/journal.h"
#include "server/store/batch.h"
#include "server/store/journal_writer.h"
#include "server/store/postgres/address.h"
#include "server/store/postgres/connection.h"
#include "server/store/postgres/notifier.h"
#include "server/store/postgres/options.h"
#include "server/store/postgres/session.h"

namespace fuhyo::store {

class PostgresWriter : public JournalWriter {
 public:
  PostgresWriter(PostgresAddress address, const PostgresOptions& options);
  ~PostgresWriter() override;
  PostgresWriter(const PostgresWriter&) = delete;
  PostgresWriter& operator=(const PostgresWriter&) = delete;

  std::expected<void, std::string> start(core::Recovery& out, LiveGames& live) override;
  std::expected<void, std::string> commit(const Batch& batch) override;
  int look_every_ms() const override { return options_.look_every_ms; }
  std::expected<void, std::string> look() override;
  bool fenced() const override { return fenced_; }
  bool prune() override;
  void hurry() override;
  std::vector<Counter> counters() const override;

 private:
  using Result = PgResult<void>;

  Result connect();
  Result reconnect();
  Result check_still_ours();
  Result settle_doubt(const Batch& batch, bool& done);
  Result write(const Batch& batch);
  Result run(std::vector<PgCommand> commands);
  PgResult<std::int64_t> number(const PgStatement& statement, PgParams params = {});
  void write_facts(const Batch& batch, std::vector<PgCommand>& commands) const;
  void write_games(const Batch& batch, std::vector<PgCommand>& commands) const;
  void write_keyed_facts(const Batch& batch, std::vector<PgCommand>& commands) const;
  void write_acts(const Batch& batch, std::vector<PgCommand>& commands) const;
  void write_marks(const Batch& batch, std::vector<PgCommand>& commands);
  PgResult<bool> prune_range();

  const PostgresAddress address_;
  const PostgresOptions options_;
  Patience patience_;
  PostgresNotifier notifier_;
  std::unique_ptr<PgConnection> connection_;
  std::optional<PgSession> session_;  // the newest one
  std::int64_t epoch_ = 0;
  std::int64_t mark_us_ = 0;    // wall time of the newest mark
  std::int64_t newest_us_ = 0;  // wall time of the newest fact
  std::int64_t pruned_ = 0;     // no row of the journal is older
  bool fenced_ = false;
  bool in_doubt_ = false;  // the last commit failed, and may have happened all the same
  std::atomic<std::uint64_t> connections_{0};
};

}  // namespace fuhyo::store
