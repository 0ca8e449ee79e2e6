// Which rooms there are, who is in which, and who may see what happens there. %%ROOM.
//
// A session is in the room of the game that it last asked for, or in one that it has joined since; a room that is set
// or closed takes along who waits for its games, and leaves games alone: these are what they were opened as.
#include "server/core/rooms/room_keeping.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "server/core/admin/admin.h"
#include "server/core/buoys/buoys.h"
#include "server/core/games/games.h"
#include "server/core/lobby/lobby.h"
#include "server/core/logins/logins.h"
#include "server/core/sessions/sessions.h"
#include "server/csa/format.h"

namespace fuhyo::core {
namespace {

std::string room_line(std::string_view name, std::string_view games, std::size_t playing, std::size_t waits,
                      std::string_view title) {
  return fmt::format("##[ROOM] {} {} {} {}{}{}\n", name, games, playing, waits, title.empty() ? "" : " ", title);
}

}  // namespace

// Built-in players stay in the room where they were opened.
std::string RoomKeeping::room_for(const Session& s, std::string_view game_name) const {
  return s.home != kMainRoom ? s.home : room_of(game_name);
}

std::string RoomKeeping::room_of(std::string_view game_name) const {
  const Room* room = rooms_.claiming(game_name);
  return room == nullptr ? std::string(kMainRoom) : room->told.name;
}

std::string RoomKeeping::lacks(const RoomRules& room) const {
  if (!room.start.starts_with("set ")) return "";
  const std::string set = room.start.substr(4, room.start.find(' ', 4) - 4);
  return parts_.buoys.find_set(set) != nullptr ? "" : fmt::format("there is no set '{}': load-positions", set);
}

// "set NAME" is a set whose positions are taken in turn: the one that the number of the game falls on.
std::optional<StartPosition> RoomKeeping::room_start(const RoomRules& room) const {
  if (room.start.empty()) return std::nullopt;
  std::string text = room.start;
  if (text.starts_with("set ") && std::ranges::count(text, ' ') == 1) {
    const PositionSet* set = parts_.buoys.find_set(std::string_view(text).substr(4));
    if (set != nullptr) text += fmt::format(" {}", parts_.games.last_game() % set->positions.size() + 1);
  }
  auto start = parts_.buoys.start_position(text);
  return start ? std::optional(std::move(*start)) : std::nullopt;
}

// ---- who may see ----

bool RoomKeeping::may_see(const Session& s, const GameOpened& opened) const {
  if (!opened.showing || !opened.showing->hidden) return true;
  return s.game == opened.game || parts_.logins.role_of(s) >= Role::host;
}

bool RoomKeeping::may_see(const Session& s, const Room& room) const {
  if (!room.rules.hidden() || s.room == room.told.name || parts_.logins.role_of(s) >= Role::host) return true;
  return !room.players.empty() && parts_.logins.may_enter(s.name, s.account, room.rules.games);
}

bool RoomKeeping::may_see(const Session& s, const Session& other) const {
  if (s.conn == other.conn) return true;
  if (const auto session = parts_.games.all().find(other.game); session != parts_.games.all().end())
    return may_see(s, session->second.game.opened());
  const Room* room = rooms_.find(other.room);
  return room == nullptr || other.phase != Phase::game_waiting || may_see(s, *room);
}

// ---- setting and closing ----

void RoomKeeping::change_rooms(const std::string& name, const Fact& fact) {
  keep(fact);
  append(fact);
  std::vector<ConnId> waits;
  for (const auto& [order, conn] : parts_.sessions.by_login()) {
    Session& s = *parts_.sessions.find(conn);
    if (s.phase == Phase::game_waiting && (s.room == name || s.room != room_for(s, s.wanted.text))) {
      parts_.lobby.leave_queue(s);
      waits.push_back(conn);
    } else if (s.phase == Phase::connected && s.room == name && rooms_.find(name) == nullptr) {
      s.room = s.home;
    }
  }
  wait_again(waits);
}

// As if each asked once more for the game that he wants: what the rooms say now is what counts.
void RoomKeeping::wait_again(const std::vector<ConnId>& conns) {
  for (const ConnId conn : conns) {
    Session* s = parts_.sessions.find(conn);
    if (s == nullptr || s->phase != Phase::connected) continue;
    parts_.lobby.want(*s, {.game_name = s->wanted.text, .turn = s->wish});
    s = parts_.sessions.find(conn);
    if (s != nullptr && s->phase == Phase::connected) parts_.games.release(*s, "it may not wait any more");
  }
}

void RoomKeeping::set_room(RoomSet fact) {
  fact.at = now_.wall;
  note(Note::Level::info, fmt::format("room {} by {}: {}", fact.name, fact.by, fmt::join(fact.settings, " ")));
  change_rooms(fact.name, fact);
}

void RoomKeeping::close_room(RoomClosed fact) {
  fact.at = now_.wall;
  note(Note::Level::info, fmt::format("room {} is closed by {}", fact.name, fact.by));
  change_rooms(fact.name, fact);
}

// The rooms of files stand together: what one of them gives up another one may claim.
void RoomKeeping::on(const RoomsRead& e) {
  Rooms next;
  std::vector<RoomSet> set;
  const auto is_kept = [&](const RoomSet& told) {
    return !told.of_file || std::ranges::find(e.unreadable, told.name) != e.unreadable.end();
  };
  for (const auto& [name, room] : rooms_.all()) {
    if (is_kept(room.told)) next.apply(room.told);
  }
  const auto refuse = [&](const RoomsRead::File& file, std::string_view why) {
    note(Note::Level::warning, fmt::format("the file of the room {} is not used: {}", file.name, why));
    if (const Room* former = rooms_.find(file.name); former != nullptr) next.apply(former->told);
  };
  for (const RoomsRead::File& file : e.files) {
    const auto said = read_room(file.settings);
    const auto fine = said ? next.check(file.name, *said, limits_.rooms) : std::unexpected(said.error());
    if (!fine) {
      refuse(file, fine.error());
    } else if (next.find(file.name) != nullptr) {
      refuse(file, "a command has made a room of this name: close that one first");
    } else {
      set.push_back({.name = file.name, .settings = settings_of(*said), .of_file = true, .by = "file", .why = {}});
      next.apply(set.back());
    }
  }
  std::vector<std::string> gone;
  for (const auto& [name, room] : rooms_.all()) {
    if (next.find(name) == nullptr) gone.push_back(name);
  }
  for (const std::string& name : gone) close_room({.name = name, .by = "file", .why = "its file is gone"});
  for (RoomSet& fact : set) {
    if (const std::string lacking = lacks(next.find(fact.name)->rules); !lacking.empty()) {
      note(Note::Level::warning, fmt::format("room {}: {}", fact.name, lacking));
    }
    const Room* former = rooms_.find(fact.name);
    if (former != nullptr && former->told.of_file && former->told.settings == fact.settings) continue;
    set_room(std::move(fact));
  }
}

// ---- %%ROOM ----

void RoomKeeping::room_command(Session& s, const ClientLine& e, const csa::RoomCommand& c) {
  using Verb = csa::RoomCommand::Verb;
  const bool by_host = c.verb == Verb::make || c.verb == Verb::set;
  if (by_host && parts_.logins.role_of(s) != Role::player &&
      (c.verb == Verb::make) == (rooms_.find(c.name) != nullptr)) {
    return send(s.conn, fmt::format("##[ROOM] ERROR {} room {}\n",
                                    c.verb == Verb::make ? "there is already a" : "there is no", c.name));
  }
  switch (c.verb) {
    case Verb::list:
      return list_rooms(s);
    case Verb::show:
      return show_room(s, c.name);
    case Verb::join:
      return join_room(s, c.name);
    case Verb::leave:
      return join_room(s, kMainRoom);
    case Verb::make:
    case Verb::set:
      return parts_.admin.admin(s, e, fmt::format("set-room {} {}", c.name, c.rest), "ROOM");
    case Verb::close:
      return parts_.admin.admin(s, e, fmt::format("close-room {} {}", c.name, c.rest), "ROOM");
  }
}

std::pair<std::size_t, std::size_t> RoomKeeping::crowd_of(std::string_view room, const Session* viewer) const {
  const auto plays = std::ranges::count_if(parts_.games.all(), [&](const auto& entry) {
    const GameOpened& opened = entry.second.game.opened();
    return opened.room == room && (viewer == nullptr || may_see(*viewer, opened));
  });
  return {static_cast<std::size_t>(plays), parts_.lobby.waiting_in(room)};
}

void RoomKeeping::list_rooms(Session& s) {
  const auto [plays, waits] = crowd_of(kMainRoom, &s);
  std::string reply = room_line(kMainRoom, "*", plays, waits, {});
  for (const auto& [name, room] : rooms_.all()) {
    if (!may_see(s, room)) continue;
    const auto [playing, waiting_there] = crowd_of(name, &s);
    const RoomRules& r = room.rules;
    reply += room_line(name, r.games, playing, waiting_there, r.title_en.empty() ? r.title_ja : r.title_en);
  }
  send(s.conn, reply + "##[ROOM] +OK\n");
}

void RoomKeeping::show_room(Session& s, std::string_view name) {
  const Room* room = rooms_.find(name);
  if (room == nullptr || !may_see(s, *room)) return send(s.conn, csa::error(fmt::format("there is no room {}", name)));
  std::string reply;
  for (const std::string& setting : room->told.settings) reply += fmt::format("##[ROOM] {}\n", setting);
  send(s.conn, reply + "##[ROOM] +OK\n");
}

void RoomKeeping::join_room(Session& s, std::string_view name) {
  if (s.phase != Phase::connected) {
    return send(s.conn, csa::wrong_state(to_string(s.phase), "ROOM", "connected"));
  }
  const Room* room = rooms_.find(name);
  const bool there = s.home != kMainRoom ? name == s.home : name == kMainRoom || (room != nullptr && may_see(s, *room));
  if (!there) return send(s.conn, csa::error(fmt::format("there is no room {}", name)));
  if (room != nullptr && parts_.logins.reads_along(s, room->rules.games))
    return send(s.conn, csa::tls_wanted(name, "\n"));
  s.room = name;
  send(s.conn, "##[ROOM] +OK\n");
}

}  // namespace fuhyo::core
