// Shogi as a game of the tree search (tree/game.h). One thread at a time per object; copies are independent.
//
// A repetition within the path, from the root on, has a result: a draw, or a loss by perpetual check. A board that
// comes back with a better or worse hand counts as won or lost, too, but not as proven. A repetition of a position
// before the root counts at the fourth occurrence only, which ends the game.
#pragma once

#include <span>
#include <vector>

#include "engines/mcts/tree/game.h"
#include "engines/shogi/declaration.h"
#include "engines/shogi/path.h"
#include "engines/shogi/position.h"

namespace fuhyo::mcts {

class ShogiGame {
 public:
  static constexpr std::size_t kMostMoves = shogi::MAX_LEGAL_MOVES;

  struct Rules {
    shogi::DeclarationRequirement declaration;
    std::int64_t max_moves = 0;  // the game is a draw after so many plies; 0: no limit
    bool all_moves = false;      // also those that are never better than another
    int mate_plies = 3;          // how long a mate is looked for at new positions: 0, 1, 3, 5 or 7
    int mate_moves = 200;        // ... with so many moves of both sides at most
    bool operator==(const Rules&) const = default;
  };

  // The root is the position after these moves.
  ShogiGame(const shogi::Position& start, std::span<const shogi::Move> moves, const Rules& rules);

  const shogi::Position& position() const { return position_; }

  void do_move(MoveCode move);
  void undo_move();
  std::uint64_t key() const { return position_.key(); }
  int ply() const { return static_cast<int>(undo_.size()) + first_ply_; }
  Verdict verdict() const;
  // By declaration, or by checks.
  int plies_to_win();
  std::size_t moves(std::span<LabelledMove> room) const;
  void write(std::span<nn::Plane> planes, std::span<float> scalars) const;

 private:
  struct Done {
    shogi::Move move;
    shogi::Position::Undo undo;
  };
  Verdict recurred(shogi::Recurrence how) const;

  Rules rules_;
  shogi::Position position_;
  shogi::Path path_;
  std::vector<Done> undo_;
  int first_ply_;  // 1 if White begins
  int root_ply_ = 0;
};
static_assert(Game<ShogiGame>);

}  // namespace fuhyo::mcts
