// Games whose clocks stand still because whoever runs the server said so.
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
void Games::pause(Table& table, const AdminAsker& asker, std::string_view why) {
  table.turn.stop(now_.mono);
  table.read_pass = 0;
  timers_.cancel({TimerKey::Kind::flag, value(table.game.id())});
  happen(table, GamePaused{.game = table.game.id(),
                           .used_us = table.turn.used_us(),
                           .by = asker.who,
                           .why = std::string(why),
                           .at = now_.wall});
  notice(table, "the game is paused" + because(why));
}

// The clock runs again when the disk has it, as after a move.
void Games::go_on(Table& table, const AdminAsker& asker, std::string_view why) {
  const Seq seq =
      happen(table, GameResumed{.game = table.game.id(), .by = asker.who, .why = std::string(why), .at = now_.wall});
  notice(table, "the game goes on" + because(why));
  wait_for_journal(table, seq);
}

void Games::notice(const Table& table, std::string_view text) {
  for (const ConnId conn : table.seats) {
    const Session* s = parts_.sessions.find(conn);
    if (s != nullptr && s->x1) send(conn, fmt::format("##[ADMIN] {}\n", text));
  }
}

}  // namespace fuhyo::core
