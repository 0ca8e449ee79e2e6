// Buoys: start positions under a game name, good for a number of games. %%SETBUOY, %%SETBUOYSFEN, %%DELETEBUOY,
// %%GETBUOYCOUNT, %%BUOYS, %%FORK.
#include <fmt/format.h>
#include <utility>

#include "server/core/admin/desk.h"
#include "server/core/counted.h"
#include "server/core/state.h"
#include "server/csa/format.h"

namespace fuhyo::core {
namespace {

constexpr std::int64_t kMostGames = 1'000'000;  // of one buoy; more is a typing error

// "ev+name-300-10F+black+white+stamp": the parts of the game name, as shogi-server takes them for a fork's name.
struct SourceName {
  std::string_view name, times;  // "name", "300-10F"
};
std::optional<SourceName> source_name(std::string_view csa_id) {
  const std::size_t plus = csa_id.find('+');
  if (plus == std::string_view::npos) return std::nullopt;
  std::string_view game = csa_id.substr(plus + 1);
  game = game.substr(0, game.find('+'));
  const std::size_t dash = game.find('-');
  if (dash == 0 || dash == std::string_view::npos) return std::nullopt;
  const std::string_view times = game.substr(dash + 1);
  if (times.empty() || times.front() < '0' || times.front() > '9') return std::nullopt;
  return SourceName{game.substr(0, dash), times};
}

}  // namespace

// Also at start-up, from what stood.
void Server::State::keep(const Fact& fact) {
  keep_event(fact);
  rooms.apply(fact);
  if (const auto* name = std::get_if<NameForbidden>(&fact)) forbidden.insert_or_assign(name->name, *name);
  if (const auto* account = std::get_if<AccountSet>(&fact)) accounts.set(*account);
  if (const auto* gone = std::get_if<AccountDeleted>(&fact)) accounts.erase(gone->name);
  if (const auto* kept = std::get_if<KeyKept>(&fact)) key_fingerprint = kept->fingerprint;
  if (const auto* held = std::get_if<RoundHeld>(&fact)) last_rounds.insert_or_assign(held->group, *held);
  if (const auto* owes = std::get_if<RoundOwes>(&fact)) last_owed.insert_or_assign(owes->group, *owes);
  if (const auto* loaded = std::get_if<PositionSetLoaded>(&fact)) {
    auto positions = read_position_set(loaded->text);
    if (positions) {
      sets.insert_or_assign(loaded->name, PositionSet{loaded->by, std::move(*positions)});
    } else {
      sets.erase(loaded->name);
    }
  } else if (const auto* set = std::get_if<BuoySet>(&fact)) {
    if (buoys.insert_or_assign(set->name, *set).second) ++buoys_of[set->owner];
  } else if (const auto* deleted = std::get_if<BuoyDeleted>(&fact)) {
    const auto buoy = buoys.find(deleted->name);
    if (buoy == buoys.end()) return;
    count_down(buoys_of, buoy->second.owner);
    if (const auto network = buoy_networks.find(buoy->first); network != buoy_networks.end()) {
      count_down(buoys_from, network->second);
      buoy_networks.erase(network);
    }
    buoys.erase(buoy);
  }
}

std::expected<StartPosition, std::string> Server::State::start_position(std::string_view text) const {
  const std::size_t blank = text.find(' ');
  const std::string_view kind = text.substr(0, blank);
  const std::string_view rest = blank == std::string_view::npos ? std::string_view{} : text.substr(blank + 1);
  if (kind == "buoy") {
    const auto buoy = buoys.find(rest);
    if (buoy == buoys.end()) return std::unexpected(fmt::format("there is no buoy '{}'", rest));
    return StartPosition{.sfen = buoy->second.start_sfen, .moves = buoy->second.moves, .title = {}, .comment = {}};
  }
  if (kind != "set") return read_start_position(text);
  const std::size_t number_at = rest.find(' ');
  const auto set = sets.find(rest.substr(0, number_at));
  if (set == sets.end()) return std::unexpected(fmt::format("there is no set '{}'", rest.substr(0, number_at)));
  const auto number = number_at == std::string_view::npos ? std::nullopt : admin_number(rest.substr(number_at + 1));
  const std::size_t size = set->second.positions.size();
  if (!number || *number < 1 || static_cast<std::uint64_t>(*number) > size) {
    return std::unexpected(fmt::format("the positions of '{}' are 1 to {}", set->first, size));
  }
  return set->second.positions[static_cast<std::size_t>(*number) - 1];
}

std::expected<std::size_t, std::string> Server::State::load_set(std::string name, std::string text, std::string by) {
  if (!csa::is_identifier(name, rules.max_identifier)) return std::unexpected(fmt::format("bad name: {}", name));
  if (text.size() > limits.position_set_bytes) {
    return std::unexpected(fmt::format("{} bytes; at most {}", text.size(), limits.position_set_bytes));
  }
  if (!sets.contains(name) && sets.size() >= limits.position_sets) return std::unexpected("too many sets");
  const auto positions = read_position_set(text);
  if (!positions) return std::unexpected(positions.error());
  PositionSetLoaded loaded{.name = std::move(name), .by = std::move(by), .text = std::move(text), .at = now.wall};
  keep(loaded);
  append(std::move(loaded));
  return positions->size();
}

void Server::State::on(const SetRead& e) {
  const auto asked = asked_of_host.find(e.token);
  if (asked == asked_of_host.end()) return;
  const AdminAsker asker = std::move(asked->second);
  asked_of_host.erase(asked);
  const auto loaded = load_set(e.name, e.text, asker.who);
  if (!loaded) return answer(asker, admin_refusal(fmt::format("{}: {}", e.name, loaded.error())));
  answer(asker, {.ok = true,
                 .text = fmt::format("the set {} has {}", e.name, counted(*loaded, "position")),
                 .columns = {},
                 .rows = {}});
}

// Says what is wrong where something is.
bool Server::State::may_set_buoy(Session& s, const std::string& name, std::int64_t count) {
  const auto refuse = [&](std::string_view why) {
    send(s.conn, csa::error(why));
    return false;
  };
  const auto parsed = csa::parse_game_name(name, rules.max_identifier);
  if (!parsed || !parsed->is_buoy()) return refuse("wrong buoy game name: " + name);
  if (buoys.contains(name)) return refuse("duplicated buoy game name: " + name);
  if (count < 1 || count > kMostGames) return refuse(fmt::format("invalid count: {}", count));
  const std::size_t own = count_of(buoys_of, s.name);
  const bool fits = is_throwaway(s) ? own < limits.buoys_per_throwaway &&
                                          count_of(buoys_from, s.network) < limits.buoys_per_address &&
                                          buoys.size() + limits.reserved_buoys < limits.buoys
                                    : own < limits.buoys_per_owner && buoys.size() < limits.buoys;
  return fits || refuse("too many buoys: " + name);
}

void Server::State::set_buoy(Session& s, const csa::SetBuoy& c) {
  if (!may_set_buoy(s, c.name, c.count)) return;
  auto start = read_buoy_moves(c.moves);
  if (!start) return send(s.conn, csa::error("wrong moves: " + c.moves));
  add_buoy(s, c.name, std::move(*start), c.count, "##[SETBUOY] +OK\n");
}

void Server::State::set_buoy(Session& s, const csa::SetBuoySfen& c) {
  if (!may_set_buoy(s, c.name, c.count)) return;
  auto start = read_start_position(c.position);
  if (!start) return send(s.conn, csa::error("wrong position: " + start.error()));
  add_buoy(s, c.name, std::move(*start), c.count, "##[SETBUOYSFEN] +OK\n");
}

void Server::State::add_buoy(Session& s, std::string name, StartPosition start, std::int64_t count,
                             std::string_view reply) {
  BuoySet buoy{.name = std::move(name),
               .owner = s.name,
               .count = static_cast<std::int32_t>(count),
               .start_sfen = std::move(start.sfen),
               .moves = std::move(start.moves),
               .set = {},
               .title = std::move(start.title),
               .comment = std::move(start.comment),
               .at = now.wall};
  note(Note::Level::info, fmt::format("buoy {} was set by {}", buoy.name, s.name));
  const std::string game_name = buoy.name;
  keep(buoy);
  if (is_throwaway(s)) {
    ++buoys_from[s.network];
    buoy_networks.emplace(buoy.name, s.network);
  }
  append(std::move(buoy));
  send(s.conn, std::string(reply));
  start_waiting_for(game_name, s);
}

// Whoever waits for it starts at once: in login order, the one who set it last of all.
void Server::State::start_waiting_for(const std::string& buoy, const Session& setter) {
  while (!store_away && !draining && buoys.contains(buoy)) {
    const auto list = waiting.find({room_for(setter, buoy), buoy});
    if (list == waiting.end()) return;
    std::map<std::uint64_t, ConnId> by_order;
    for (const auto& [turn, queue] : list->second.by_turn) by_order.insert(queue.begin(), queue.end());
    bool paired = false;
    for (const auto& [order, conn] : by_order) {
      Session& candidate = *find(conn);
      if (conn == setter.conn) continue;
      leave_queue(candidate);
      Session* rival = rival_of(candidate);
      if (rival == nullptr) {
        enter_queue(candidate);
        continue;
      }
      pair(*rival, candidate);
      paired = true;
      break;
    }
    if (!paired) return;
  }
}

// One game of it begins.
void Server::State::use_up(const std::string& name) {
  const auto it = buoys.find(name);
  if (it == buoys.end()) return;
  Fact next = BuoyDeleted{.name = name, .by = {}, .at = now.wall};
  if (it->second.count > 1) {
    BuoySet left = it->second;
    --left.count;
    next = std::move(left);
  }
  keep(next);
  append(std::move(next));
}

void Server::State::delete_buoy(Session& s, const csa::DeleteBuoy& c) {
  const auto buoy = buoys.find(c.name);
  if (buoy == buoys.end()) return send(s.conn, csa::error("buoy game not found: " + c.name));
  if (buoy->second.owner != s.name) {
    return send(s.conn, csa::error("you are not allowed to delete a buoy game that you did not set: " + c.name));
  }
  BuoyDeleted deleted{.name = c.name, .by = s.name, .at = now.wall};
  keep(deleted);
  append(std::move(deleted));
  note(Note::Level::info, fmt::format("buoy {} was deleted by {}", c.name, s.name));
  send(s.conn, "##[DELETEBUOY] +OK\n");
}

void Server::State::buoy_count(Session& s, const csa::GetBuoyCount& c) {
  const auto buoy = buoys.find(c.name);
  send(s.conn,
       fmt::format("##[GETBUOYCOUNT] {}\n##[GETBUOYCOUNT] +OK\n", buoy == buoys.end() ? -1 : buoy->second.count));
}

void Server::State::list_buoys(Session& s, const csa::Buoys& c) {
  std::string reply;
  for (auto buoy = buoys.lower_bound(c.prefix); buoy != buoys.end() && buoy->first.starts_with(c.prefix); ++buoy) {
    const BuoySet& b = buoy->second;
    reply += fmt::format("##[BUOYS] {} {} {} {}{}{}\n", b.name, b.count, b.owner, b.moves.size(),
                         b.title.empty() ? "" : " ", b.title);
  }
  for (auto set = sets.lower_bound(c.prefix); set != sets.end() && set->first.starts_with(c.prefix); ++set) {
    reply += fmt::format("##[BUOYS] set {} {} {}\n", set->first, set->second.positions.size(), set->second.by);
  }
  send_list(s, reply + "##[BUOYS] +OK\n");
}

// A buoy of the moves up to `ply` of a running game; without a ply of all but the last.
void Server::State::fork(Session& s, const csa::Fork& c) {
  const auto scene = scene_of(s, c.game_id);  // it shows moves, too
  if (!scene) return send(s.conn, csa::error("wrong source game name: " + c.game_id));
  const auto plies = static_cast<std::int64_t>(scene->game.moves().size());
  const std::int64_t ply = c.ply.value_or(plies - 1);
  if (ply < 1 || ply > plies) {
    return send(s.conn, csa::error(fmt::format("number of moves to fork is out of range: {}.", plies)));
  }
  std::string name = c.name;
  if (name.empty()) {
    const auto source = source_name(c.game_id);
    if (!source) {
      return send(s.conn, csa::error("wrong source game name to make a new buoy game name: " + c.game_id));
    }
    // As much of the name as leaves an identifier that can be played.
    const std::string suffix = fmt::format("_{}", ply);
    constexpr std::string_view kPrefix = "buoy_";
    const std::size_t room_left = rules.max_identifier - kPrefix.size() - suffix.size();
    name = fmt::format("{}{}{}-{}", kPrefix, source->name.substr(0, room_left), suffix, source->times);
    send(s.conn, fmt::format("##[FORK]: new buoy game name: {}\n##[FORK] +OK\n", name));
  }
  if (!may_set_buoy(s, name, 1)) return;
  StartPosition start{.sfen = scene->game.opened().start_sfen, .moves = {}, .title = {}, .comment = {}};
  start.moves.assign(scene->game.moves().begin(), scene->game.moves().begin() + ply);
  add_buoy(s, std::move(name), std::move(start), 1, "##[SETBUOY] +OK\n");
}

}  // namespace fuhyo::core
