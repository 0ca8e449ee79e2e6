#include "server/core/games/game_story.h"

#include <variant>

namespace fuhyo::core {

void GameStory::apply(const Fact& fact) {
  if (const auto* made = std::get_if<MoveMade>(&fact)) game.replay(*made);
  if (std::holds_alternative<GameStarted>(fact)) phase.start();
  if (std::holds_alternative<GamePaused>(fact)) phase.pause();
  if (std::holds_alternative<GameResumed>(fact)) phase.resume();
  if (std::holds_alternative<GameSuspended>(fact)) phase.suspend();
  if (std::holds_alternative<GameContinued>(fact)) phase.go_on();
  record.add(fact);
}

}  // namespace fuhyo::core
