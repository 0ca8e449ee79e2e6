// Declaring a win with the king in the promotion zone (nyugyoku).
#pragma once

#include <string>

#include "engines/shogi/position.h"

namespace fuhyo::shogi {

// What the side to move must have: its king in its promotion zone and not in check, ten other own pieces there, and
// points of those pieces and the hand (rook and bishop 5, others 1).
enum class DeclarationRule : std::uint8_t {
  POINTS_27,  // 28 points for Black, 27 for White: wins. shogi-server's %KACHI; the same in handicap games.
  POINTS_24,  // 31 points: wins; 24 to 30: a draw
  TRY,        // none of these: the king can legally move to the middle of the last rank
};

struct DeclarationVerdict {
  bool valid = false;  // declaring wins
  bool draw = false;   // declaring draws (POINTS_24)
  int points = 0;
  int pieces_in_zone = 0;  // the king not counted
  Move winning_move;       // of a try
  std::string reason;      // why it is so, in words
};

DeclarationVerdict judge_declaration(const Position& position, DeclarationRule rule);

// Whether a 27-point declaration wins. Cheap while the king is not in the zone.
bool can_declare(const Position& position);

}  // namespace fuhyo::shogi
