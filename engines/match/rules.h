// The rules of a match, beside those of shogi.
#pragma once

#include <cstdint>
#include <optional>

#include "engines/shogi/declaration.h"

namespace fuhyo::match {

// Ends games by the scores of the engines. A mate counts as 30,000 centipawns.
struct Adjudication {
  // Lost: the scores of the last `resign_moves` own moves were all -`resign_cp` or worse; `both`: and the opponent's
  // were all as good for it.
  std::optional<int> resign_cp{};
  int resign_moves = 4;
  bool both = false;
  // A draw: from ply `draw_after` on, the last `draw_moves` scores of either side were within `draw_cp`.
  std::optional<int> draw_cp{};
  int draw_moves = 8;
  int draw_after = 160;
  bool operator==(const Adjudication&) const = default;
};

struct Rules {
  int move_limit = 320;  // plies, those of the opening included; then a draw, unless the last move mates. 0: none
  shogi::DeclarationRule declaration = shogi::DeclarationRule::POINTS_27;
  std::int64_t margin_ms = 20;         // over the clock before the game is lost, for delays of the scheduler
  std::int64_t hang_ms = 10'000;       // over the clock before an engine counts as hung
  std::int64_t patience_ms = 600'000;  // the same for engines without a clock
  Adjudication adjudication;
  bool operator==(const Rules&) const = default;
};

}  // namespace fuhyo::match
