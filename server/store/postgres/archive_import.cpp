#include "server/store/postgres/archive_import.h"

#include <utility>

#include "server/store/postgres/game_row.h"
#include "server/store/postgres/session.h"

namespace fuhyo::store {
namespace {

constexpr std::size_t kSent = 500;  // statements at a time: a game is up to three

constexpr PgStatement kMade{"made", "SELECT to_regclass('game') IS NOT NULL"};
// Keeps a game server from taking over, should the session that holds the lock be lost.
constexpr PgStatement kHold{"hold", "SELECT epoch FROM lease FOR UPDATE"};
constexpr PgStatement kHas{"has", "SELECT EXISTS (SELECT FROM game WHERE csa_id = $1::text)"};
constexpr PgStatement kLastGame{"last_game", "SELECT last_game FROM used FOR UPDATE"};
constexpr PgStatement kUsed{"used_up", "UPDATE used SET last_game = greatest(last_game, $1::bigint)"};
constexpr PgStatement kForget{"forget", "DELETE FROM rating"};

}  // namespace

std::expected<std::unique_ptr<ArchiveImport>, std::string> PostgresArchiveImport::begin(const PostgresAddress& address,
                                                                                        const PostgresOptions& options,
                                                                                        bool dry) {
  std::unique_ptr<PostgresArchiveImport> import(new PostgresArchiveImport(dry));
  if (auto opened = import->open(address, options); !opened) return refuse(opened.error());
  return import;
}

PgResult<void> PostgresArchiveImport::open(const PostgresAddress& address, const PostgresOptions& options) {
  auto connection = open_session(address, options, "fuhyo import", PgUse::import, patience_);
  if (!connection) return std::unexpected(connection.error());
  connection_ = std::move(*connection);
  auto made = connection_->run(kMade);
  if (!made) return std::unexpected(made.error());
  if (dry_) {
    if (made->integer(0, 0) == 0) connection_.reset();
    return {};
  }
  std::vector<PgCommand> commands;
  for (const PgStatement* statement : {&kBegin, &kHold, &kLastGame}) commands.push_back({statement, {}});
  auto begun = connection_->run(commands);
  if (!begun) return std::unexpected(begun.error());
  last_ = begun->back().integer(0, 0);
  return {};
}

// Of games that were there before.
PgResult<bool> PostgresArchiveImport::has(const std::string& csa_id) {
  if (!connection_) return false;
  PgParams id;
  id.add_text(csa_id);
  const auto found = connection_->run(kHas, std::move(id));
  if (!found) return std::unexpected(found.error());
  return found->integer(0, 0) != 0;
}

std::expected<bool, std::string> PostgresArchiveImport::add(FinishedGame& game) {
  const auto known = has(game.opened.csa_id);
  if (!known) return refuse(known.error());
  if (*known || !added_.insert(game.opened.csa_id).second) return false;
  if (dry_) return true;
  game.opened.game = game.ended.game = core::GameId{static_cast<std::uint64_t>(++last_)};
  write_game(game, waiting_);
  if (waiting_.size() < kSent) return true;
  if (auto sent = flush(); !sent) return refuse(sent.error());
  return true;
}

PgResult<void> PostgresArchiveImport::flush() {
  auto done = connection_->run(std::exchange(waiting_, {}));
  if (!done) return std::unexpected(done.error());
  return {};
}

// Without a commit, the end of the connection is the end of the transaction.
std::expected<void, std::string> PostgresArchiveImport::commit() {
  if (dry_ || added_.empty()) {
    connection_.reset();
    return {};
  }
  waiting_.push_back({.statement = &kUsed, .params = {}});
  waiting_.back().params.add(last_);
  waiting_.push_back({.statement = &kForget, .params = {}});
  waiting_.push_back({.statement = &kCommit, .params = {}});
  if (auto sent = flush(); !sent) return refuse(sent.error());
  return {};
}

}  // namespace fuhyo::store
