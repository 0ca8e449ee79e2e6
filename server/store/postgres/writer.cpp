#include "server/store/postgres/writer.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "server/store/postgres/game_row.h"
#include "server/store/postgres/lease.h"
#include "server/store/postgres/migrations.h"
#include "server/store/postgres/recovery.h"
#include "server/store/words.h"

namespace fuhyo::store {
namespace {

constexpr std::int64_t kMinute_us = 60LL * 1'000'000;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// Whole columns at once: a batch costs a few messages, however many rows it has.
constexpr PgStatement kFacts{"facts",
                             "INSERT INTO journal (seq, kind, version, game, payload)"
                             " SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[],"
                             " $5::bytea[])"};
constexpr PgStatement kOpen{"open",
                            "INSERT INTO live (game, first_seq) SELECT * FROM unnest($1::bigint[], $2::bigint[])"};
constexpr PgStatement kClose{"close", "DELETE FROM live WHERE game = ANY ($1::bigint[])"};
constexpr PgStatement kSetKeyed{
    "set_keyed",
    "INSERT INTO standing (key, seq, kind, version, payload)"
    " SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[])"
    " ON CONFLICT (key) DO UPDATE SET seq = excluded.seq, kind = excluded.kind,"
    " version = excluded.version, payload = excluded.payload"};
constexpr PgStatement kDeleteKeyed{"delete_keyed", "DELETE FROM standing WHERE key = ANY ($1::text[])"};
constexpr PgStatement kDeletePrefix{
    "delete_prefix",
    "DELETE FROM standing WHERE EXISTS"
    " (SELECT 1 FROM unnest($1::text[]) AS beginning WHERE starts_with(key, beginning))"};
constexpr PgStatement kAudit{"audit",
                             "INSERT INTO audit (seq, at_us, local_time, who, via, act, why, outcome)"
                             " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"};
constexpr PgStatement kRound{"round",
                             "INSERT INTO round (seq, game_name, number, games, sat_out, at_us)"
                             " VALUES ($1, $2, $3, $4, $5, $6)"};
constexpr PgStatement kUsed{"used",
                            "UPDATE used SET last_game = greatest(last_game, $1::bigint),"
                            " last_stamp = greatest(last_stamp, $2::bigint)"};
constexpr PgStatement kMark{"mark", "INSERT INTO mark (seq, at_us) VALUES ($1, $2)"};

constexpr PgStatement kLast{"last", "SELECT coalesce(max(seq), 0) FROM journal"};
constexpr PgStatement kNewestMark{"newest_mark", "SELECT coalesce(max(at_us), 0) FROM mark"};
// Once this commit is durable, so are all before it, on the disk and on synchronous standbys.
constexpr PgStatement kSync{"sync", "UPDATE lease SET epoch = epoch"};

// First and last row, the first one of a live game, and the first one that is younger than $2. What is below $1 is
// known to be gone: looking for the first row would wade through the index entries of deleted ones.
constexpr PgStatement kBounds{
    "bounds",
    "SELECT coalesce((SELECT min(seq) FROM journal WHERE seq >= $1::bigint), 0),"
    " coalesce((SELECT max(seq) FROM journal), 0), coalesce((SELECT min(first_seq) FROM live), $3::bigint),"
    " coalesce((SELECT max(seq) FROM mark WHERE at_us <= $2::bigint), 0)"};
constexpr PgStatement kPrune{"prune", "DELETE FROM journal WHERE seq < $1::bigint"};
constexpr PgStatement kPruneMarks{"prune_marks",
                                  "DELETE FROM mark WHERE seq < $1::bigint AND seq < (SELECT max(seq) FROM mark)"};

template <class Id>
std::int64_t number_of(Id id) {
  return static_cast<std::int64_t>(core::value(id));
}

std::unexpected<PgError> broken(std::string why) {
  return std::unexpected(PgError{.state = "", .message = std::move(why), .lost = false});
}

}  // namespace

PostgresWriter::PostgresWriter(PostgresAddress address, const PostgresOptions& options)
    : address_(std::move(address)), options_(options), patience_(options.now_ms), notifier_(address_, options_) {}

PostgresWriter::~PostgresWriter() {
  if (!connection_ || fenced_) return;
  patience_.end_in(options_.close_ms);
  [[maybe_unused]] const auto done = give_lock_back(*connection_);  // else it goes with the session
}

std::expected<void, std::string> PostgresWriter::start(core::Recovery& out, LiveGames& live) {
  if (auto connected = connect(); !connected) return refuse(connected.error());
  connection_->set_limit(options_.long_answer_ms);
  if (auto migrated = migrate(*connection_, postgres_migrations()); !migrated) {
    return std::unexpected(migrated.error());
  }
  const auto epoch = raise_epoch(*connection_);
  if (!epoch) return refuse(epoch.error());
  epoch_ = *epoch;
  if (auto recovered = recover(*connection_, out, live); !recovered) return recovered;
  const auto mark = number(kNewestMark);
  if (!mark) return refuse(mark.error());
  mark_us_ = newest_us_ = *mark;
  connection_->set_limit(options_.answer_ms);
  return {};
}

// The lock comes before everything else: with it, no former session of ours is still at work.
PostgresWriter::Result PostgresWriter::connect() {
  auto connection = open_session(address_, options_, "fuhyo journal", PgUse::commits, patience_);
  if (!connection) return std::unexpected(connection.error());
  connection_ = std::move(*connection);
  ++connections_;
  if (auto checked = check_server(*connection_, options_); !checked) return checked;
  // Who has been replaced need not wait for the lock of the other one.
  if (epoch_ != 0) {
    if (auto ours = check_still_ours(); !ours) return ours;
  }
  if (auto locked = take_lock(*connection_, session_, options_.lock_wait_ms); !locked) return locked;
  auto session = who_am_i(*connection_);
  if (!session) return std::unexpected(session.error());
  session_ = std::move(*session);
  return {};
}

PostgresWriter::Result PostgresWriter::reconnect() {
  if (connection_) return {};
  auto connected = connect();
  if (connected) connected = check_still_ours();
  if (!connected) connection_.reset();
  return connected;
}

PostgresWriter::Result PostgresWriter::check_still_ours() {
  const auto epoch = read_epoch(*connection_);
  if (!epoch) return std::unexpected(epoch.error());
  if (*epoch == epoch_) return {};
  fenced_ = true;
  return broken(fmt::format("another writer has taken over the journal (epoch {}, ours is {})", *epoch, epoch_));
}

std::expected<void, std::string> PostgresWriter::commit(const Batch& batch) {
  const auto attempt = [&]() -> Result {
    in_doubt_ = in_doubt_ || !connection_;
    if (auto connected = reconnect(); !connected) return connected;
    bool done = false;
    if (in_doubt_) {
      if (auto settled = settle_doubt(batch, done); !settled) return settled;
    }
    return done ? Result{} : write(batch);
  };
  const Result result = attempt();
  in_doubt_ = !result;
  if (result) {
    newest_us_ = std::max(newest_us_, batch.newest.us);
    notifier_.committed();
    return {};
  }
  if (result.error().lost) connection_.reset();
  if (is_fenced(result.error()) && connection_) {
    if (auto why = check_still_ours(); !why) return refuse(why.error());
  }
  return refuse(result.error());
}

std::expected<void, std::string> PostgresWriter::look() {
  in_doubt_ = in_doubt_ || !connection_;
  Result result = reconnect();
  if (result) result = check_still_ours();
  if (result) return {};
  if (result.error().lost) connection_.reset();
  return refuse(result.error());
}

// Also notices a database that lacks what it had confirmed: a copy that was promoted too early, an old backup.
PostgresWriter::Result PostgresWriter::settle_doubt(const Batch& batch, bool& done) {
  const auto last = number(kLast);
  if (!last) return std::unexpected(last.error());
  done = *last == number_of(batch.last());
  if (!done && *last != number_of(batch.first()) - 1) {
    return broken(fmt::format("the journal ends with row {}, and not with {} as was confirmed", *last,
                              number_of(batch.first()) - 1));
  }
  return done ? run({check_epoch(epoch_), {.statement = &kSync, .params = {}}}) : Result{};
}

PostgresWriter::Result PostgresWriter::write(const Batch& batch) {
  std::vector<PgCommand> commands = {{.statement = &kBegin, .params = {}}, check_epoch(epoch_)};
  write_facts(batch, commands);
  write_games(batch, commands);
  write_keyed_facts(batch, commands);
  write_acts(batch, commands);
  write_marks(batch, commands);
  commands.push_back({.statement = &kCommit, .params = {}});
  return run(std::move(commands));
}

PostgresWriter::Result PostgresWriter::run(std::vector<PgCommand> commands) {
  auto done = connection_->run(commands);
  if (!done) return std::unexpected(std::move(done.error()));
  return {};
}

PgResult<std::int64_t> PostgresWriter::number(const PgStatement& statement, PgParams params) {
  auto row = connection_->run(statement, std::move(params));
  if (!row) return std::unexpected(std::move(row.error()));
  return row->integer(0, 0);
}

void PostgresWriter::write_facts(const Batch& batch, std::vector<PgCommand>& commands) const {
  using enum PgArray::Type;
  PgArray seqs(integer), kinds(integer), versions(integer), games(integer), payloads(bytes);
  for (const Batch::Row& row : batch.rows) {
    seqs.add(number_of(row.seq));
    kinds.add(row.fact.kind);
    versions.add(row.fact.version);
    games.add(number_of(row.game));
    payloads.add_bytes(row.fact.payload);
  }
  PgParams params;
  params.add(seqs).add(kinds).add(versions).add(games).add(payloads);
  commands.push_back({.statement = &kFacts, .params = std::move(params)});
}

void PostgresWriter::write_games(const Batch& batch, std::vector<PgCommand>& commands) const {
  if (!batch.opened.empty()) {
    PgArray games(PgArray::Type::integer), firsts(PgArray::Type::integer);
    for (const Batch::Opening& opening : batch.opened) {
      games.add(number_of(opening.game));
      firsts.add(number_of(opening.first));
    }
    commands.push_back({.statement = &kOpen, .params = {}});
    commands.back().params.add(games).add(firsts);
  }
  if (!batch.closed.empty()) {
    PgArray games(PgArray::Type::integer);
    for (const core::GameId game : batch.closed) games.add(number_of(game));
    commands.push_back({.statement = &kClose, .params = {}});
    commands.back().params.add(games);
  }
  for (const FinishedGame& game : batch.finished) write_game(game, commands);
  if (batch.last_game == 0) return;
  commands.push_back({.statement = &kUsed, .params = {}});
  commands.back().params.add(static_cast<std::int64_t>(batch.last_game));
  commands.back().params.add(static_cast<std::int64_t>(batch.last_stamp));
}

void PostgresWriter::write_keyed_facts(const Batch& batch, std::vector<PgCommand>& commands) const {
  if (batch.keyed_facts.empty()) return;
  using enum PgArray::Type;
  PgArray keys(text), seqs(integer), kinds(integer), versions(integer), payloads(bytes), deleted(text),
      deleted_prefixes(text);
  bool has_prefix = false;
  for (const Batch::KeyedFact& keyed : batch.keyed_facts) {
    const Batch::Row& row = batch.rows[keyed.row];
    if (keyed.deleted) {
      (keyed.prefix ? deleted_prefixes : deleted).add_text(keyed.key);
      has_prefix |= keyed.prefix;
      continue;
    }
    keys.add_text(keyed.key);
    seqs.add(number_of(row.seq));
    kinds.add(row.fact.kind);
    versions.add(row.fact.version);
    payloads.add_bytes(row.fact.payload);
  }
  if (has_prefix) {  // first: what the batch sets under such a key comes after the deletion
    commands.push_back({.statement = &kDeletePrefix, .params = {}});
    commands.back().params.add(deleted_prefixes);
  }
  commands.push_back({.statement = &kSetKeyed, .params = {}});
  commands.back().params.add(keys).add(seqs).add(kinds).add(versions).add(payloads);
  commands.push_back({.statement = &kDeleteKeyed, .params = {}});
  commands.back().params.add(deleted);
}

void PostgresWriter::write_acts(const Batch& batch, std::vector<PgCommand>& commands) const {
  for (const auto& [seq, acted] : batch.audit) {
    PgParams row;
    row.add(number_of(seq)).add(acted.at.us).add_text(acted.local_time).add_text(acted.who).add_text(acted.via);
    row.add_bytes(acted.act).add_bytes(acted.why).add_bytes(acted.outcome);
    commands.push_back({.statement = &kAudit, .params = std::move(row)});
  }
  for (const auto& [seq, held] : batch.rounds) {
    PgParams row;
    row.add(number_of(seq)).add_text(held.group).add(held.number).add_text(lines_of(held.games));
    row.add_text(lines_of(held.sat_out)).add(held.at.us);
    commands.push_back({.statement = &kRound, .params = std::move(row)});
  }
}

void PostgresWriter::write_marks(const Batch& batch, std::vector<PgCommand>& commands) {
  const std::int64_t interval_us = std::clamp<std::int64_t>(options_.limits.keep_us / 100, 1, 10 * kMinute_us);
  if (batch.newest.us < mark_us_ + interval_us) return;
  // Kept even if this transaction fails: the retry then writes no mark, and the next one comes an interval later.
  mark_us_ = batch.newest.us;
  commands.push_back({.statement = &kMark, .params = {}});
  commands.back().params.add(number_of(batch.first())).add(batch.newest.us);
}

bool PostgresWriter::prune() {
  if (!connection_ || fenced_) return false;
  const auto more = prune_range();
  if (more) return *more;
  if (more.error().lost) connection_.reset();
  return false;
}

// The newest row always stays, because seq goes on from it.
PgResult<bool> PostgresWriter::prune_range() {
  PgParams wanted;
  wanted.add(pruned_).add(newest_us_ - options_.limits.keep_us).add(kNever);
  auto bounds = connection_->run(kBounds, std::move(wanted));
  if (!bounds) return std::unexpected(bounds.error());
  const std::int64_t first = bounds->integer(0, 0), last = bounds->integer(0, 1), live = bounds->integer(0, 2),
                     old = bounds->integer(0, 3);
  pruned_ = first;
  const std::int64_t end = std::min({last, live, std::max(old, last - options_.limits.keep_rows + 1)});
  if (end <= first) return false;
  const std::int64_t upto = std::min(end, first + options_.limits.prune_rows);
  std::vector<PgCommand> commands = {{.statement = &kBegin, .params = {}}, check_epoch(epoch_)};
  for (const PgStatement* statement : {&kPrune, &kPruneMarks}) {
    commands.push_back({.statement = statement, .params = {}});
    commands.back().params.add(upto);
  }
  commands.push_back({.statement = &kCommit, .params = {}});
  if (auto pruned = run(std::move(commands)); !pruned) return std::unexpected(pruned.error());
  return upto < end;
}

void PostgresWriter::hurry() { patience_.end_in(options_.close_ms); }

std::vector<Counter> PostgresWriter::counters() const {
  return {{"connections made", fmt::format("{}", connections_.load())}};
}

}  // namespace fuhyo::store
