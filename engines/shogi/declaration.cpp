#include "engines/shogi/declaration.h"

namespace fuhyo::shogi {
namespace {

constexpr int kPiecesNeeded = 10;

bool king_in_zone(const Position& position) {
  const Color us = position.side_to_move();
  const Square king = position.king_square(us);
  return king != SQ_NONE && in_promotion_zone(us, king);
}

Bitboard pieces_in_zone(const Position& position) {
  const Color us = position.side_to_move();
  return (position.pieces(us) & promotion_zone(us)) - position.pieces(KING);
}

int points(const Position& position) {
  const Bitboard zone = pieces_in_zone(position);
  const Bitboard big =
      position.pieces(ROOK) | position.pieces(BISHOP) | position.pieces(DRAGON) | position.pieces(HORSE);
  const Hand hand = position.hand(position.side_to_move());
  int sum = zone.count() + 4 * (zone & big).count();
  for (std::uint8_t type = PAWN; type <= GOLD; ++type) {
    sum += hand.count(static_cast<PieceType>(type)) * (type == BISHOP || type == ROOK ? 5 : 1);
  }
  return sum;
}

int points_needed(Color us) { return us == BLACK ? 28 : 27; }

DeclarationVerdict judge_try(const Position& position) {
  DeclarationVerdict verdict;
  const Color us = position.side_to_move();
  const Square king = position.king_square(us);
  const Square goal = make_square(5, us == BLACK ? 1 : 9);
  if (king == SQ_NONE || !king_attacks(king).test(goal)) {
    verdict.reason = "the king is not next to its goal";
    return verdict;
  }
  const Move move = Move::board(king, goal, false);
  verdict.valid = position.is_legal(move);
  if (verdict.valid) verdict.winning_move = move;
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

DeclarationVerdict judge_declaration(const Position& position, DeclarationRule rule) {
  if (rule == DeclarationRule::TRY) return judge_try(position);
  DeclarationVerdict verdict;
  verdict.points = points(position);
  verdict.pieces_in_zone = pieces_in_zone(position).count();
  verdict.reason = missing(position, verdict.pieces_in_zone);
  if (!verdict.reason.empty()) return verdict;
  if (rule == DeclarationRule::POINTS_27) {
    const int needed = points_needed(position.side_to_move());
    judge_points(verdict, needed, needed);
  } else {
    judge_points(verdict, 31, 24);
  }
  return verdict;
}

bool can_declare(const Position& position) {
  if (!king_in_zone(position) || position.in_check()) return false;
  return pieces_in_zone(position).count() >= kPiecesNeeded &&
         points(position) >= points_needed(position.side_to_move());
}

}  // namespace fuhyo::shogi
