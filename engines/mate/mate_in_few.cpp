#include "engines/mate/mate_in_few.h"

#include <algorithm>

#include "engines/mate/mate_in_one.h"
#include "engines/shogi/checks.h"

namespace fuhyo::mate {
namespace {

using namespace shogi;

class Attempt {
 public:
  Attempt(Position& position, int& moves) : p_(position), moves_(moves) {}

  Move attack(int plies) {
    if (const Move move = mate_in_one(p_)) return move;
    if (plies <= 1 || moves_ <= 0) return {};
    Move checks[MAX_LEGAL_MOVES];
    const Move* const end = generate_checks(p_, checks);
    for (const Move* m = checks; m != end && moves_ > 0; ++m) {
      if (declines_promotion(p_, *m)) continue;  // too rare for a leaf
      --moves_;
      const Position::Undo undo = p_.do_move(*m);
      const bool mates = every_defence_fails(plies - 1);
      p_.undo_move(*m, undo);
      if (mates) return *m;
    }
    return {};
  }

 private:
  bool every_defence_fails(int plies) {
    for (const Move move : MoveList<GenKind::LEGAL>(p_)) {
      if (--moves_ < 0) return false;
      const Position::Undo undo = p_.do_move(move);
      const bool fails = static_cast<bool>(attack(plies - 1));
      p_.undo_move(move, undo);
      if (!fails) return false;
    }
    return true;
  }

  Position& p_;
  int& moves_;
};

}  // namespace

Move mate_in_few(Position& position, int plies, int& moves) {
  const Move move = Attempt(position, moves).attack(plies);
  moves = std::max(moves, 0);
  return move;
}

}  // namespace fuhyo::mate
