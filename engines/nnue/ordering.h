// In which order moves are tried: what the table knows, captures by what they win, killers, then what has worked
// before. One thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "engines/shogi/position.h"

namespace fuhyo::nnue {

constexpr int kMaxPly = 96;

struct ScoredMove {
  shogi::Move move;
  std::int32_t score = 0;
};

class Ordering {
 public:
  Ordering();
  void clear();

  // Fills in the scores. `ply` chooses the killers.
  void score(const shogi::Position& position, std::span<ScoredMove> moves, shogi::Move from_table, int ply) const;
  // A quiet move refuted the position; `tried` are the quiet moves before it, which did not.
  void reward(shogi::Color color, shogi::Move move, std::span<const shogi::Move> tried, int depth, int ply);
  int history(shogi::Color color, shogi::Move move) const { return (*history_)[color][move.bits()]; }

  // Moves the best of moves[from..] to moves[from] and returns it.
  static ScoredMove pick(std::span<ScoredMove> moves, std::size_t from);

 private:
  void bump(shogi::Color color, shogi::Move move, int bonus);

  using History = std::array<std::array<std::int16_t, 65536>, 2>;
  std::unique_ptr<History> history_;
  std::array<std::array<shogi::Move, 2>, kMaxPly + 2> killers_{};
};

// Captures, and promotions of pawns: what changes the material at once.
bool is_tactical(const shogi::Position& position, shogi::Move move);

}  // namespace fuhyo::nnue
