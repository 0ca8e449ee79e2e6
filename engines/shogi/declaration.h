// Declaring a win with the king in the promotion zone (nyugyoku).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engines/shogi/position.h"

namespace fuhyo::shogi {

// What the side to move must have: its king in its promotion zone and not in check, ten other own pieces there, and
// points of those pieces and the hand (rook and bishop 5, others 1).
//
// In a handicap game the rules ending in H credit the giver (White) with the points of what was left out of the set of
// 54; the others ask for the same as in an even game.
enum class DeclarationRule : std::uint8_t {
  NONE,         // nothing can be declared
  POINTS_27,    // 28 points for Black, 27 for White: wins. shogi-server's %KACHI
  POINTS_27_H,  // ... for handicap games
  POINTS_24,    // 31 points: wins; 24 to 30: a draw
  POINTS_24_H,  // ... for handicap games
  TRY,          // none of these: the king can legally move to the middle of the last rank
};

// The names that YaneuraOu's option EnteringKingRule has for the rules: "CSARule27".
std::string_view entering_king_rule(DeclarationRule rule);
std::optional<DeclarationRule> entering_king_rule_of(std::string_view name);

// The points that each colour needs for a declaration in one game. A value, so that a search can test every node.
struct DeclarationRequirement {
  DeclarationRule rule = DeclarationRule::POINTS_27;
  std::array<int, 2> to_win{28, 27};   // points, by colour
  std::array<int, 2> to_draw{28, 27};  // not below to_win where the rule has no draw

  // `start`: any position of the game. Pieces that are missing in it are the handicap.
  static DeclarationRequirement of(DeclarationRule rule, const Position& start);
  bool operator==(const DeclarationRequirement&) const = default;
};

struct DeclarationVerdict {
  bool valid = false;  // declaring wins
  bool draw = false;   // declaring draws (POINTS_24)
  int points = 0;
  int pieces_in_zone = 0;  // the king not counted
  Move winning_move;       // of a try
  std::string reason;      // in words
};

DeclarationVerdict judge_declaration(const Position& position, DeclarationRule rule);

// Whether a declaration wins, or the king can reach its goal (TRY). Cheap while the king is far from there.
bool can_declare(const Position& position, const DeclarationRequirement& requirement);
// ... by 27 points.
bool can_declare(const Position& position);

// The move that wins by the TRY rule; no move if there is none.
Move try_move(const Position& position);

}  // namespace fuhyo::shogi
