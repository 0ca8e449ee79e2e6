// The queue in a PostgreSQL database: the schema fuhyo_jobs, whose rows are claimed FOR UPDATE SKIP LOCKED and whose
// leases are told by the database's clock. A connection that was lost is made anew, and what was asked over it is asked
// again: every statement may run twice.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engines/jobs/open.h"
#include "engines/jobs/postgres/connection.h"
#include "engines/jobs/queue.h"

namespace fuhyo::jobs {

class PostgresQueue final : public Queue {
 public:
  // Connects, and makes the schema if there is none; with `create` off, that is an error.
  static Result<std::unique_ptr<Queue>> open(std::string url, const QueueOptions& options);

  Result<bool> add(const Batch& batch) override;
  Result<std::optional<Claim>> claim(const Wanted& wanted) override;
  Result<Held> renew(const Lease& lease) override;
  Result<Finish> finish(const Lease& lease, std::string_view result) override;
  Result<bool> release(const Lease& lease) override;
  Result<bool> fail(const Lease& lease, std::string_view why) override;
  Result<std::vector<Lease>> held(const std::string& batch) override;
  Result<std::vector<std::string>> batches() override;
  Result<Progress> progress(const std::string& batch) override;
  Result<std::vector<ChunkResult>> results(const std::string& batch, const std::set<std::int64_t>& known) override;
  Result<void> cancel(const std::string& batch) override;
  Result<void> retry(const std::string& batch) override;
  Result<void> remove(const std::string& batch) override;

 private:
  PostgresQueue(std::string url, std::int64_t lease_ms, std::string unique)
      : url_(std::move(url)), unique_(std::move(unique)), lease_ms_(lease_ms) {}

  // Does it over a connection, and once more over another one if that was lost.
  template <class Do>
  auto insist(const Do& action) -> Result<typename decltype(action(std::declval<Connection&>()))::value_type>;
  PgResult<bool> add_to(Connection& connection, const Batch& batch);
  PgResult<std::optional<Claim>> claimed_by(Connection& connection, const std::string& worker,
                                            const std::string& request) const;
  PgResult<Finish> finish_in(Connection& connection, const Lease& lease, std::string_view result);
  Result<void> change(const char* statement, const std::string& batch);
  std::unexpected<std::string> no_batch(const std::string& batch) const;

  const std::string url_, unique_;
  const std::int64_t lease_ms_;
  std::mutex mutex_;  // of what follows
  std::unique_ptr<Connection> connection_;
  std::int64_t requests_ = 0;
};

}  // namespace fuhyo::jobs
