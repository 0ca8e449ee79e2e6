// Games that are shown with a delay: what their watchers hear comes out of the facts when these may be seen, and goes
// into a game that stands where the watchers are.
#include <fmt/format.h>
#include <utility>

#include "server/core/monitors/monitors.h"
#include "server/core/record_text.h"

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
    delayed_games_.emplace(opened->game,
                           DelayedGame{.game = Game(*opened, limits_.plies), .record = {}, .watchers = {}});
    return;
  }
  const auto found = delayed_games_.find(game_of(fact));
  if (found == delayed_games_.end()) return;
  DelayedGame& late = found->second;
  const Scene scene{late.game, late.record, late.watchers};
  const auto comment = [&](const std::string& lines) {
    late.record.add_said_by_server(lines);
    tell_comment(scene, lines);
  };
  if (const auto* made = std::get_if<MoveMade>(&fact)) {
    late.game.replay(*made);
    tell_line(scene, late.game.moves().back());
    late.record.add(*made);
  }
  if (const auto* noted = std::get_if<RecordNote>(&fact)) {
    late.record.add(*noted);
    if (!is_deferred(*noted)) tell_comment(scene, record_note(*noted));
  }
  if (const auto* paused = std::get_if<GamePaused>(&fact)) comment(record_paused(*paused));
  if (const auto* resumed = std::get_if<GameResumed>(&fact)) comment(record_resumed(*resumed));
  if (const auto* suspended = std::get_if<GameSuspended>(&fact)) comment(record_suspended(*suspended));
  if (const auto* continued = std::get_if<GameContinued>(&fact)) comment(record_continued(*continued));
  if (const auto* ended = std::get_if<GameEnded>(&fact)) {
    if (ended->line == "%KACHI") tell_line(scene, fmt::format("{},T{}", ended->line, ended->spent_s));
    tell_end(scene, *ended);
    delayed_games_.erase(found);
  }
  if (std::holds_alternative<GameRejected>(fact)) delayed_games_.erase(found);
}

}  // namespace fuhyo::core
