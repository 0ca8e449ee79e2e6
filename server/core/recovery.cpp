// From the facts of unfinished games to the same rooms, and what the rule of each says of it (PROTOCOL.md, "After a
// crash"). Facts are applied as they stand; nothing is judged again.
#include <fmt/format.h>
#include <map>
#include <utility>

#include "server/core/record_text.h"
#include "server/core/state.h"

namespace fuhyo::core {
namespace {

constexpr std::string_view kServerRestarted = "the Server (restarted)";

// One more thing that had happened to the game.
class Reviver {
 public:
  explicit Reviver(Room& room) : room_(room) {}

  void operator()(const GameStarted&) { room_.started = true; }
  void operator()(const MoveMade& made) {
    room_.game.replay(made);
    room_.turn.begin();
    room_.record += record_move(made);
  }
  void operator()(const RecordNote& note) { room_.record += record_note(note); }
  void operator()(const GamePaused& paused) {
    room_.paused = true;
    room_.turn.begin(paused.used_us);
    room_.record += record_paused(paused);
  }
  void operator()(const GameResumed& resumed) {
    room_.paused = false;
    room_.record += record_resumed(resumed);
  }
  void operator()(const GameSuspended& suspended) {
    room_.suspended = true;
    room_.turn.begin(suspended.used_us);
    room_.record += record_suspended(suspended);
  }
  void operator()(const GameContinued& continued) {
    room_.suspended = false;
    room_.record += record_continued(continued);
  }
  template <class F>
  void operator()(const F&) {}

 private:
  Room& room_;
};

}  // namespace

void Server::State::rebuild_games() {
  std::map<GameId, Room> found;
  for (const Journaled& row : std::exchange(interrupted, {})) {
    if (const auto* opened = std::get_if<GameOpened>(&row.fact)) {
      found.emplace(opened->game, Room{.game = Game(*opened, limits.plies)});
    } else if (const auto it = found.find(game_of(row.fact)); it != found.end()) {
      std::visit(Reviver(it->second), row.fact);
    }
  }
  for (auto& [id, room] : found) {
    if (!room.started) {
      append(GameRejected{.game = id, .by = std::string(kServerRestarted), .at = now.wall, .local_time = local_time()});
    } else if (room.game.opened().resume == ResumeRule::abort) {
      end_interrupted(room);
    } else {
      revive(rooms.emplace(id, std::move(room)).first->second);
    }
  }
}

void Server::State::end_interrupted(const Room& room) {
  note(Note::Level::warning,
       fmt::format("game {} was interrupted by the end of the server", room.game.opened().csa_id));
  remember(room.game);
  GameEnded ended = room.game.interrupted("the server stopped");
  ended.at = now.wall;
  ended.local_time = local_time();
  append(std::move(ended));
}

}  // namespace fuhyo::core
