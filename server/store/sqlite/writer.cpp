#include "server/store/sqlite/writer.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <system_error>
#include <utility>

#include "server/store/sqlite/archive_row.h"
#include "server/store/sqlite/log.h"
#include "server/store/sqlite/migrations.h"
#include "server/store/sqlite/recovery.h"
#include "server/store/words.h"

namespace fuhyo::store {
namespace {

constexpr std::int64_t kMinute_us = 60LL * 1'000'000;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

template <class Id>
std::int64_t number(Id id) {
  return static_cast<std::int64_t>(core::value(id));
}

std::unexpected<SqliteError> broken(std::string why) {
  return std::unexpected(SqliteError{.code = SQLITE_ERROR, .message = std::move(why)});
}

}  // namespace

SqliteWriter::SqliteWriter(const SqliteOptions& options, std::shared_ptr<const FileLock> lock)
    : options_(options), lock_(std::move(lock)), checkpointer_(options) {}

std::expected<void, std::string> SqliteWriter::start(core::Recovery& out, LiveGames& live) {
  if (auto connected = connect(Database::Access::create); !connected) {
    return std::unexpected(in_words(connected.error()));
  }
  if (auto migrated = migrate(*db_, sqlite_migrations()); !migrated) return std::unexpected(migrated.error());
  if (auto taken = take_lease(); !taken) return std::unexpected(in_words(taken.error()));
  if (auto checked = check_mode(); !checked) return std::unexpected(in_words(checked.error()));
  // What a killed process left behind is about to be told to the world as durable.
  if (auto safe = rewrite_log(*db_); !safe) return std::unexpected(in_words(safe.error()));
  if (auto recovered = recover(*db_, out, live); !recovered) return recovered;
  if (auto prepared = prepare(); !prepared) return std::unexpected(in_words(prepared.error()));
  const auto mark = db_->integer("SELECT coalesce(max(at_us), 0) FROM mark");
  if (!mark) return std::unexpected(in_words(mark.error()));
  mark_us_ = newest_us_ = *mark;
  return {};
}

SqliteWriter::Result SqliteWriter::connect(Database::Access access) {
  auto db = Database::open(options_.file, access, options_.vfs, options_.busy_ms);
  if (!db) return std::unexpected(std::move(db.error()));
  db_ = std::move(*db);
  return configure();
}

// What durability rests on is read back: a build of SQLite, a file system or a read-only medium may refuse it silently.
SqliteWriter::Result SqliteWriter::configure() {
  const std::int64_t wanted = options_.unsafe_without_sync ? 0 : 2;  // OFF : FULL
  if (auto set = db_->run(fmt::format("PRAGMA synchronous = {}", wanted).c_str()); !set) return set;
  const auto synchronous = db_->integer("PRAGMA synchronous");
  if (!synchronous) return std::unexpected(synchronous.error());
  if (*synchronous != wanted) return broken(fmt::format("synchronous stays {} instead of {}", *synchronous, wanted));
  if (auto set = db_->run("PRAGMA journal_mode = WAL"); !set) return set;
  // Checkpoints are the checkpointer's; the hook replaces the automatic one.
  sqlite3_wal_hook(
      db_->handle(),
      [](void* self, sqlite3*, const char*, int pages) {
        auto& writer = *static_cast<SqliteWriter*>(self);
        writer.wal_pages_ = pages;
        writer.checkpointer_.log_has(pages);
        return SQLITE_OK;
      },
      this);
  return {};
}

// Asked once the connection has worked: what "PRAGMA journal_mode = WAL" itself answers is not to be trusted (SQLite
// 3.40 says "wal" where a failing read has made it keep the rollback journal).
SqliteWriter::Result SqliteWriter::check_mode() {
  const auto mode = db_->text("PRAGMA journal_mode");
  if (!mode) return std::unexpected(mode.error());
  if (*mode != "wal") return broken("journal_mode stays '" + *mode + "' instead of 'wal'");
  return {};
}

SqliteWriter::Result SqliteWriter::prepare() {
  const auto one = [this](Statement& statement, std::string_view text) -> Result {
    auto prepared = db_->prepare(text);
    if (!prepared) return std::unexpected(std::move(prepared.error()));
    statement = std::move(*prepared);
    return {};
  };
  const std::pair<Statement*, std::string_view> all[] = {
      {&sql_.begin, "BEGIN IMMEDIATE"},
      {&sql_.commit, "COMMIT"},
      {&sql_.lease, "SELECT epoch FROM lease"},
      {&sql_.fact, "INSERT INTO journal (seq, kind, version, game, payload) VALUES (?, ?, ?, ?, ?)"},
      {&sql_.open, "INSERT INTO live (game, first_seq) VALUES (?, ?)"},
      {&sql_.close, "DELETE FROM live WHERE game = ?"},
      {&sql_.game, kInsertGame},
      {&sql_.result, kAddResult},
      {&sql_.set_keyed,
       "INSERT INTO standing (key, seq, kind, version, payload) VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE"
       " SET seq = excluded.seq, kind = excluded.kind, version = excluded.version, payload = excluded.payload"},
      {&sql_.delete_keyed, "DELETE FROM standing WHERE key = ?"},
      {&sql_.delete_prefix, "DELETE FROM standing WHERE substr(key, 1, length(?1)) = ?1"},
      {&sql_.audit,
       "INSERT INTO audit (seq, at_us, local_time, who, via, act, why, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"},
      {&sql_.round, "INSERT INTO round (seq, game_name, number, games, sat_out, at_us) VALUES (?, ?, ?, ?, ?, ?)"},
      {&sql_.used, "UPDATE used SET last_game = max(last_game, ?), last_stamp = max(last_stamp, ?)"},
      {&sql_.mark, "INSERT INTO mark (seq, at_us) VALUES (?, ?)"},
  };
  for (const auto& [statement, text] : all) {
    if (auto prepared = one(*statement, text); !prepared) return prepared;
  }
  return {};
}

SqliteWriter::Result SqliteWriter::take_lease() {
  if (auto raised = db_->run("BEGIN IMMEDIATE; UPDATE lease SET epoch = epoch + 1"); !raised) return raised;
  const auto epoch = db_->integer("SELECT epoch FROM lease");
  if (!epoch) return std::unexpected(epoch.error());
  epoch_ = *epoch;
  return db_->run("COMMIT");
}

SqliteWriter::Result SqliteWriter::check_lease() {
  const auto row = sql_.lease.step();
  if (!row) return std::unexpected(row.error());
  const std::int64_t epoch = *row ? sql_.lease.integer(0) : kNever;
  sql_.lease.reset();
  if (epoch == epoch_) return {};
  fenced_ = true;
  return broken(fmt::format("another writer has taken over the journal (epoch {}, ours is {})", epoch, epoch_));
}

std::expected<void, std::string> SqliteWriter::commit(const Batch& batch) {
  const auto attempt = [&]() -> Result {
    if (!db_) {
      if (auto connected = connect(Database::Access::write); !connected) return connected;
      if (auto prepared = prepare(); !prepared) return prepared;
      if (auto checked = check_mode(); !checked) return checked;
    }
    bool done = false;
    if (in_doubt_) {
      if (auto settled = settle_doubt(batch, done); !settled) return settled;
    }
    return done ? Result{} : write(batch);
  };
  const SqliteCheckpointer::WriterTurn turn(checkpointer_);
  const Result result = attempt();
  in_doubt_ = !result;
  if (result) {
    newest_us_ = std::max(newest_us_, batch.newest.us);
    return {};
  }
  give_up();
  return std::unexpected(in_words(result.error()));
}

void SqliteWriter::give_up() {
  sql_ = {};
  db_.reset();
}

SqliteWriter::Result SqliteWriter::settle_doubt(const Batch& batch, bool& done) {
  const auto last = db_->integer("SELECT coalesce(max(seq), 0) FROM journal");
  if (!last) return std::unexpected(last.error());
  done = *last >= number(batch.last());
  if (!done) return {};
  return rewrite_log(*db_);
}

SqliteWriter::Result SqliteWriter::write(const Batch& batch) {
  if (auto begun = sql_.begin.run(); !begun) return begun;
  if (auto leased = check_lease(); !leased) return leased;
  for (const Batch::Row& row : batch.rows) {
    sql_.fact.bind(1, number(row.seq)).bind(2, row.fact.kind).bind(3, row.fact.version).bind(4, number(row.game));
    if (auto added = sql_.fact.bind_bytes(5, row.fact.payload).run(); !added) return added;
  }
  if (auto games = write_games(batch); !games) return games;
  if (auto keyed = write_keyed_facts(batch); !keyed) return keyed;
  if (auto audit = write_audit(batch); !audit) return audit;
  if (auto rounds = write_rounds(batch); !rounds) return rounds;
  if (auto marks = write_marks(batch); !marks) return marks;
  return sql_.commit.run();
}

SqliteWriter::Result SqliteWriter::write_games(const Batch& batch) {
  for (const Batch::Opening& opening : batch.opened) {
    sql_.open.bind(1, number(opening.game)).bind(2, number(opening.first));
    if (auto opened = sql_.open.run(); !opened) return opened;
  }
  for (const core::GameId game : batch.closed) {
    if (auto closed = sql_.close.bind(1, number(game)).run(); !closed) return closed;
  }
  for (const FinishedGame& game : batch.finished) {
    if (auto written = write_game(sql_.game, sql_.result, game); !written) return written;
  }
  if (batch.last_game == 0) return {};
  sql_.used.bind(1, static_cast<std::int64_t>(batch.last_game)).bind(2, static_cast<std::int64_t>(batch.last_stamp));
  return sql_.used.run();
}

SqliteWriter::Result SqliteWriter::write_keyed_facts(const Batch& batch) {
  for (const Batch::KeyedFact& keyed : batch.keyed_facts) {
    const Batch::Row& row = batch.rows[keyed.row];
    if (keyed.deleted) {
      Statement& deletion = keyed.prefix ? sql_.delete_prefix : sql_.delete_keyed;
      if (auto deleted = deletion.bind_text(1, keyed.key).run(); !deleted) return deleted;
      continue;
    }
    sql_.set_keyed.bind_text(1, keyed.key).bind(2, number(row.seq)).bind(3, row.fact.kind).bind(4, row.fact.version);
    if (auto set = sql_.set_keyed.bind_bytes(5, row.fact.payload).run(); !set) return set;
  }
  return {};
}

SqliteWriter::Result SqliteWriter::write_audit(const Batch& batch) {
  for (const auto& [seq, acted] : batch.audit) {
    sql_.audit.bind(1, number(seq)).bind(2, acted.at.us).bind_text(3, acted.local_time).bind_text(4, acted.who);
    sql_.audit.bind_text(5, acted.via).bind_bytes(6, acted.act).bind_bytes(7, acted.why);
    if (auto added = sql_.audit.bind_bytes(8, acted.outcome).run(); !added) return added;
  }
  return {};
}

SqliteWriter::Result SqliteWriter::write_rounds(const Batch& batch) {
  for (const auto& [seq, held] : batch.rounds) {
    const std::string games = lines_of(held.games), sat_out = lines_of(held.sat_out);
    sql_.round.bind(1, number(seq)).bind_text(2, held.group).bind(3, held.number).bind_text(4, games);
    if (auto added = sql_.round.bind_text(5, sat_out).bind(6, held.at.us).run(); !added) return added;
  }
  return {};
}

SqliteWriter::Result SqliteWriter::write_marks(const Batch& batch) {
  const std::int64_t interval_us = std::clamp<std::int64_t>(options_.limits.keep_us / 100, 1, 10 * kMinute_us);
  if (batch.newest.us < mark_us_ + interval_us) return {};
  // Kept even if this transaction fails: the retry then writes no mark, and the next one comes an interval later.
  mark_us_ = batch.newest.us;
  return sql_.mark.bind(1, number(batch.first())).bind(2, batch.newest.us).run();
}

std::vector<Counter> SqliteWriter::counters() const {
  std::error_code ignored;
  const auto size_of = [&](const std::string& file) {
    const auto size = std::filesystem::file_size(file, ignored);
    return fmt::format("{}", ignored ? 0 : size);
  };
  return {{"pages in the log", fmt::format("{}", wal_pages_.load())},
          {"bytes of the file", size_of(options_.file)},
          {"bytes of the log", size_of(options_.file + "-wal")}};
}

bool SqliteWriter::prune() {
  if (!db_ || fenced_) return false;
  const SqliteCheckpointer::WriterTurn turn(checkpointer_);
  const auto first = db_->integer("SELECT coalesce(min(seq), 0) FROM journal");
  if (!first) return false;
  const auto end = prune_end(*first);
  if (!end || *end <= *first) return false;
  const std::int64_t upto = std::min(*end, *first + options_.limits.prune_rows);
  const auto pruned = [&]() -> Result {
    if (auto begun = sql_.begin.run(); !begun) return begun;
    if (auto leased = check_lease(); !leased) return leased;
    if (auto deleted = delete_below(upto); !deleted) return deleted;
    return sql_.commit.run();
  }();
  if (!pruned) db_->roll_back();
  return pruned && upto < *end;
}

// The first row that has to stay: the newest one always does, because seq goes on from it.
SqliteResult<std::int64_t> SqliteWriter::prune_end(std::int64_t first) {
  const auto last = db_->integer("SELECT coalesce(max(seq), 0) FROM journal");
  if (!last) return last;
  const auto live = db_->integer(fmt::format("SELECT coalesce(min(first_seq), {}) FROM live", kNever));
  if (!live) return live;
  const auto old = db_->integer(fmt::format("SELECT coalesce(max(seq), {}) FROM mark WHERE at_us <= {}", first,
                                            newest_us_ - options_.limits.keep_us));
  if (!old) return old;
  return std::min({*last, *live, std::max(*old, *last - options_.limits.keep_rows + 1)});
}

SqliteWriter::Result SqliteWriter::delete_below(std::int64_t end) {
  return db_->run(fmt::format("DELETE FROM journal WHERE seq < {0};"
                              "DELETE FROM mark WHERE seq < {0} AND seq < (SELECT max(seq) FROM mark)",
                              end)
                      .c_str());
}

}  // namespace fuhyo::store
