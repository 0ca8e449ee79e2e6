#include "server/core/commands/commands.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/core/admin/admin.h"
#include "server/core/buoys/buoys.h"
#include "server/core/games/games.h"
#include "server/core/lobby/lobby.h"
#include "server/core/monitors/monitors.h"
#include "server/core/overload.h"
#include "server/core/rooms/room_keeping.h"
#include "server/core/sessions/sessions.h"
#include "server/core/tournaments/tournaments.h"
#include "server/csa/format.h"

namespace fuhyo::core {
namespace {

constexpr std::string_view kHelp =
    "##[HELP] available commands \"%%WHO\", \"%%CHAT str\", \"%%GAME game_name +\", \"%%GAME game_name -\"\n";
// The protocol that is spoken is that of this revision; clients look for these words.
constexpr std::string_view kVersion = "##[VERSION] Shogi Server revision 20201206\n##[VERSION] +OK\n";

}  // namespace

void Commands::command(Session& s, const ClientLine& e) {
  const csa::Command parsed = csa::parse(e.text);
  s.bucket.take(now_.mono);
  const auto play = [&](const auto& line) {
    if (s.phase == Phase::game) parts_.games.line_in_game(s, {.conn = s.conn, .what = line, .arrived = e.arrived});
  };
  std::visit(
      Overload{
          [&](const csa::KeepAlive&) { send_ungated(s.conn, "\n"); },
          [&](const csa::Blank&) {},
          [&](const csa::Ignored&) {},
          [&](const csa::MoveLine& c) { play(c); },
          [&](const csa::Special& c) { play(c); },
          [&](const csa::Logout&) { log_out(s, e.arrived); },
          [&](const csa::Agree& c) { parts_.games.agree(s, c); },
          [&](const csa::Reject& c) { parts_.games.reject(s, c); },
          [&](const csa::Game& c) { parts_.lobby.want(s, c); },
          [&](const csa::StopWaiting&) { parts_.lobby.stop_waiting(s); },
          [&](const csa::TurnMissing& c) { send(s.conn, csa::error("A turn identifier is required: " + c.line)); },
          [&](const csa::List&) { list(s); },
          [&](const csa::Who&) { who(s); },
          [&](const csa::Rating&) { rating(s); },
          [&](const csa::Show& c) { parts_.monitors.show(s, c); },
          [&](const csa::Monitor& c) { parts_.monitors.monitor(s, c); },
          [&](const csa::Chat& c) { chat(s, c); },
          [&](const csa::RoomCommand& c) { parts_.rooms.room_command(s, e, c); },
          [&](const csa::TournamentCommand& c) { parts_.tournaments.event_command(s, e, c); },
          [&](const csa::SetBuoy& c) { parts_.buoys.set_buoy(s, c); },
          [&](const csa::SetBuoySfen& c) { parts_.buoys.set_buoy(s, c); },
          [&](const csa::DeleteBuoy& c) { parts_.buoys.delete_buoy(s, c); },
          [&](const csa::GetBuoyCount& c) { parts_.buoys.buoy_count(s, c); },
          [&](const csa::Buoys& c) { parts_.buoys.list_buoys(s, c); },
          [&](const csa::Fork& c) { parts_.buoys.fork(s, c); },
          [&](const csa::Help&) { send_ungated(s.conn, std::string(kHelp)); },
          [&](const csa::Version&) { send_ungated(s.conn, std::string(kVersion)); },
          [&](const csa::Admin& c) { parts_.admin.admin(s, e, c.text); },
          [&](const csa::Challenge&) { send_ungated(s.conn, "CHALLENGE ACCEPTED\n"); },
          [&](const csa::Unknown& c) { send_ungated(s.conn, csa::error("unknown command: " + c.shown)); },
      },
      parsed);
}

void Commands::log_out(Session& s, Instant arrived) {
  if (s.phase == Phase::game) {
    return parts_.games.line_in_game(s, {.conn = s.conn, .what = csa::Logout{}, .arrived = arrived});
  }
  send(s.conn, "LOGOUT:completed\n");
  parts_.sessions.drop(s, "logged out");
}

void Commands::list(Session& s) {
  std::string reply;
  for (const auto& [id, session] : parts_.games.all()) {
    const GameOpened& opened = session.game.opened();
    if (in_one_house(opened.room, s.room) && parts_.rooms.may_see(s, opened))
      reply += fmt::format("##[LIST] {}\n", session.game.opened().csa_id);
  }
  send(s.conn, reply + "##[LIST] +OK\n");
}

void Commands::who(Session& s) {
  std::string reply;
  for (const auto& [order, conn] : parts_.sessions.by_login()) {
    const Session& other = *parts_.sessions.find(conn);
    if (!in_one_house(other.room, s.room) || other.phase == Phase::finished) continue;
    const Phase phase = parts_.rooms.may_see(s, other) ? other.phase : Phase::connected;
    const bool has_game = phase != Phase::connected;
    reply += csa::who_line(other.id, other.x1, to_string(phase), has_game ? other.wanted.text : "",
                           static_cast<char>(other.turn));
  }
  send(s.conn, reply + "##[WHO] +OK\n");
}

// By falling rate; who has none yet is not listed.
void Commands::rating(Session& s) {
  std::vector<const PlayerRating*> rated;
  for (const auto& [id, rating] : context_.ratings->players) {
    if (rating.group != kUnratedGroup) rated.push_back(&rating);
  }
  std::ranges::sort(rated, {}, [](const PlayerRating* r) { return std::pair(-r->rate, std::string_view(r->name)); });
  std::string reply;
  for (const PlayerRating* r : rated) {
    reply += fmt::format("##[RATING] {} \t {:4d} @{}\n", r->name, static_cast<std::int64_t>(r->rate),
                         context_.local_date(r->last_modified));
  }
  send(s.conn, reply + "##[RATING] +OK\n");
}

void Commands::chat(Session& s, const csa::Chat& c) {
  const Room* room = parts_.rooms.known().find(s.room);
  if (room != nullptr && !room->rules.chat) {
    return send(s.conn, csa::error("there is no chat in the room " + s.room));
  }
  // What a terminal obeys is left out. The bytes of Shift-JIS, EUC-JP and UTF-8 are none of these.
  std::string text = c.text;
  std::ranges::replace_if(text, [](unsigned char b) { return (b < ' ' && b != '\t') || b == 0x7f; }, ' ');
  say_in(s.room, s.name, text);
  const bool asks = text.starts_with('@') && (room == nullptr || room->rules.commentator);
  if (asks) put(ChatAsked{.room = s.room, .name = s.name, .text = text.substr(1)});
}

void Commands::on(const ChatAnswered& e) {
  const Room* room = parts_.rooms.known().find(e.room);
  if (room == nullptr || room->rules.chat) say_in(e.room, e.name, e.text);
}

// To extended mode only: a CSA client takes every line for its own.
void Commands::say_in(std::string_view room, std::string_view name, std::string_view text) {
  const std::string line = fmt::format("##[CHAT][{}] {}\n", name, text);
  for (const auto& [order, conn] : parts_.sessions.by_login()) {
    const Session& other = *parts_.sessions.find(conn);
    if (other.x1 && other.room == room && other.phase != Phase::finished) send(conn, line);
  }
}

}  // namespace fuhyo::core
