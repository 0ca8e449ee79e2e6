#include "server/core/live_view.h"

#include <charconv>
#include <string_view>
#include <utility>
#include <variant>

#include "server/core/games/game.h"

namespace fuhyo::core {
namespace {

void make_move(std::optional<shogi::Position>& position, std::string_view csa) {
  if (position && !play(*position, csa)) position.reset();
}

// "+7776FU,T1"
LiveMove preset_move(std::string_view text) {
  const std::size_t comma = text.find(",T");
  LiveMove move{.csa = std::string(text.substr(0, comma))};
  if (comma != std::string_view::npos)
    std::from_chars(text.data() + comma + 2, text.data() + text.size(), move.spent_s);
  return move;
}

// The clocks run on, unless there is another reason why they stand.
void run_on(LiveGame& game, Wall at) {
  if (game.by_operator || game.suspended) return;
  game.turn_since = Wall{at.us - game.paused_us.value_or(0)};
  game.paused_us.reset();
}

}  // namespace

std::optional<LiveChange> LiveView::apply(const Journaled& row) {
  upto_ = row.seq;
  if (const auto* opened = std::get_if<GameOpened>(&row.fact)) return LiveChange{row.seq, row.fact, *open(*opened)};
  if (std::holds_alternative<RecordNote>(row.fact)) return std::nullopt;  // for the record only
  if (std::holds_alternative<TournamentGame>(row.fact)) return std::nullopt;
  const auto it = games_.find(game_of(row.fact));
  if (it == games_.end()) return std::nullopt;
  LiveGame& game = it->second;
  if (const auto* started = std::get_if<GameStarted>(&row.fact)) {
    game.state = LiveGame::State::running;
    game.turn_since = started->at;
  }
  if (const auto* made = std::get_if<MoveMade>(&row.fact)) move(game, *made);
  if (const auto* paused = std::get_if<GamePaused>(&row.fact)) {
    game.by_operator = true;
    game.paused_us = paused->used_us;
  }
  if (const auto* suspended = std::get_if<GameSuspended>(&row.fact)) {
    game.suspended = true;
    game.paused_us = suspended->used_us;
  }
  if (const auto* resumed = std::get_if<GameResumed>(&row.fact)) {
    game.by_operator = false;
    run_on(game, resumed->at);
  }
  if (const auto* continued = std::get_if<GameContinued>(&row.fact)) {
    game.suspended = false;
    run_on(game, continued->at);
  }
  if (std::holds_alternative<GameRejected>(row.fact)) {
    rejected_ = std::move(game);
    games_.erase(it);
    return LiveChange{row.seq, row.fact, *rejected_};
  }
  if (const auto* ended = std::get_if<GameEnded>(&row.fact)) {
    game.state = LiveGame::State::ended;
    game.ended = *ended;
    end(ended->game);
  }
  return LiveChange{row.seq, row.fact, game};
}

LiveGame* LiveView::open(const GameOpened& opened) {
  LiveGame game{.opened = opened,
                .delay = delay_of(delays_, opened),
                .moves = {},
                .position = {},
                .remaining_s = {},
                .turn_since = opened.at,
                .paused_us = {},
                .ended = {}};
  const Clock clock = first_clock(opened);
  game.remaining_s = {clock.remaining_s(shogi::BLACK), clock.remaining_s(shogi::WHITE)};
  if (auto position = shogi::Position::from_sfen(opened.start_sfen)) game.position = *position;
  for (const std::string& text : opened.preset_moves) {
    game.moves.push_back(preset_move(text));
    make_move(game.position, game.moves.back().csa);
  }
  return &games_.insert_or_assign(opened.game, std::move(game)).first->second;
}

void LiveView::move(LiveGame& game, const MoveMade& made) {
  if (static_cast<std::size_t>(made.ply) != game.moves.size() + 1) game.position.reset();
  game.moves.push_back({made.csa, made.spent_s, made.comment});
  make_move(game.position, made.csa);
  const bool white = made.csa.starts_with('-');
  game.remaining_s[white ? 1 : 0] = made.remaining_s;
  game.turn_since = made.at;
}

// The game that ends now is never the one that goes, unless none may stay; it goes with the next one then.
void LiveView::end(GameId id) {
  while (!ended_.empty() && ended_.size() >= max_ended_) {
    games_.erase(ended_.front());
    ended_.pop_front();
  }
  ended_.push_back(id);
}

}  // namespace fuhyo::core
