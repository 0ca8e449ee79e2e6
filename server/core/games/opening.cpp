// Games are opened: what they are to be, the Game_Summary.
#include <fmt/format.h>
#include <utility>

#include "engines/record/csa_move.h"
#include "server/core/games/games.h"
#include "server/core/sessions/sessions.h"
#include "server/csa/format.h"

namespace fuhyo::core {
namespace {

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

// shogi-server's time stamps are strictly increasing as numbers, so with several games in a second the last ones are
// no valid times; tools take them as names.
std::string Games::game_stamp() {
  const CivilTime t = civil(now_.wall, rules_.zone);
  std::uint64_t stamp = 0;
  for (const int part : {t.month, t.day, t.hour, t.minute, t.second}) {
    stamp = (stamp == 0 ? static_cast<std::uint64_t>(t.year) : stamp) * 100 + static_cast<std::uint64_t>(part);
  }
  last_stamp_ = std::max(stamp, last_stamp_ + 1);
  return fmt::format("{:014}", last_stamp_);
}

// Rated games of two from one network are worth a look: they may be one person's. They are played all the same.
void Games::notice_neighbours(const Session& black, const Session& white, const GameOpened& opened) {
  if (!opened.rated || black.kind == ConnectionKind::builtin || white.kind == ConnectionKind::builtin) return;
  const std::string network = wide_network(black.address);
  if (network != wide_network(white.address) || parts_.sessions.is_spared(black.address) ||
      parts_.sessions.is_spared(white.address))
    return;
  conduct_.met_neighbour(black.id, now_.mono);
  conduct_.met_neighbour(white.id, now_.mono);
  note(Note::Level::info, fmt::format("game {}: both players are of {}", opened.csa_id, network));
}

// The players have their summaries and must agree; neither of them may be waiting any more.
GameSession& Games::begin_game(Session& black, Session& white, GameOpened opened, PairedBy by) {
  ++pairings_by_[static_cast<std::size_t>(by)];
  const GameId id = opened.game;
  append(opened);
  note(Note::Level::info, fmt::format("game {}: {} against {}", opened.csa_id, black.name, white.name));
  notice_neighbours(black, white, opened);
  const auto [it, inserted] =
      games_.emplace(id, GameSession{{Game(std::move(opened), limits_.plies)}, {black.conn, white.conn}});
  for (Session* player : {&black, &white}) {
    player->phase = Phase::agree_waiting;
    player->game = id;
    const Instant since = std::exchange(player->waits_since, {}).value_or(now_.mono);
    if (player->kind != ConnectionKind::builtin) waits_of_paired_.add(now_.mono - since);
  }
  timers_.set({TimerKey::Kind::agree, value(id)}, now_.mono + limits_.agree_us);
  send_summaries(it->second);
  return it->second;
}

GameOpened Games::open_game(const Session& black, const Session& white, GamePlan plan) {
  const auto seat = [](const Session& player) {
    return Seat{
        .name = player.name, .id = player.has_trip ? player.id : "", .builtin = player.kind == ConnectionKind::builtin};
  };
  const auto rate = [this](const Session& player) {
    const PlayerRating* rating = player.has_trip ? context_.ratings->find(player.id) : nullptr;
    return rating == nullptr ? 0 : static_cast<std::int32_t>(rating->rate);
  };
  GameOpened opened;
  opened.game = GameId{++last_game_};
  opened.room = black.room;
  opened.csa_id = fmt::format("{}+{}+{}+{}+{}", rules_.event, black.wanted.text, black.name, white.name, game_stamp());
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
  opened.at = now_.wall;
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

csa::Summary Games::summary_of(const Game& game) const {
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

void Games::send_summaries(const GameSession& session) {
  csa::Summary summary = summary_of(session.game);
  summary.board = record::csa_board(*shogi::Position::from_sfen(session.game.opened().start_sfen));
  summary.preset_moves = session.game.opened().preset_moves;
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    summary.your_turn = side;
    summary.reconnect_token = token_for(session, side);
    send(session.seats[side], csa::game_summary(summary));
  }
}

}  // namespace fuhyo::core
