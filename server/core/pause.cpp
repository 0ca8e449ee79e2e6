// Games whose clocks stand still because whoever runs the server said so.
#include <fmt/format.h>

#include "server/core/record_text.h"
#include "server/core/state.h"
#include "server/csa/format.h"

namespace fuhyo::core {
namespace {

std::string because(std::string_view why) { return why.empty() ? std::string() : fmt::format(": {}", why); }

}  // namespace

// What the side to move has used of its turn stays used; while a move is on its way to the disk its successor's turn
// has not begun.
void Server::State::pause(Room& room, const AdminAsker& asker, std::string_view why) {
  room.turn.stop(now.mono);
  room.paused = true;
  room.read_pass = 0;
  timers.cancel({TimerKey::Kind::flag, value(room.game.id())});
  GamePaused paused{
      .game = room.game.id(), .used_us = room.turn.used_us(), .by = asker.who, .why = std::string(why), .at = now.wall};
  show_comment(room, record_paused(paused));
  append(std::move(paused));
  notice(room, "the game is paused" + because(why));
}

// The clock runs again when the disk has it, as after a move.
void Server::State::go_on(Room& room, const AdminAsker& asker, std::string_view why) {
  room.paused = false;
  GameResumed resumed{.game = room.game.id(), .by = asker.who, .why = std::string(why), .at = now.wall};
  show_comment(room, record_resumed(resumed));
  const Seq seq = append(std::move(resumed));
  notice(room, "the game goes on" + because(why));
  wait_for_journal(room, seq);
}

// Either side may resign. Anything else waits for the end of the pause. To refuse it would not do: a client may have
// sent the line after it already.
void Server::State::play_line_in_pause(Room& room, const Waiting& line) {
  Session* s = find(line.conn);
  if (s == nullptr) return;
  if (line.line.starts_with("%TORYO") && s->deferred.empty()) {
    return rule(room, room.game.resigned_by(line.side), line.conn);
  }
  defer(room, line);
}

void Server::State::notice(const Room& room, std::string_view text) {
  for (const ConnId conn : room.seats) {
    const Session* s = find(conn);
    if (s != nullptr && s->x1) send(conn, fmt::format("##[ADMIN] {}\n", text));
  }
}

}  // namespace fuhyo::core
