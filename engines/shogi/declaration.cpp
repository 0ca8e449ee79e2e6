#include "engines/shogi/declaration.h"

#include "engines/shogi/enum_names.h"

namespace fuhyo::shogi {
namespace {

// In the order of DeclarationRule.
constexpr std::array<std::string_view, 6> kNames = {"NoEnteringKing", "CSARule27",  "CSARule27H",
                                                    "CSARule24",      "CSARule24H", "TryRule"};

constexpr int kPiecesNeeded = 10;
constexpr int kPointsOfFullSet = 54;

bool king_in_zone(const Position& position) {
  const Color us = position.side_to_move();
  const Square king = position.king_square(us);
  return king != SQ_NONE && in_promotion_zone(us, king);
}

Bitboard pieces_in_zone(const Position& position) {
  const Color us = position.side_to_move();
  return (position.pieces(us) & promotion_zone(us)) - position.pieces(KING);
}

int points_of_hand(Hand hand) {
  int sum = 0;
  for (std::uint8_t type = PAWN; type <= GOLD; ++type) {
    sum += hand.count(static_cast<PieceType>(type)) * (type == BISHOP || type == ROOK ? 5 : 1);
  }
  return sum;
}

int points(const Position& position) {
  const Bitboard zone = pieces_in_zone(position);
  const Bitboard big =
      position.pieces(ROOK) | position.pieces(BISHOP) | position.pieces(DRAGON) | position.pieces(HORSE);
  return zone.count() + 4 * (zone & big).count() + points_of_hand(position.hand(position.side_to_move()));
}

// Of both sides together, on the board and in hand; 54 with a full set.
int points_of_all(const Position& position) {
  const Bitboard big =
      position.pieces(ROOK) | position.pieces(BISHOP) | position.pieces(DRAGON) | position.pieces(HORSE);
  int sum = (position.occupied() - position.pieces(KING)).count() + 4 * big.count();
  for (const Color c : {BLACK, WHITE}) sum += points_of_hand(position.hand(c));
  return sum;
}

Square goal_of(Color us) { return make_square(5, us == BLACK ? 1 : 9); }

bool king_near_goal(const Position& position) {
  const Color us = position.side_to_move();
  const Square king = position.king_square(us);
  return king != SQ_NONE && king_attacks(king).test(goal_of(us));
}

DeclarationVerdict judge_try(const Position& position) {
  DeclarationVerdict verdict;
  if (!king_near_goal(position)) {
    verdict.reason = "the king is not next to its goal";
    return verdict;
  }
  verdict.winning_move = try_move(position);
  verdict.valid = bool{verdict.winning_move};
  verdict.reason = verdict.valid ? "the king reaches its goal" : "the king cannot move to its goal";
  return verdict;
}

// Why the common conditions do not hold; empty if they do.
std::string missing(const Position& position, int pieces) {
  if (position.king_square(position.side_to_move()) == SQ_NONE) return "there is no king";
  if (!king_in_zone(position)) return "the king is not in the last three ranks";
  if (position.in_check()) return "the king is in check";
  if (pieces >= kPiecesNeeded) return "";
  return std::to_string(pieces) + " pieces in the last three ranks, 10 needed";
}

void judge_points(DeclarationVerdict& verdict, int to_win, int to_draw) {
  verdict.valid = verdict.points >= to_win;
  verdict.draw = !verdict.valid && verdict.points >= to_draw;
  verdict.reason = std::to_string(verdict.points) + " points, " + std::to_string(to_win) + " needed";
  if (verdict.draw) verdict.reason += "; a draw from " + std::to_string(to_draw);
}

}  // namespace

std::string_view entering_king_rule(DeclarationRule rule) { return kNames[static_cast<std::size_t>(rule)]; }

std::optional<DeclarationRule> entering_king_rule_of(std::string_view name) {
  return value_named<DeclarationRule>(kNames, name);
}

DeclarationRequirement DeclarationRequirement::of(DeclarationRule rule, const Position& start) {
  using enum DeclarationRule;
  DeclarationRequirement requirement{.rule = rule};
  if (rule == POINTS_24 || rule == POINTS_24_H) {
    requirement.to_win = {31, 31};
    requirement.to_draw = {24, 24};
  }
  if (rule == POINTS_27_H || rule == POINTS_24_H) {
    const int left_out = kPointsOfFullSet - points_of_all(start);
    requirement.to_win[WHITE] -= left_out;
    requirement.to_draw[WHITE] -= left_out;
  }
  return requirement;
}

Move try_move(const Position& position) {
  if (!king_near_goal(position)) return {};
  const Color us = position.side_to_move();
  const Move move = Move::board(position.king_square(us), goal_of(us), false);
  return position.is_legal(move) ? move : Move{};
}

DeclarationVerdict judge_declaration(const Position& position, DeclarationRule rule) {
  if (rule == DeclarationRule::TRY) return judge_try(position);
  if (rule == DeclarationRule::NONE) return {.reason = "nothing can be declared in this game"};
  DeclarationVerdict verdict;
  verdict.points = points(position);
  verdict.pieces_in_zone = pieces_in_zone(position).count();
  verdict.reason = missing(position, verdict.pieces_in_zone);
  if (!verdict.reason.empty()) return verdict;
  const DeclarationRequirement requirement = DeclarationRequirement::of(rule, position);
  judge_points(verdict, requirement.to_win[position.side_to_move()], requirement.to_draw[position.side_to_move()]);
  return verdict;
}

bool can_declare(const Position& position, const DeclarationRequirement& requirement) {
  using enum DeclarationRule;
  if (requirement.rule == TRY) return bool{try_move(position)};
  if (!king_in_zone(position) || requirement.rule == NONE || position.in_check()) return false;
  return pieces_in_zone(position).count() >= kPiecesNeeded &&
         points(position) >= requirement.to_win[position.side_to_move()];
}

bool can_declare(const Position& position) { return can_declare(position, DeclarationRequirement{}); }

}  // namespace fuhyo::shogi
