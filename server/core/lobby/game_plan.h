// The settings of a game that is to be opened. A value.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "server/core/buoys/start_position.h"
#include "server/core/game_facts.h"

namespace fuhyo::core {

// Settings that go beyond the game name.
struct GamePlan {
  StartPosition start;
  std::int32_t max_moves = 0;
  std::int32_t least_time_per_move_s = 0;
  bool preset_spent = false;
  ResumeRule resume = ResumeRule::abort;
  std::int32_t grace_s = 0;
  std::array<std::optional<TimeRule>, 2> time;  // of Black and White, instead of that of the game name
  std::optional<SpectatorDelay> showing;
  std::optional<Comments> comments;
  bool rated = true, stays = false;
  shogi::DeclarationRule declaration = shogi::DeclarationRule::POINTS_27;
  Rulebook rulebook = Rulebook::shogi_server;
};

}  // namespace fuhyo::core
