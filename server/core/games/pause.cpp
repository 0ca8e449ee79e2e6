// Games that an operator pauses and resumes.
#include <fmt/format.h>

#include "server/core/games/games.h"
#include "server/core/sessions/sessions.h"
#include "server/csa/format.h"

namespace fuhyo::core {
namespace {

std::string because(std::string_view why) { return why.empty() ? std::string() : fmt::format(": {}", why); }

}  // namespace

// What the side to move has used of its turn stays used; while a move is on its way to the disk its successor's turn
// has not begun.
void Games::pause(GameSession& session, const AdminCaller& caller, std::string_view why) {
  session.turn.stop(now_.mono);
  session.read_pass = 0;
  timers_.cancel({TimerKey::Kind::flag, value(session.game.id())});
  happen(session, GamePaused{.game = session.game.id(),
                             .used_us = session.turn.used_us(),
                             .by = caller.who,
                             .why = std::string(why),
                             .at = now_.wall});
  notice(session, "the game is paused" + because(why));
}

// The clock runs again when the disk has it, as after a move.
void Games::go_on(GameSession& session, const AdminCaller& caller, std::string_view why) {
  const Seq seq = happen(
      session, GameResumed{.game = session.game.id(), .by = caller.who, .why = std::string(why), .at = now_.wall});
  notice(session, "the game goes on" + because(why));
  wait_for_journal(session, seq);
}

void Games::notice(const GameSession& session, std::string_view text) {
  for (const ConnId conn : session.seats) {
    const Session* player = parts_.sessions.find(conn);
    if (player != nullptr && player->x1) send(conn, fmt::format("##[ADMIN] {}\n", text));
  }
}

}  // namespace fuhyo::core
