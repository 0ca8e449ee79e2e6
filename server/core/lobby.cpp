// Who waits for whom: %%GAME, %%CHALLENGE, pairing in login order, the Game_Summary.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "engines/record/csa_move.h"
#include "engines/shogi/handicap.h"
#include "server/core/state.h"
#include "server/csa/format.h"

namespace fuhyo::core {
namespace {

constexpr std::string_view kShuttingDown =
    "As the service is going to shutdown shortly, starting new games is not allowed now.";

csa::Turn opposite(csa::Turn turn) {
  if (turn == csa::Turn::any) return turn;
  return turn == csa::Turn::black ? csa::Turn::white : csa::Turn::black;
}

bool turns_fit(csa::Turn a, csa::Turn b) { return a == csa::Turn::any || b == csa::Turn::any || a != b; }

TimeRule time_rule(const csa::GameName& name) {
  return TimeRule{.total_s = name.total_s,
                  .byoyomi_s = name.byoyomi_s,
                  .increment_s = name.increment_s,
                  .least_s = 0,
                  .stopwatch_s = name.stopwatch_s};
}

csa::SummaryTime summary_time(const TimeRule& time) {
  csa::SummaryTime said{
      .total = time.total_s, .byoyomi = time.byoyomi_s, .increment = time.increment_s, .least_per_move = time.least_s};
  if (time.stopwatch_s > 0) {
    said.unit = time.stopwatch_s == 60 ? "1min" : fmt::format("{}sec", time.stopwatch_s);
    said.total = time.total_s / time.stopwatch_s;
  }
  return said;
}

}  // namespace

// Floodgate games are paired by rounds alone, a buoy's players wait until it is set, those of an event
// until their game is due, and those of some rooms until the
// host seats them.
bool Server::State::pairs_directly(const Session& s) const {
  const Room* room = rooms.find(s.room);
  if (room != nullptr && room->rules.pairing == RoomPairing::host) return false;
  if (s.home == kMainRoom && is_of_event(s.wanted)) return false;
  return !s.wanted.is_floodgate() && (!s.wanted.is_buoy() || buoys.contains(s.wanted.text));
}

void Server::State::want(Session& s, const csa::Game& g) {
  if (s.phase != Phase::connected && s.phase != Phase::game_waiting) {
    return send(s.conn, csa::wrong_state(to_string(s.phase), "GAME", "connected or game_waiting"));
  }
  if (draining || stopped) {
    count_refusal(Refusal::stopping);
    return send(s.conn, csa::error(kShuttingDown));
  }
  const auto name = csa::parse_game_name(g.game_name, rules.max_identifier);
  if (!name) {
    const bool shape = name.error() == csa::BadGameName::shape;
    return send(s.conn, csa::error(fmt::format("bad game name: {}.", g.game_name)) +
                            csa::error(shape ? "game name should consist of three parts like game-1500-60."
                                             : "invalid identifiers are found or too many characters are used."));
  }
  if (name->is_floodgate() && g.turn != csa::Turn::any) {
    return send(s.conn, csa::error(fmt::format("You are not allowed to specify TEBAN {} for the game {}",
                                               static_cast<char>(g.turn), g.game_name)));
  }
  if (shogi::handicap_of(name->text) && g.turn == csa::Turn::any) {
    return send(s.conn, csa::error("Random turn preference is not allowed for handicapped games"));
  }
  if (reads_along(s, name->text)) {
    count_refusal(Refusal::tls_required);
    return send(s.conn, csa::tls_wanted(name->text, "\n"));
  }
  // A game may ask for an account where the server does not: its first player owns the name from then on.
  if (!s.account && !s.trip_proof.empty() && s.door != Door::builtin && policy_of(name->text) == AccountPolicy::claim) {
    s.account = claim(s, s.name, s.trip_proof);
  }
  if (s.door != Door::builtin && !may_enter(s.name, s.account, name->text)) {
    count_refusal(Refusal::not_admitted);
    return send(s.conn, csa::error(fmt::format("{} is not on the entry list of {}", s.name, name->text)));
  }
  if (s.door == Door::builtin && !may_enter_builtin(s, name->text)) {
    return send(s.conn, csa::error(fmt::format("{} is none of the built-in players of {}", s.name, name->text)));
  }
  s.wish = g.turn;
  if (name->text != s.wanted.text) s.waits_since.reset();
  wait_for(s, *name, g.turn, g.challenge);
}

void Server::State::wait_for(Session& s, const csa::GameName& name, csa::Turn turn, bool challenge) {
  leave_queue(s);
  s.wanted = name;
  s.turn = turn;
  s.room = room_for(s, name.text);
  if (awaits_restart(s)) {
    s.phase = Phase::game_waiting;
    s.for_restart = true;
    return;
  }
  if (Session* rival = rival_of(s)) return pair(*rival, s);
  if (!challenge) {
    enter_queue(s);
    if (event_ahead(s) != nullptr) return come_to_event(s);
    tell_never_paired(s);
    if (cools_down(s)) return cool_down(s);
    return seat_late(s);
  }
  send(s.conn, csa::error("can't find rival for " + name.text));
}

void Server::State::stop_waiting(Session& s) {
  if (s.phase != Phase::connected && s.phase != Phase::game_waiting) {
    return send(s.conn, csa::wrong_state(to_string(s.phase), "GAME", "connected or game_waiting"));
  }
  leave_queue(s);
  s.waits_since.reset();
  go_from_event(s);
}

void Server::State::enter_queue(Session& s) {
  s.phase = Phase::game_waiting;
  if (!s.waits_since) s.waits_since = now.mono;
  ++lobby_changes;
  waiting[{s.room, s.wanted.text}].by_turn[s.turn].emplace(s.login_order, s.conn);
}

void Server::State::leave_queue(Session& s) {
  if (s.phase != Phase::game_waiting) return;
  s.phase = Phase::connected;
  if (std::exchange(s.for_restart, false)) return;
  ++lobby_changes;
  const auto list = waiting.find({s.room, s.wanted.text});
  auto& by_turn = list->second.by_turn;
  const auto queue = by_turn.find(s.turn);
  queue->second.erase(s.login_order);
  if (queue->second.empty()) by_turn.erase(queue);
  if (by_turn.empty()) waiting.erase(list);
}

// The first in login order whose wish fits. `s` itself must not be in the queue.
Session* Server::State::rival_of(const Session& s) {
  if (store_away || draining || !pairs_directly(s) || cools_down(s)) return nullptr;
  const auto list = waiting.find({s.room, s.wanted.text});
  Session* const rival = list == waiting.end() ? nullptr : rival_in(list->second, s.turn);
  return rival != nullptr ? rival : server_of(s);
}

Session* Server::State::rival_in(const WaitingList& list, csa::Turn turn) {
  const std::pair<const std::uint64_t, ConnId>* first = nullptr;
  for (const auto& [wish, queue] : list.by_turn) {
    if (!turns_fit(wish, turn)) continue;
    const auto next = std::ranges::find_if(queue, [this](const auto& each) { return !cools_down(*find(each.second)); });
    if (next != queue.end() && (first == nullptr || next->first < first->first)) first = &*next;
  }
  return first == nullptr ? nullptr : find(first->second);
}

bool Server::State::cools_down(const Session& s) const { return conduct.cools_us(s.id, now.mono) > 0; }

void Server::State::cool_down(Session& s) {
  const std::int64_t wait_us = conduct.cools_us(s.id, now.mono);
  timers.set({TimerKey::Kind::cooled, value(s.conn)}, now.mono + wait_us);
  if (!s.x1) return;
  send(s.conn, fmt::format("##[ADMIN] several of your games were aborted: you are paired with nobody for {} s\n",
                           (wait_us + kSecond - 1) / kSecond));
}

// Rated games of two from one network are worth a look: they may be one person's. They are played all the same.
void Server::State::notice_neighbours(const Session& black, const Session& white, const GameOpened& opened) {
  if (!opened.rated || black.door != Door::csa || white.door != Door::csa) return;
  const std::string network = wide_network(black.address);
  if (network != wide_network(white.address) || is_spared(black.address) || is_spared(white.address)) return;
  conduct.met_neighbour(black.id, now.mono);
  conduct.met_neighbour(white.id, now.mono);
  note(Note::Level::info, fmt::format("game {}: both players are of {}", opened.csa_id, network));
}

void Server::State::pair_everybody() {
  for (const auto& [order, conn] : std::map(by_login)) {
    Session* s = find(conn);
    if (s->phase == Phase::game_waiting) wait_for(*s, csa::GameName(s->wanted), s->turn, false);
  }
}

void Server::State::pair(Session& rival, Session& mover) {
  leave_queue(rival);
  if (rival.turn == csa::Turn::any) rival.turn = opposite(mover.turn);
  if (rival.turn == csa::Turn::any) rival.turn = (random() & 1) != 0 ? csa::Turn::black : csa::Turn::white;
  mover.turn = opposite(rival.turn);
  Session& black = rival.turn == csa::Turn::black ? rival : mover;
  Session& white = rival.turn == csa::Turn::black ? mover : rival;
  begin_game(black, white, open_game(black, white, plan_of(black)), PairedBy::lobby);
  if (black.wanted.is_buoy()) use_up(black.wanted.text);
}

// By the settings of the server, and what its room says instead of them.
GamePlan Server::State::plan_of(const Session& s) const {
  const Room* room = rooms.find(s.room);
  const RoomRules said = room == nullptr ? RoomRules{.rated = s.room == kMainRoom} : room->rules;
  GamePlan plan{.start = {},
                .max_moves = said.max_moves.value_or(rules.max_moves),
                .least_time_per_move_s = said.least_time_s.value_or(rules.least_time_per_move_s),
                .resume = said.resume.value_or(rules.resume),
                .grace_s = said.grace_s.value_or(rules.grace_s),
                .time = {said.time_of(shogi::BLACK), said.time_of(shogi::WHITE)},
                .showing = said.showing,
                .comments = said.comments,
                .rated = said.rated,
                .stays = said.after_game == AfterGame::stay,
                .declaration = said.declaration.value_or(shogi::DeclarationRule::POINTS_27),
                .rulebook = said.rulebook};
  const csa::GameName& name = s.wanted;
  if (const auto buoy = buoys.find(name.text); buoy != buoys.end()) {
    plan.start.sfen = buoy->second.start_sfen;
    plan.start.moves = buoy->second.moves;
  } else if (auto start = room_start(said); start) {
    plan.start = std::move(*start);
  } else {
    const auto handicap = shogi::handicap_of(name.text);
    plan.start.sfen = handicap ? handicap->sfen : shogi::Position::kStartSfen;
  }
  return plan;
}

// The players have their summaries and must agree; neither of them may be waiting any more.
Table& Server::State::begin_game(Session& black, Session& white, GameOpened opened, PairedBy by) {
  ++pairings_by[static_cast<std::size_t>(by)];
  const GameId id = opened.game;
  append(opened);
  note(Note::Level::info, fmt::format("game {}: {} against {}", opened.csa_id, black.name, white.name));
  notice_neighbours(black, white, opened);
  const auto [it, inserted] =
      tables.emplace(id, Table{.game = Game(std::move(opened), limits.plies), .seats = {black.conn, white.conn}});
  for (Session* s : {&black, &white}) {
    s->phase = Phase::agree_waiting;
    s->game = id;
    const Instant since = std::exchange(s->waits_since, {}).value_or(now.mono);
    if (s->door == Door::csa) waits_of_paired.add(now.mono - since);
  }
  timers.set({TimerKey::Kind::agree, value(id)}, now.mono + limits.agree_us);
  send_summaries(it->second);
  return it->second;
}

GameOpened Server::State::open_game(const Session& black, const Session& white, GamePlan plan) {
  const auto seat = [](const Session& s) {
    return Seat{.name = s.name, .id = s.has_trip ? s.id : "", .builtin = s.door == Door::builtin};
  };
  const auto rate = [this](const Session& s) {
    const PlayerRating* rating = s.has_trip ? ratings->find(s.id) : nullptr;
    return rating == nullptr ? 0 : static_cast<std::int32_t>(rating->rate);
  };
  GameOpened opened;
  opened.game = GameId{++last_game};
  opened.room = black.room;
  opened.csa_id = fmt::format("{}+{}+{}+{}+{}", rules.event, black.wanted.text, black.name, white.name, game_stamp());
  opened.game_name = black.wanted.text;
  opened.black = seat(black);
  opened.white = seat(white);
  opened.time = plan.time[shogi::BLACK].value_or(time_rule(black.wanted));
  TimeRule white_time = plan.time[shogi::WHITE].value_or(time_rule(black.wanted));
  opened.time.least_s = white_time.least_s = plan.least_time_per_move_s;
  if (white_time != opened.time) opened.white_time = white_time;
  opened.max_moves = plan.max_moves;
  opened.start_sfen = std::move(plan.start.sfen);
  opened.preset_moves = std::move(plan.start.moves);
  opened.preset_spent = plan.preset_spent;
  opened.resume = plan.resume;
  opened.grace_s = plan.grace_s;
  opened.at = now.wall;
  opened.local_time = local_time();
  opened.rated = plan.rated && black.has_trip && white.has_trip;
  opened.showing = plan.showing;
  opened.comments = plan.comments;
  opened.stays = plan.stays;
  opened.declaration = plan.declaration;
  opened.rulebook = plan.rulebook;
  opened.black_rate = rate(black);
  opened.white_rate = rate(white);
  return opened;
}

csa::Summary Server::State::summary_of(const Game& game) const {
  const GameOpened& opened = game.opened();
  csa::Summary summary{.game_id = opened.csa_id,
                       .black = opened.black.name,
                       .white = opened.white.name,
                       .to_move = game.to_move(),
                       .max_moves = opened.max_moves,
                       .declaration = opened.declaration,
                       .time = summary_time(opened.time)};
  if (opened.white_time) summary.white_time = summary_time(*opened.white_time);
  return summary;
}

void Server::State::send_summaries(const Table& table) {
  csa::Summary summary = summary_of(table.game);
  summary.board = record::csa_board(*shogi::Position::from_sfen(table.game.opened().start_sfen));
  summary.preset_moves = table.game.opened().preset_moves;
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    summary.your_turn = side;
    summary.reconnect_token = token_for(table, side);
    send(table.seats[side], csa::game_summary(summary));
  }
}

}  // namespace fuhyo::core
