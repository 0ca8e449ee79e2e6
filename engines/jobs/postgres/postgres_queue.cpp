#include "engines/jobs/postgres/postgres_queue.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <random>
#include <type_traits>
#include <utility>

#include "engines/jobs/postgres/migrations.h"

namespace fuhyo::jobs {
namespace {

// So many chunks are put in with one statement.
constexpr std::size_t kRowsAtOnce = 200;

constexpr const char* kAddBatch =
    "INSERT INTO fuhyo_jobs.batch (name, kind, payload, digest, attempts) VALUES ($1, $2, $3, $4, $5)"
    " ON CONFLICT (name) DO NOTHING RETURNING id";

// Leases that have run out: the chunk waits again, or has been tried often enough.
constexpr const char* kSweep =
    "WITH silent AS (SELECT batch, chunk FROM fuhyo_jobs.chunk"
    "  WHERE state = 'held' AND lease_until < clock_timestamp() FOR UPDATE SKIP LOCKED)"
    " UPDATE fuhyo_jobs.chunk c SET failures = c.failures + 1,"
    "  why = convert_to('worker ' || c.worker || ' fell silent', 'UTF8'),"
    "  state = CASE WHEN c.failures + 1 >= b.attempts THEN 'aside' ELSE 'waiting' END"
    " FROM silent s JOIN fuhyo_jobs.batch b ON b.id = s.batch WHERE c.batch = s.batch AND c.chunk = s.chunk";

constexpr const char* kClaim =
    "WITH next AS (SELECT c.batch, c.chunk FROM fuhyo_jobs.chunk c JOIN fuhyo_jobs.batch b ON b.id = c.batch"
    "  WHERE c.state = 'waiting' AND NOT b.cancelled AND ($2 = '' OR b.kind = $2) AND ($3 = '' OR b.name = $3)"
    "  ORDER BY c.batch, c.chunk LIMIT 1 FOR UPDATE OF c SKIP LOCKED)"
    " UPDATE fuhyo_jobs.chunk c SET state = 'held', fence = c.fence + 1, worker = $1, request = $4,"
    "  lease_until = clock_timestamp() + $5::bigint * interval '1 millisecond'"
    " FROM next n WHERE c.batch = n.batch AND c.chunk = n.chunk";

// What a request has claimed, whether its answer arrived or not.
constexpr const char* kClaimed =
    "SELECT b.name, b.id, c.chunk, c.fence, b.kind, b.payload, c.payload FROM fuhyo_jobs.chunk c"
    " JOIN fuhyo_jobs.batch b ON b.id = c.batch WHERE c.state = 'held' AND c.request = $1";

constexpr const char* kHeld =
    "SELECT b.id, c.chunk, c.fence, c.worker FROM fuhyo_jobs.chunk c JOIN fuhyo_jobs.batch b ON b.id = c.batch"
    " WHERE b.name = $1 AND c.state = 'held' ORDER BY c.chunk";

constexpr const char* kOurs =
    " FROM fuhyo_jobs.batch b WHERE b.id = c.batch AND NOT b.cancelled AND c.batch = $1 AND c.chunk = $2"
    " AND c.fence = $3 AND c.state = 'held'";

constexpr const char* kStanding = "SELECT cancelled FROM fuhyo_jobs.batch WHERE id = $1";

constexpr const char* kFinish =
    "UPDATE fuhyo_jobs.chunk c SET state = 'done', result = $3, done_by = $4, done_fence = $5,"
    " done_at = clock_timestamp() FROM fuhyo_jobs.batch b"
    " WHERE b.id = c.batch AND NOT b.cancelled AND c.batch = $1 AND c.chunk = $2 AND c.state <> 'done'";
constexpr const char* kFinished =
    "SELECT c.state = 'done', c.done_by = $3 AND c.done_fence = $4 FROM fuhyo_jobs.chunk c"
    " WHERE c.batch = $1 AND c.chunk = $2";

constexpr const char* kProgress =
    "SELECT b.kind, b.cancelled, count(*), count(*) FILTER (WHERE c.state = 'done'),"
    " count(*) FILTER (WHERE c.state = 'held'), count(*) FILTER (WHERE c.state = 'waiting')"
    " FROM fuhyo_jobs.batch b JOIN fuhyo_jobs.chunk c ON c.batch = b.id WHERE b.name = $1 GROUP BY b.id";
constexpr const char* kSetAside =
    "SELECT c.chunk, c.why FROM fuhyo_jobs.chunk c JOIN fuhyo_jobs.batch b ON b.id = c.batch"
    " WHERE b.name = $1 AND c.state = 'aside' ORDER BY c.chunk";

// $2: chunks that are known, as an array's text.
constexpr const char* kResults =
    "SELECT c.chunk, c.done_by, c.result FROM fuhyo_jobs.batch b JOIN fuhyo_jobs.chunk c ON c.batch = b.id"
    " WHERE b.name = $1 AND c.state = 'done' AND NOT (c.chunk = ANY ($2::bigint[])) ORDER BY c.chunk";

constexpr const char* kRetry =
    "WITH again AS (UPDATE fuhyo_jobs.chunk c SET state = 'waiting', failures = 0 FROM fuhyo_jobs.batch b"
    "  WHERE b.id = c.batch AND b.name = $1 AND c.state = 'aside')"
    " SELECT 1 FROM fuhyo_jobs.batch WHERE name = $1";
constexpr const char* kCancel = "UPDATE fuhyo_jobs.batch SET cancelled = true WHERE name = $1 RETURNING 1";
constexpr const char* kRemove = "DELETE FROM fuhyo_jobs.batch WHERE name = $1 RETURNING 1";

std::string random_name() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

std::unexpected<PgFailure> refuse(std::string why) { return std::unexpected(PgFailure{std::move(why), false}); }

// Whose lease it is no more.
PgResult<Held> lost_or_over(Connection& connection, const Lease& lease) {
  const auto row = connection.run(kStanding, Values().add(lease.batch_id));
  if (!row) return std::unexpected(row.error());
  return row->size() == 0 || row->flag(0, 0) ? Held::over : Held::lost;
}

Values of_lease(const Lease& lease) { return Values().add(lease.batch_id).add(lease.chunk).add(lease.fence); }

}  // namespace

Result<std::unique_ptr<Queue>> PostgresQueue::open(std::string url, const QueueOptions& options) {
  std::unique_ptr<PostgresQueue> queue(new PostgresQueue(std::move(url), options.lease_ms, random_name()));
  const auto migrated = queue->insist([&](Connection& connection) -> PgResult<std::size_t> {
    if (!options.create) {
      const auto there = has_schema(connection);
      if (!there) return std::unexpected(there.error());
      if (!*there) return refuse("the database has no queue");
    }
    return migrate(connection, migrations());
  });
  if (!migrated) return std::unexpected(migrated.error());
  return std::unique_ptr<Queue>(std::move(queue));
}

template <class Do>
auto PostgresQueue::insist(const Do& action)
    -> Result<typename decltype(action(std::declval<Connection&>()))::value_type> {
  const std::lock_guard lock(mutex_);
  std::string why;
  for (int i = 0; i < 2; ++i) {
    if (!connection_) {
      auto opened = Connection::open(url_);
      if (!opened) return std::unexpected(fmt::format("PostgreSQL: {}", opened.error().message));
      connection_ = std::move(*opened);
    }
    auto answer = action(*connection_);
    if (answer) {
      if constexpr (std::is_void_v<typename decltype(answer)::value_type>) {
        return {};
      } else {
        return std::move(*answer);
      }
    }
    why = answer.error().message;
    if (!answer.error().lost) break;
    connection_.reset();
  }
  return std::unexpected(fmt::format("PostgreSQL: {}", why));
}

std::unexpected<std::string> PostgresQueue::no_batch(const std::string& batch) const {
  return std::unexpected(fmt::format("the database has no batch {}", batch));
}

// ---- batches ----

Result<bool> PostgresQueue::add(const Batch& batch) {
  if (auto good = check(batch); !good) return std::unexpected(good.error());
  return insist([&](Connection& connection) -> PgResult<bool> {
    if (auto begun = connection.run_script("BEGIN"); !begun) return std::unexpected(begun.error());
    auto added = add_to(connection, batch);
    const auto ended = connection.run_script(added ? "COMMIT" : "ROLLBACK");
    if (added && !ended) return std::unexpected(ended.error());
    return added;
  });
}

PgResult<bool> PostgresQueue::add_to(Connection& connection, const Batch& batch) {
  const auto row = connection.run(
      kAddBatch,
      Values().add(batch.name).add(batch.kind).add_bytes(batch.payload).add(digest(batch)).add(batch.attempts));
  if (!row) return std::unexpected(row.error());
  if (row->size() == 0) {
    const auto there = connection.run("SELECT digest FROM fuhyo_jobs.batch WHERE name = $1", Values().add(batch.name));
    if (!there) return std::unexpected(there.error());
    if (there->size() == 1 && there->number(0, 0) == digest(batch)) return false;
    return refuse(fmt::format("the database has another batch of the name {}", batch.name));
  }
  for (std::size_t from = 0; from < batch.chunks.size(); from += kRowsAtOnce) {
    std::string statement = "INSERT INTO fuhyo_jobs.chunk (batch, chunk, payload) VALUES ";
    Values values;
    values.add(row->number(0, 0));
    for (std::size_t i = from; i < std::min(from + kRowsAtOnce, batch.chunks.size()); ++i) {
      statement += fmt::format("{}($1::bigint, {}, ${}::bytea)", i == from ? "" : ", ", i, i - from + 2);
      values.add_bytes(batch.chunks[i]);
    }
    if (auto added = connection.run(statement.c_str(), values); !added) return std::unexpected(added.error());
  }
  return true;
}

Result<std::vector<std::string>> PostgresQueue::batches() {
  return insist([&](Connection& connection) -> PgResult<std::vector<std::string>> {
    const auto rows = connection.run("SELECT name FROM fuhyo_jobs.batch ORDER BY id");
    if (!rows) return std::unexpected(rows.error());
    std::vector<std::string> all;
    all.reserve(static_cast<std::size_t>(rows->size()));
    for (int row = 0; row < rows->size(); ++row) all.push_back(rows->text(row, 0));
    return all;
  });
}

Result<Progress> PostgresQueue::progress(const std::string& batch) {
  auto found = insist([&](Connection& connection) -> PgResult<std::optional<Progress>> {
    const auto row = connection.run(kProgress, Values().add(batch));
    if (!row) return std::unexpected(row.error());
    if (row->size() == 0) return std::nullopt;
    Progress progress{.kind = row->text(0, 0),
                      .chunks = row->number(0, 2),
                      .done = row->number(0, 3),
                      .held = row->number(0, 4),
                      .waiting = row->number(0, 5),
                      .set_aside = {},
                      .cancelled = row->flag(0, 1)};
    const auto aside = connection.run(kSetAside, Values().add(batch));
    if (!aside) return std::unexpected(aside.error());
    for (int i = 0; i < aside->size(); ++i) progress.set_aside.push_back({aside->number(i, 0), aside->bytes(i, 1)});
    return progress;
  });
  if (!found) return std::unexpected(found.error());
  if (!*found) return no_batch(batch);
  return std::move(**found);
}

Result<std::vector<ChunkResult>> PostgresQueue::results(const std::string& batch, const std::set<std::int64_t>& known) {
  auto found = insist([&](Connection& connection) -> PgResult<std::optional<std::vector<ChunkResult>>> {
    const auto there = connection.run("SELECT 1 FROM fuhyo_jobs.batch WHERE name = $1", Values().add(batch));
    if (!there) return std::unexpected(there.error());
    if (there->size() == 0) return std::nullopt;
    const std::string array = fmt::format("{{{}}}", fmt::join(known, ","));
    const auto rows = connection.run(kResults, Values().add(batch).add(array));
    if (!rows) return std::unexpected(rows.error());
    std::vector<ChunkResult> all;
    all.reserve(static_cast<std::size_t>(rows->size()));
    for (int row = 0; row < rows->size(); ++row) {
      all.push_back({.chunk = rows->number(row, 0), .worker = rows->text(row, 1), .bytes = rows->bytes(row, 2)});
    }
    return all;
  });
  if (!found) return std::unexpected(found.error());
  if (!*found) return no_batch(batch);
  return std::move(**found);
}

Result<void> PostgresQueue::change(const char* statement, const std::string& batch) {
  const auto changed = insist([&](Connection& connection) -> PgResult<int> {
    const auto rows = connection.run(statement, Values().add(batch));
    if (!rows) return std::unexpected(rows.error());
    return rows->size();
  });
  if (!changed) return std::unexpected(changed.error());
  if (*changed == 0) return no_batch(batch);
  return {};
}

Result<void> PostgresQueue::cancel(const std::string& batch) { return change(kCancel, batch); }
Result<void> PostgresQueue::retry(const std::string& batch) { return change(kRetry, batch); }
Result<void> PostgresQueue::remove(const std::string& batch) { return change(kRemove, batch); }

// ---- claims ----

Result<std::vector<Lease>> PostgresQueue::held(const std::string& batch) {
  auto found = insist([&](Connection& connection) -> PgResult<std::optional<std::vector<Lease>>> {
    const auto there = connection.run("SELECT 1 FROM fuhyo_jobs.batch WHERE name = $1", Values().add(batch));
    if (!there) return std::unexpected(there.error());
    if (there->size() == 0) return std::nullopt;
    const auto rows = connection.run(kHeld, Values().add(batch));
    if (!rows) return std::unexpected(rows.error());
    std::vector<Lease> leases;
    for (int row = 0; row < rows->size(); ++row) {
      leases.push_back({.batch = batch,
                        .worker = rows->text(row, 3),
                        .batch_id = rows->number(row, 0),
                        .chunk = rows->number(row, 1),
                        .fence = rows->number(row, 2)});
    }
    return leases;
  });
  if (!found) return std::unexpected(found.error());
  if (!*found) return no_batch(batch);
  return std::move(**found);
}

Result<std::optional<Claim>> PostgresQueue::claim(const Wanted& wanted) {
  if (!is_name(wanted.worker)) return std::unexpected(fmt::format("'{}' is no name of a worker", wanted.worker));
  std::string request;
  {
    const std::lock_guard lock(mutex_);
    request = fmt::format("{}.{}", unique_, ++requests_);
  }
  bool again = false;
  return insist([&](Connection& connection) -> PgResult<std::optional<Claim>> {
    if (std::exchange(again, true)) {  // the first answer may have been lost after it was given
      auto before = claimed_by(connection, wanted.worker, request);
      if (!before || *before) return before;
    }
    if (auto swept = connection.run(kSweep); !swept) return std::unexpected(swept.error());
    const auto claimed = connection.run(
        kClaim, Values().add(wanted.worker).add(wanted.kind).add(wanted.batch).add(request).add(lease_ms_));
    // The first attempt came through after all, just now.
    if (!claimed && claimed.error().exists) return claimed_by(connection, wanted.worker, request);
    if (!claimed) return std::unexpected(claimed.error());
    if (claimed->changed() == 0) return std::nullopt;
    return claimed_by(connection, wanted.worker, request);
  });
}

PgResult<std::optional<Claim>> PostgresQueue::claimed_by(Connection& connection, const std::string& worker,
                                                         const std::string& request) const {
  const auto row = connection.run(kClaimed, Values().add(request));
  if (!row) return std::unexpected(row.error());
  if (row->size() == 0) return std::nullopt;
  return Claim{.lease = {.batch = row->text(0, 0),
                         .worker = worker,
                         .batch_id = row->number(0, 1),
                         .chunk = row->number(0, 2),
                         .fence = row->number(0, 3)},
               .kind = row->text(0, 4),
               .job = row->bytes(0, 5),
               .chunk = row->bytes(0, 6),
               .lease_ms = lease_ms_};
}

Result<Held> PostgresQueue::renew(const Lease& lease) {
  const std::string statement =
      fmt::format("UPDATE fuhyo_jobs.chunk c SET lease_until = clock_timestamp() + {} * interval '1 millisecond'{}",
                  lease_ms_, kOurs);
  return insist([&](Connection& connection) -> PgResult<Held> {
    const auto rows = connection.run(statement.c_str(), of_lease(lease));
    if (!rows) return std::unexpected(rows.error());
    return rows->changed() == 1 ? PgResult<Held>(Held::yes) : lost_or_over(connection, lease);
  });
}

Result<bool> PostgresQueue::release(const Lease& lease) {
  const std::string statement = fmt::format("UPDATE fuhyo_jobs.chunk c SET state = 'waiting'{}", kOurs);
  return insist([&](Connection& connection) -> PgResult<bool> {
    const auto rows = connection.run(statement.c_str(), of_lease(lease));
    if (!rows) return std::unexpected(rows.error());
    return rows->changed() == 1;
  });
}

Result<bool> PostgresQueue::fail(const Lease& lease, std::string_view why) {
  const std::string statement = fmt::format(
      "UPDATE fuhyo_jobs.chunk c SET failures = c.failures + 1, why = $4,"
      " state = CASE WHEN c.failures + 1 >= b.attempts THEN 'aside' ELSE 'waiting' END{}",
      kOurs);
  return insist([&](Connection& connection) -> PgResult<bool> {
    const auto rows = connection.run(statement.c_str(), of_lease(lease).add_bytes(why));
    if (!rows) return std::unexpected(rows.error());
    return rows->changed() == 1;
  });
}

Result<Finish> PostgresQueue::finish(const Lease& lease, std::string_view result) {
  if (result.size() > kMaxResult) {
    return std::unexpected(fmt::format("a result of {} bytes; {} are allowed", result.size(), kMaxResult));
  }
  return insist([&](Connection& connection) { return finish_in(connection, lease, result); });
}

PgResult<Finish> PostgresQueue::finish_in(Connection& connection, const Lease& lease, std::string_view result) {
  const auto counted = connection.run(
      kFinish, Values().add(lease.batch_id).add(lease.chunk).add_bytes(result).add(lease.worker).add(lease.fence));
  if (!counted) return std::unexpected(counted.error());
  if (counted->changed() == 1) return Finish::counted;
  const auto row =
      connection.run(kFinished, Values().add(lease.batch_id).add(lease.chunk).add(lease.worker).add(lease.fence));
  if (!row) return std::unexpected(row.error());
  if (row->size() == 0 || !row->flag(0, 0)) return Finish::over;
  return row->flag(0, 1) ? Finish::counted : Finish::late;
}

}  // namespace fuhyo::jobs
