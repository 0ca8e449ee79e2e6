#include "server/core/live_view.h"

#include <utility>
#include <variant>

#include "server/core/games/game.h"

namespace fuhyo::core {

LiveGame::LiveGame(GameStory story, SpectatorDelay delay_in) : GameStory(std::move(story)), delay(delay_in) {
  if (const auto start = shogi::Position::from_sfen(opened.start_sfen)) position = *start;
  Clock clock = first_clock(opened);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (position && !play(*position, moves[i])) position.reset();
    if (i < opened.preset_moves.size()) continue;
    clock.spend(moves[i].starts_with('-') ? shogi::WHITE : shogi::BLACK, move_made(opened.game, moves[i]).spent_s);
  }
  remaining_s = {clock.remaining_s(shogi::BLACK), clock.remaining_s(shogi::WHITE)};
  if (moves.size() <= opened.preset_moves.size()) turn_since = phase.has_started() ? started : opened.at;
}

void LiveGame::apply(const Fact& fact) {
  GameStory::apply(fact);
  // The clocks run on, unless there is another reason why they stand.
  const auto run_on = [this](Wall at) {
    if (!phase.runs()) return;
    turn_since = Wall{at.us - paused_us.value_or(0)};
    paused_us.reset();
  };
  if (std::holds_alternative<GameStarted>(fact)) turn_since = started;
  if (const auto* made = std::get_if<MoveMade>(&fact)) {
    const bool is_next = static_cast<std::size_t>(made->ply) == moves.size();
    if (position && !(is_next && play(*position, made->csa))) position.reset();
    remaining_s[made->csa.starts_with('-') ? 1 : 0] = made->remaining_s;
    turn_since = made->at;
  }
  if (const auto* paused = std::get_if<GamePaused>(&fact)) paused_us = paused->used_us;
  if (const auto* suspended = std::get_if<GameSuspended>(&fact)) paused_us = suspended->used_us;
  if (const auto* resumed = std::get_if<GameResumed>(&fact)) run_on(resumed->at);
  if (const auto* continued = std::get_if<GameContinued>(&fact)) run_on(continued->at);
}

std::optional<LiveChange> LiveView::apply(const Journaled& row) {
  upto_ = row.seq;
  if (const auto* opened = std::get_if<GameOpened>(&row.fact)) {
    const auto game = games_.insert_or_assign(opened->game, LiveGame({*opened}, delay_of(delays_, *opened))).first;
    return LiveChange{row.seq, row.fact, game->second};
  }
  if (std::holds_alternative<RecordNote>(row.fact)) return std::nullopt;  // for the record only
  if (std::holds_alternative<TournamentGame>(row.fact)) return std::nullopt;
  const auto it = games_.find(game_of(row.fact));
  if (it == games_.end()) return std::nullopt;
  LiveGame& game = it->second;
  game.apply(row.fact);
  if (std::holds_alternative<GameRejected>(row.fact)) {
    rejected_ = std::move(game);
    games_.erase(it);
    return LiveChange{row.seq, row.fact, *rejected_};
  }
  if (std::holds_alternative<GameEnded>(row.fact)) end(game.opened.game);
  return LiveChange{row.seq, row.fact, game};
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
