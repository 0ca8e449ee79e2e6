// Games that are shown with a delay: what their watchers hear comes out of the facts when these may be seen, and goes
// into a game that stands where the watchers are.
#include <fmt/format.h>
#include <utility>
#include <variant>

#include "server/core/monitors/monitors.h"

namespace fuhyo::core {
namespace {

constexpr TimerKey kTimer{TimerKey::Kind::delays, 0};

}  // namespace

// Facts are applied as they stand; nobody watches yet.
void Monitors::begin(const std::vector<Journaled>& of_running_games) {
  show_late(delays_.begin(of_running_games, now_));
  arm_delays();
}

void Monitors::take() {
  if (!delays_.concerns(context_.last_appended().fact)) return;
  show_late(delays_.take(context_.last_appended(), now_));
  arm_delays();
}

void Monitors::delays_due() {
  show_late(delays_.release(now_.mono));
  arm_delays();
}

void Monitors::show_late(const std::vector<Journaled>& rows) {
  for (const Journaled& row : rows) show_late(row.fact);
}

void Monitors::arm_delays() {
  if (const auto due = delays_.next()) timers_.set(kTimer, *due);
}

void Monitors::show_late(const Fact& fact) {
  if (const auto* opened = std::get_if<GameOpened>(&fact)) {
    if (delay_of(delays_.rules(), *opened) == SpectatorDelay{}) return;
    delayed_games_.emplace(opened->game, WatchedGame{Game(*opened, limits_.plies)});
    return;
  }
  const auto found = delayed_games_.find(game_of(fact));
  if (found == delayed_games_.end()) return;
  WatchedGame& late = found->second;
  late.game.apply(fact);
  if (std::holds_alternative<MoveMade>(fact)) {
    show_line(late, late.game.moves().back());
  }
  show_comment(late, fact);
  if (const auto* ended = std::get_if<GameEnded>(&fact)) {
    if (ended->line == "%KACHI") show_line(late, fmt::format("{},T{}", ended->line, ended->spent_s));
    show_end(late, *ended);
    delayed_games_.erase(found);
  }
  if (std::holds_alternative<GameRejected>(fact)) delayed_games_.erase(found);
}

}  // namespace fuhyo::core
