#include "server/core/buoys/buoys.h"

#include <fmt/format.h>
#include <utility>

#include "server/core/admin/admin.h"
#include "server/core/admin/words.h"
#include "server/core/counted.h"
#include "server/core/lobby/lobby.h"
#include "server/core/monitors/monitors.h"
#include "server/core/sessions/sessions.h"
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

void Buoys::keep(const Fact& fact) {
  if (const auto* loaded = std::get_if<PositionSetLoaded>(&fact)) {
    auto positions = read_position_set(loaded->text);
    if (positions) {
      sets_.insert_or_assign(loaded->name, PositionSet{loaded->by, std::move(*positions)});
    } else {
      sets_.erase(loaded->name);
    }
  } else if (const auto* set = std::get_if<BuoySet>(&fact)) {
    if (buoys_.insert_or_assign(set->name, *set).second) of_owner_.add(set->owner);
  } else if (const auto* deleted = std::get_if<BuoyDeleted>(&fact)) {
    const auto buoy = buoys_.find(deleted->name);
    if (buoy == buoys_.end()) return;
    of_owner_.take(buoy->second.owner);
    if (const auto network = networks_.find(buoy->first); network != networks_.end()) {
      of_network_.take(network->second);
      networks_.erase(network);
    }
    buoys_.erase(buoy);
  }
}

const BuoySet* Buoys::find(std::string_view name) const {
  const auto found = buoys_.find(name);
  return found == buoys_.end() ? nullptr : &found->second;
}

const PositionSet* Buoys::find_set(std::string_view name) const {
  const auto found = sets_.find(name);
  return found == sets_.end() ? nullptr : &found->second;
}

void Buoys::store(Fact fact) {
  keep(fact);
  append(std::move(fact));
}

void Buoys::remove_set(const std::string& name, const std::string& by) {
  store(PositionSetLoaded{.name = name, .by = by, .text = {}, .at = now_.wall});
}

std::expected<StartPosition, std::string> Buoys::start_position(std::string_view text) const {
  const std::size_t blank = text.find(' ');
  const std::string_view kind = text.substr(0, blank);
  const std::string_view rest = blank == std::string_view::npos ? std::string_view{} : text.substr(blank + 1);
  if (kind == "buoy") {
    const auto buoy = buoys_.find(rest);
    if (buoy == buoys_.end()) return std::unexpected(fmt::format("there is no buoy '{}'", rest));
    return StartPosition{.sfen = buoy->second.start_sfen, .moves = buoy->second.moves, .title = {}, .comment = {}};
  }
  if (kind != "set") return read_start_position(text);
  const std::size_t number_at = rest.find(' ');
  const auto set = sets_.find(rest.substr(0, number_at));
  if (set == sets_.end()) return std::unexpected(fmt::format("there is no set '{}'", rest.substr(0, number_at)));
  const auto number = number_at == std::string_view::npos ? std::nullopt : admin_number(rest.substr(number_at + 1));
  const std::size_t size = set->second.positions.size();
  if (!number || *number < 1 || static_cast<std::uint64_t>(*number) > size) {
    return std::unexpected(fmt::format("the positions of '{}' are 1 to {}", set->first, size));
  }
  return set->second.positions[static_cast<std::size_t>(*number) - 1];
}

std::expected<std::size_t, std::string> Buoys::load_set(std::string name, std::string text, std::string by) {
  if (!csa::is_identifier(name, rules_.max_identifier)) return std::unexpected(fmt::format("bad name: {}", name));
  if (text.size() > limits_.position_set_bytes) {
    return std::unexpected(fmt::format("{} bytes; at most {}", text.size(), limits_.position_set_bytes));
  }
  if (!sets_.contains(name) && sets_.size() >= limits_.position_sets) return std::unexpected("too many sets");
  const auto positions = read_position_set(text);
  if (!positions) return std::unexpected(positions.error());
  store(PositionSetLoaded{.name = std::move(name), .by = std::move(by), .text = std::move(text), .at = now_.wall});
  return positions->size();
}

void Buoys::on(const SetRead& e) {
  const auto caller = parts_.admin.caller_of(e.token);
  if (!caller) return;
  const auto loaded = load_set(e.name, e.text, caller->who);
  if (!loaded) return parts_.admin.answer(*caller, admin_refusal(fmt::format("{}: {}", e.name, loaded.error())));
  parts_.admin.answer(*caller, {.ok = true,
                                .text = fmt::format("the set {} has {}", e.name, counted(*loaded, "position")),
                                .columns = {},
                                .rows = {}});
}

// Says what is wrong where something is.
bool Buoys::may_set_buoy(Session& s, const std::string& name, std::int64_t count) {
  const auto refuse = [&](std::string_view why) {
    send(s.conn, csa::error(why));
    return false;
  };
  const auto parsed = csa::parse_game_name(name, rules_.max_identifier);
  if (!parsed || !parsed->is_buoy()) return refuse("wrong buoy game name: " + name);
  if (buoys_.contains(name)) return refuse("duplicated buoy game name: " + name);
  if (count < 1 || count > kMostGames) return refuse(fmt::format("invalid count: {}", count));
  const std::size_t own = of_owner_.of(s.name);
  const bool fits = parts_.sessions.is_throwaway(s)
                        ? own < limits_.buoys_per_throwaway && of_network_.of(s.network) < limits_.buoys_per_address &&
                              buoys_.size() + limits_.reserved_buoys < limits_.buoys
                        : own < limits_.buoys_per_owner && buoys_.size() < limits_.buoys;
  return fits || refuse("too many buoys: " + name);
}

void Buoys::set_buoy(Session& s, const csa::SetBuoy& c) {
  if (!may_set_buoy(s, c.name, c.count)) return;
  auto start = read_buoy_moves(c.moves);
  if (!start) return send(s.conn, csa::error("wrong moves: " + c.moves));
  add_buoy(s, c.name, std::move(*start), c.count, "##[SETBUOY] +OK\n");
}

void Buoys::set_buoy(Session& s, const csa::SetBuoySfen& c) {
  if (!may_set_buoy(s, c.name, c.count)) return;
  auto start = read_start_position(c.position);
  if (!start) return send(s.conn, csa::error("wrong position: " + start.error()));
  add_buoy(s, c.name, std::move(*start), c.count, "##[SETBUOYSFEN] +OK\n");
}

void Buoys::add_buoy(Session& s, std::string name, StartPosition start, std::int64_t count, std::string_view reply) {
  BuoySet buoy{.name = std::move(name),
               .owner = s.name,
               .count = static_cast<std::int32_t>(count),
               .start_sfen = std::move(start.sfen),
               .moves = std::move(start.moves),
               .set = {},
               .title = std::move(start.title),
               .comment = std::move(start.comment),
               .at = now_.wall};
  note(Note::Level::info, fmt::format("buoy {} was set by {}", buoy.name, s.name));
  const std::string game_name = buoy.name;
  if (parts_.sessions.is_throwaway(s)) {
    of_network_.add(s.network);
    networks_.emplace(buoy.name, s.network);
  }
  store(std::move(buoy));
  send(s.conn, std::string(reply));
  parts_.lobby.start_waiting_for(game_name, s);
}

// One game of it begins.
void Buoys::use_up(const std::string& name) {
  const auto it = buoys_.find(name);
  if (it == buoys_.end()) return;
  if (it->second.count <= 1) return remove({.name = name, .by = {}, .at = now_.wall});
  BuoySet left = it->second;
  --left.count;
  store(std::move(left));
}

void Buoys::delete_buoy(Session& s, const csa::DeleteBuoy& c) {
  const auto buoy = buoys_.find(c.name);
  if (buoy == buoys_.end()) return send(s.conn, csa::error("buoy game not found: " + c.name));
  if (buoy->second.owner != s.name) {
    return send(s.conn, csa::error("you are not allowed to delete a buoy game that you did not set: " + c.name));
  }
  remove({.name = c.name, .by = s.name, .at = now_.wall});
  note(Note::Level::info, fmt::format("buoy {} was deleted by {}", c.name, s.name));
  send(s.conn, "##[DELETEBUOY] +OK\n");
}

void Buoys::buoy_count(Session& s, const csa::GetBuoyCount& c) {
  const auto buoy = buoys_.find(c.name);
  send(s.conn,
       fmt::format("##[GETBUOYCOUNT] {}\n##[GETBUOYCOUNT] +OK\n", buoy == buoys_.end() ? -1 : buoy->second.count));
}

void Buoys::list_buoys(Session& s, const csa::Buoys& c) {
  std::string reply;
  for (auto buoy = buoys_.lower_bound(c.prefix); buoy != buoys_.end() && buoy->first.starts_with(c.prefix); ++buoy) {
    const BuoySet& b = buoy->second;
    reply += fmt::format("##[BUOYS] {} {} {} {}{}{}\n", b.name, b.count, b.owner, b.moves.size(),
                         b.title.empty() ? "" : " ", b.title);
  }
  for (auto set = sets_.lower_bound(c.prefix); set != sets_.end() && set->first.starts_with(c.prefix); ++set) {
    reply += fmt::format("##[BUOYS] set {} {} {}\n", set->first, set->second.positions.size(), set->second.by);
  }
  send(s.conn, reply + "##[BUOYS] +OK\n");
}

// A buoy of the moves up to `ply` of a running game; without a ply of all but the last.
void Buoys::fork(Session& s, const csa::Fork& c) {
  const WatchedGame* seen = parts_.monitors.seen_by(s, c.game_id);  // it shows moves, too
  if (seen == nullptr) return send(s.conn, csa::error("wrong source game name: " + c.game_id));
  const auto plies = static_cast<std::int64_t>(seen->game.moves().size());
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
    const std::size_t room_left = rules_.max_identifier - kPrefix.size() - suffix.size();
    name = fmt::format("{}{}{}-{}", kPrefix, source->name.substr(0, room_left), suffix, source->times);
    send(s.conn, fmt::format("##[FORK]: new buoy game name: {}\n##[FORK] +OK\n", name));
  }
  if (!may_set_buoy(s, name, 1)) return;
  StartPosition start{.sfen = seen->game.opened().start_sfen, .moves = {}, .title = {}, .comment = {}};
  start.moves.assign(seen->game.moves().begin(), seen->game.moves().begin() + ply);
  add_buoy(s, std::move(name), std::move(start), 1, "##[SETBUOY] +OK\n");
}

}  // namespace fuhyo::core
