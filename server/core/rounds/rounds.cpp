// Floodgate rounds: who waits for one is paired at the time of the group's schedule, not before.
//
// With shogi-server's methods a round is shogi-server's: a player who is left over, or whose game does not begin, waits
// for the next one. With our own methods (matching, swiss) he is still owed a game of this round, and so is a player
// who was disconnected before the first move: as soon as two of them wait, they play.
#include "server/core/rounds/rounds.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "server/core/buoys/buoys.h"
#include "server/core/counted.h"
#include "server/core/games/games.h"
#include "server/core/lobby/lobby.h"
#include "server/core/rooms/room_keeping.h"
#include "server/core/sessions/sessions.h"
#include "server/core/tournaments/tournaments.h"

namespace fuhyo::core {
namespace {

// So many more games with one colour than with the other nobody is given by a game that a round owes.
constexpr int kMostOneColour = 2;

// The wall clock may be set: it is looked at again at least this often.
constexpr std::int64_t kLongestSleep_us = 30 * kSecond;

std::string pair_key(std::string_view black, std::string_view white) { return fmt::format("{} {}", black, white); }

floodgate::Played as_played(const PastGame& game, std::uint64_t round) {
  floodgate::Played result{.game_id = game.csa_id, .black = game.black_id, .white = game.white_id, .round = round};
  const bool black_won = game.outcome == Outcome::black_wins;
  if (black_won || game.outcome == Outcome::white_wins) {
    result.winner = black_won ? game.black_id : game.white_id;
    result.loser = black_won ? game.white_id : game.black_id;
  }
  return result;
}

bool is_return_of(const OwedGame& second, const GameOpened& first) {
  return second.black == first.white.id && second.white == first.black.id;
}

}  // namespace

void Rounds::keep(const Fact& fact) {
  if (const auto* held = std::get_if<RoundHeld>(&fact)) last_rounds_.insert_or_assign(held->group, *held);
  if (const auto* owes = std::get_if<RoundOwes>(&fact)) last_owed_.insert_or_assign(owes->group, *owes);
}

RoundGroup* Rounds::group_of(std::string_view game_name) {
  const auto it = groups_.find(game_name);
  return it == groups_.end() ? nullptr : &it->second;
}

void Rounds::on(const GroupChanged& e) {
  const auto [it, is_new] = groups_.try_emplace(e.group.game_name);
  RoundGroup& group = it->second;
  if (is_new) {
    group.timer = groups_.size();
    look_back(group, e.group.game_name);
  }
  group.told = e.group;
  arm(group);
}

// What stood when the server stopped.
void Rounds::look_back(RoundGroup& group, const std::string& game_name) {
  const auto last = last_rounds_.find(game_name);
  if (last != last_rounds_.end()) group.round = static_cast<std::uint64_t>(last->second.number);
  for (const PastGame& game : past_) {
    if (game.game_name != game_name) continue;
    const bool in_it =
        last != last_rounds_.end() &&
        std::ranges::find(last->second.games, pair_key(game.black_id, game.white_id)) != last->second.games.end();
    group.history.record(as_played(game, in_it ? group.round : 0));
  }
  if (const auto owed = last_owed_.find(game_name); owed != last_owed_.end()) {
    group.returns = owed->second.games;
    group.owed = {owed->second.players.begin(), owed->second.players.end()};
  } else if (last != last_rounds_.end()) {
    for (const std::string& id : last->second.sat_out) group.history.sit_out(id, group.round);
  }
}

void Rounds::owe(const std::string& game_name, const std::string& id) {
  RoundGroup* group = group_of(game_name);
  if (group == nullptr) return;
  group->owed.insert(id);
  keep_owed(game_name, *group);
}

// Stored, so that a restart goes on owing it.
void Rounds::keep_owed(const std::string& game_name, const RoundGroup& group) {
  RoundOwes owes{
      .group = game_name, .games = group.returns, .players = {group.owed.begin(), group.owed.end()}, .at = now_.wall};
  const auto last = last_owed_.find(game_name);
  const bool told = last != last_owed_.end();
  if (told ? owes.games == last->second.games && owes.players == last->second.players
           : owes.games.empty() && owes.players.empty()) {
    return;
  }
  keep(owes);
  append(std::move(owes));
}

// Of a game that a stop of the server cut off, as far as the newest round and what is owed tell. 0: of none.
std::uint64_t Rounds::round_of(const GameOpened& opened) const {
  if (const auto owed = last_owed_.find(opened.game_name); owed != last_owed_.end()) {
    for (const OwedGame& second : owed->second.games) {
      if (is_return_of(second, opened)) return static_cast<std::uint64_t>(second.round);
    }
  }
  const auto last = last_rounds_.find(opened.game_name);
  if (last == last_rounds_.end()) return 0;
  const std::array either = {pair_key(opened.black.id, opened.white.id), pair_key(opened.white.id, opened.black.id)};
  const bool in_it = std::ranges::find_first_of(last->second.games, either) != last->second.games.end();
  return in_it ? static_cast<std::uint64_t>(last->second.number) : 0;
}

// The stop of the server is no fault of either player.
void Rounds::owe_unstarted(const GameOpened& opened) {
  if (round_of(opened) == 0) return;
  const auto last = last_owed_.find(opened.game_name);
  RoundOwes owes = last == last_owed_.end() ? RoundOwes{.group = opened.game_name} : last->second;
  for (const std::string& id : {opened.black.id, opened.white.id}) {
    if (std::ranges::find(owes.players, id) == owes.players.end()) owes.players.push_back(id);
  }
  owes.at = now_.wall;
  keep(owes);
  append(std::move(owes));
}

void Rounds::arm(RoundGroup& group) {
  const TimerKey key{TimerKey::Kind::round, group.timer};
  group.due = group.told.schedule ? floodgate::next_time(*group.told.schedule, now_.wall, rules_.zone) : std::nullopt;
  if (!group.due) return timers_.cancel(key);
  timers_.set(key, now_.mono + std::clamp<std::int64_t>(group.due->us - now_.wall.us, 0, kLongestSleep_us));
}

void Rounds::round_timer(std::uint64_t timer) {
  const auto it = std::ranges::find_if(groups_, [timer](const auto& entry) { return entry.second.timer == timer; });
  if (it == groups_.end()) return;
  RoundGroup& group = it->second;
  if (group.due && *group.due <= now_.wall) {
    if (const auto held = hold_round(it->first); !held) {
      note(Note::Level::info, fmt::format("no round of {}: {}", it->first, held.error()));
    }
    put(RoundIsOver{it->first});
  }
  arm(group);
}

// Who waits for a round of the group, in login order.
std::vector<Session*> Rounds::round_players(const std::string& game_name) {
  std::vector<Session*> players;
  for (const ConnId conn : parts_.lobby.waiting_for(parts_.rooms.room_of(game_name), game_name)) {
    Session* s = parts_.sessions.find(conn);
    if (s->has_trip && s->turn == csa::Turn::any) players.push_back(s);
  }
  return players;
}

std::string Rounds::never_paired(const Session& s) {
  if (s.phase != Phase::game_waiting || s.for_restart) return {};
  if (const RunningEvent* event = s.home == kMainRoom ? parts_.tournaments.event_of(s.wanted) : nullptr;
      event != nullptr) {
    if (event->phase() == TournamentPhase::over) return fmt::format("the event {} is over", event->name());
    if (event->state().entrant(s.name) == nullptr) return fmt::format("is no entrant of the event {}", event->name());
    return {};
  }
  if (!s.wanted.is_floodgate()) return {};
  if (group_of(s.wanted.text) == nullptr) return "no rounds of this name are held (floodgate-games)";
  return s.has_trip ? "" : "rounds are for players with a trip";
}

// Who waits for rounds hears what he hears from shogi-server: nothing.
void Rounds::tell_never_paired(const Session& s) {
  const std::string why = never_paired(s);
  if (why.empty()) return;
  note(Note::Level::warning, fmt::format("{} waits for {} and is never paired: {}", s.name, s.wanted.text, why));
  if (s.x1 && s.kind != ConnectionKind::builtin && parts_.tournaments.is_of_event(s.wanted)) {
    send(s.conn, fmt::format("##[ADMIN] you are never paired in {}: {}\n", s.wanted.text, why));
  }
}

std::size_t Rounds::tripless(std::string_view game_name) {
  return static_cast<std::size_t>(std::ranges::count_if(parts_.sessions.by_login(), [&](const auto& each) {
    const Session& s = parts_.sessions.all().at(each.second);
    return s.wanted.text == game_name && !never_paired(s).empty();
  }));
}

std::string Rounds::left_out(const std::string& game_name) {
  const auto waits_for_seat = [&](const auto& each) {
    const Session& s = parts_.sessions.all().at(each.second);
    return s.phase == Phase::connected && s.awaits && s.awaits->text == game_name;
  };
  const auto seatless = std::ranges::count_if(parts_.sessions.by_login(), waits_for_seat);
  const std::size_t unpaired = tripless(game_name);
  std::string text;
  if (seatless > 0) {
    text += fmt::format("; {} for a seat, of which engine-threads gives more",
                        seatless == 1 ? "1 built-in player waits" : fmt::format("{} built-in players wait", seatless));
  }
  if (unpaired > 0) text += fmt::format("; {} without a trip, which rounds ask for", counted(unpaired, "player"));
  return text;
}

floodgate::Entrant Rounds::entrant(const Session& s) const {
  const PlayerRating* rating = context_.ratings->find(s.id);
  return {.id = s.id,
          .name = s.name,
          .rate = rating == nullptr ? 0 : static_cast<int>(rating->rate),
          .estimated_rate = s.estimated_rate};
}

// Everybody else who is logged in: shogi-server's methods ask them for the strength of the unrated.
std::vector<floodgate::Online> Rounds::bystanders(const std::vector<Session*>& players) const {
  std::vector<floodgate::Online> others;
  for (const auto& [order, conn] : parts_.sessions.by_login()) {
    const Session& s = parts_.sessions.all().at(conn);
    if (!in_one_house(s.room, kMainRoom) || std::ranges::find(players, &s) != players.end()) continue;
    const floodgate::Entrant e = entrant(s);
    others.push_back({.name = e.name, .rate = e.rate, .estimated_rate = e.estimated_rate});
  }
  return others;
}

std::expected<std::size_t, std::string> Rounds::hold_round(const std::string& game_name) {
  RoundGroup* group = group_of(game_name);
  if (group == nullptr) return std::unexpected("there is no such group");
  if (!context_.starts_games()) return std::unexpected("no new games now");
  std::vector<Session*> players = round_players(game_name);
  std::erase_if(players, [this](const Session* s) { return parts_.lobby.cools_down(*s); });
  floodgate::Round round{.settings = group->told.settings.round};
  if (group->told.settings.fill_with_builtin) {
    const auto fills = [](const Session* s) { return s->kind == ConnectionKind::builtin; };
    if (const auto filler = std::ranges::find_if(players, fills); filler != players.end()) {
      round.filler = entrant(**filler);
    }
    std::erase_if(players, fills);
    if (!round.filler && players.size() % 2 == 1) {
      if (const Session* filler = parts_.lobby.filler_of(players.front()->wanted)) round.filler = entrant(*filler);
    }
  }
  if (players.size() < group->told.settings.min_players) {
    return std::unexpected(
        fmt::format("{} of {} players{}", players.size(), group->told.settings.min_players, left_out(game_name)));
  }
  round.number = group->round + 1;
  for (const Session* s : players) round.entrants.push_back(entrant(*s));
  round.others = bystanders(players);
  floodgate::SeededDraws draws(random());
  const floodgate::Pairings pairings = floodgate::pair(round, group->history, draws);
  for (std::size_t i = 0; i < pairings.estimated_rates.size(); ++i) {
    players[i]->estimated_rate = pairings.estimated_rates[i];
  }
  if (pairings.games.empty()) return std::unexpected("nobody has anybody to play with");
  for (const std::string& id : std::exchange(group->owed, {})) group->history.sit_out(id, group->round);
  // Who still plays the first game plays the second one, too.
  std::erase_if(group->returns, [this](const OwedGame& owed) { return !is_played(owed); });
  group->round = round.number;
  return seat_round(game_name, *group, pairings);
}

std::size_t Rounds::seat_round(const std::string& game_name, RoundGroup& group, const floodgate::Pairings& pairings) {
  RoundHeld held{.group = game_name, .number = static_cast<std::int64_t>(group.round), .at = now_.wall};
  for (const floodgate::PairedGame& game : pairings.games) {
    if (game.leg == 1) held.games.push_back(pair_key(game.black, game.white));
  }
  for (const floodgate::SitOut& out_of_it : pairings.sit_outs) {
    if (out_of_it.reason != floodgate::SitOutReason::odd) continue;
    held.sat_out.push_back(out_of_it.id);
    group.owed.insert(out_of_it.id);
  }
  note(Note::Level::info, fmt::format("round {} of {}: {}, {} sit out", group.round, game_name,
                                      counted(held.games.size(), "game"), held.sat_out.size()));
  append(held);
  for (const floodgate::PairedGame& game : pairings.games) {
    if (game.leg == 1) {
      seat_pair(game_name, game, group.round);
    } else {
      group.returns.push_back({.black = game.black, .white = game.white, .round = held.number});
    }
  }
  keep_owed(game_name, group);
  return held.games.size();
}

// Both wait for the group.
void Rounds::seat_pair(const std::string& game_name, const floodgate::PairedGame& game, std::uint64_t round) {
  const RoundGroup& group = *group_of(game_name);
  const std::vector<Session*> players = round_players(game_name);
  const auto by_id = [&](const std::string& id) { return *std::ranges::find(players, id, &Session::id); };
  Session& black = *by_id(game.black);
  Session& white = *by_id(game.white);
  parts_.lobby.leave_queue(black);
  parts_.lobby.leave_queue(white);
  black.turn = csa::Turn::black;
  white.turn = csa::Turn::white;
  const floodgate::GroupSettings& settings = group.told.settings;
  GamePlan plan = parts_.lobby.plan_of(black);
  plan.max_moves = settings.max_moves;
  plan.least_time_per_move_s = settings.least_time_per_move_s;
  plan.resume = settings.resume;
  plan.grace_s = settings.grace_s;
  if (const PositionSet* set = parts_.buoys.find_set(settings.buoy_set)) {
    plan.start = set->positions[(round - 1) % set->positions.size()];
  } else if (!settings.buoy_set.empty()) {
    note(Note::Level::warning, fmt::format("{}: there is no set of positions '{}'", game_name, settings.buoy_set));
  }
  parts_.games.begin_game(black, white, parts_.games.open_game(black, white, std::move(plan)), PairedBy::round).round =
      round;
}

// Whether the first game of the two, with these colours changed, is still under way.
bool Rounds::is_played(const OwedGame& owed) const {
  return std::ranges::any_of(parts_.games.all(), [&](const auto& entry) {
    const GameSession& session = entry.second;
    return std::cmp_equal(session.round, owed.round) && is_return_of(owed, session.game.opened());
  });
}

bool Rounds::seat_return() {
  for (auto& [name, group] : groups_) {
    if (seat_return(name, group)) return true;
  }
  return false;
}

// Seats a return game of the group whose players both wait, or one waits and the other is a built-in player who is
// free; false: there is none.
bool Rounds::seat_return(const std::string& game_name, RoundGroup& group) {
  for (auto owed = group.returns.begin(); owed != group.returns.end(); ++owed) {
    const std::vector<Session*> players = round_players(game_name);
    const auto black = std::ranges::find(players, owed->black, &Session::id);
    const auto white = std::ranges::find(players, owed->white, &Session::id);
    if (black == players.end() && white == players.end()) continue;
    if (black == players.end() || white == players.end()) {
      const std::string& missing = black == players.end() ? owed->black : owed->white;
      const csa::GameName wanted = players.front()->wanted;
      if (!group.told.settings.fill_with_builtin || parts_.lobby.filler_of(wanted, missing) == nullptr) continue;
    }
    const OwedGame next = std::move(*owed);
    group.returns.erase(owed);
    keep_owed(game_name, group);
    seat_pair(game_name, {.black = next.black, .white = next.white}, static_cast<std::uint64_t>(next.round));
    return true;
  }
  return false;
}

// Called when `s` has begun to wait: a return game, or a game that the round still owes two who wait.
void Rounds::seat_late(const Session& s) {
  if (!s.wanted.is_floodgate() || s.room != parts_.rooms.room_of(s.wanted.text)) return;
  const std::string game_name = s.wanted.text;
  RoundGroup* group = group_of(game_name);
  if (group == nullptr || !context_.starts_games()) return;
  if (seat_return(game_name, *group)) return;
  if (!floodgate::is_ours(group->told.settings.round.method)) return;
  if (!group->owed.contains(s.id)) return;
  for (const Session* other : round_players(game_name)) {
    if (other->id == s.id || !group->owed.contains(other->id)) continue;
    // Black to whom has had it less; a colour too many for both is worse than no game.
    const int mine = group->history.standing(s.id).balance, theirs = group->history.standing(other->id).balance;
    if (std::max(std::min(mine, theirs) + 1, 1 - std::max(mine, theirs)) > kMostOneColour) continue;
    group->owed.erase(s.id);
    group->owed.erase(other->id);
    keep_owed(game_name, *group);
    const bool black = mine < theirs || (mine == theirs && other->login_order > s.login_order);
    return seat_pair(game_name, {.black = black ? s.id : other->id, .white = black ? other->id : s.id}, group->round);
  }
}

// A game of a round did not begin. A player who is not to blame waits again, also in CSA mode. A disconnected player
// may come back for another game of the round, one who refused may not.
void Rounds::unseated(const GameSession& session, std::string_view by, const std::array<bool, 2>& agreed) {
  RoundGroup* group = session.round == 0 ? nullptr : group_of(session.game.opened().game_name);
  if (group == nullptr || context_.draining || !floodgate::is_ours(group->told.settings.round.method)) return;
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    const Seat& seat = side == shogi::BLACK ? session.game.opened().black : session.game.opened().white;
    const Seat& other = side == shogi::BLACK ? session.game.opened().white : session.game.opened().black;
    if (by != seat.name && (by == other.name || agreed[side])) group->owed.insert(seat.id);
  }
  keep_owed(session.game.opened().game_name, *group);
}

bool Rounds::is_owed(const Session& s) {
  const RoundGroup* group = group_of(s.wanted.text);
  return group != nullptr && floodgate::is_ours(group->told.settings.round.method) && group->owed.contains(s.id);
}

void Rounds::record_round(const GameSession& session, const GameEnded& ended) {
  const GameOpened& opened = session.game.opened();
  RoundGroup* group = group_of(opened.game_name);
  if (group == nullptr || opened.black.id.empty() || opened.white.id.empty()) return;
  floodgate::Played game = as_played({.csa_id = opened.csa_id,
                                      .game_name = opened.game_name,
                                      .black_id = opened.black.id,
                                      .white_id = opened.white.id,
                                      .outcome = ended.outcome},
                                     session.round);
  game.filler = group->told.settings.fill_with_builtin && (opened.black.builtin || opened.white.builtin);
  group->history.record(std::move(game));
}

}  // namespace fuhyo::core
