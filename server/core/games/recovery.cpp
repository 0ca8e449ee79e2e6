// From the facts of unfinished games to the same tables, and what the rule of each says of it (PROTOCOL.md, "After a
// crash"). Facts are applied as they stand; nothing is judged again.
#include <fmt/format.h>
#include <map>
#include <utility>

#include "server/core/admin/restarts.h"
#include "server/core/games/games.h"
#include "server/core/record_text.h"
#include "server/core/rounds/rounds.h"
#include "server/core/tournaments/tournaments.h"

namespace fuhyo::core {
namespace {

constexpr std::string_view kServerRestarted = "the Server (restarted)";

// One more thing that had happened to the game.
class Reviver {
 public:
  explicit Reviver(Table& table) : table_(table) {}

  void operator()(const GameStarted&) { table_.started = true; }
  void operator()(const MoveMade& made) {
    table_.game.replay(made);
    table_.turn.begin();
    table_.record.add(made);
  }
  void operator()(const RecordNote& note) { table_.record.add(note); }
  void operator()(const GamePaused& paused) {
    table_.paused = true;
    table_.turn.begin(paused.used_us);
    table_.record.add_said_by_server(record_paused(paused));
  }
  void operator()(const GameResumed& resumed) {
    table_.paused = false;
    table_.record.add_said_by_server(record_resumed(resumed));
  }
  void operator()(const GameSuspended& suspended) {
    table_.suspended = true;
    table_.turn.begin(suspended.used_us);
    table_.record.add_said_by_server(record_suspended(suspended));
  }
  void operator()(const GameContinued& continued) {
    table_.suspended = false;
    table_.record.add_said_by_server(record_continued(continued));
  }
  void operator()(const TournamentGame& game) { table_.event = {.event = game.event, .key = game.key}; }
  template <class F>
  void operator()(const F&) {}

 private:
  Table& table_;
};

}  // namespace

void Games::rebuild_games(const std::vector<Journaled>& interrupted) {
  std::map<GameId, Table> found;
  for (const Journaled& row : interrupted) {
    if (const auto* opened = std::get_if<GameOpened>(&row.fact)) {
      found.emplace(opened->game, Table{.game = Game(*opened, limits_.plies)});
    } else if (const auto it = found.find(game_of(row.fact)); it != found.end()) {
      std::visit(Reviver(it->second), row.fact);
    }
  }
  for (auto& [id, table] : found) {
    if (!table.started) {
      append(
          GameRejected{.game = id, .by = std::string(kServerRestarted), .at = now_.wall, .local_time = local_time()});
      parts_.rounds.owe_unstarted(table.game.opened());
    } else if (table.game.opened().resume == ResumeRule::abort) {
      end_interrupted(table);
    } else {
      Table& revived = tables_.emplace(id, std::move(table)).first->second;
      revived.round = parts_.rounds.round_of(revived.game.opened());
      parts_.tournaments.know_again(revived);
      revive(revived);
    }
  }
}

void Games::end_interrupted(const Table& table) {
  note(Note::Level::warning,
       fmt::format("game {} was interrupted by the end of the server", table.game.opened().csa_id));
  parts_.restarts.remember(table);
  GameEnded ended = table.game.interrupted("the server stopped");
  ended.at = now_.wall;
  ended.local_time = local_time();
  append(std::move(ended));
}

}  // namespace fuhyo::core
