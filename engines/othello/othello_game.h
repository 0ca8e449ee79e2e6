// Othello as a game for the tree search, and as a network sees it. Values; one thread at a time per object.
//
// Inputs: three planes, own stones, those of the other side, and ones. Labels: a move is the square of its stone. A
// pass is the only move wherever there is one, so its label says nothing.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "engines/mcts/tree/game.h"
#include "engines/nn/model.h"
#include "engines/othello/board.h"

namespace fuhyo::othello {

constexpr std::uint32_t kPlanes = 3;

// 2 blocks of 16 channels: five convolutions. Networks for Othello may have more or fewer blocks, channels and values.
nn::Shape default_shape();
// Whether a network of that shape sees and says what is said above; an error tells what does not fit.
std::expected<void, std::string> check_shape(const nn::Shape& shape);

void write_inputs(const Board& board, std::span<nn::Plane> planes);

class OthelloGame {
 public:
  static constexpr std::size_t kMostMoves = kSquares;

  OthelloGame() : line_{Board::start()} {}
  // `ply`: moves made before.
  explicit OthelloGame(const Board& board, int ply = 0) : line_{board}, first_ply_(ply) {}

  const Board& board() const { return line_.back(); }

  void do_move(mcts::MoveCode move) {
    Board next = board();
    next.play(move);
    line_.push_back(next);
  }
  void undo_move() { line_.pop_back(); }
  std::uint64_t key() const;
  int ply() const { return first_ply_ + static_cast<int>(line_.size()) - 1; }
  mcts::Verdict verdict() const;
  static int plies_to_win() { return 0; }
  std::size_t moves(std::span<mcts::LabelledMove> room) const;
  void write(std::span<nn::Plane> planes, std::span<float>) const { write_inputs(board(), planes); }

 private:
  std::vector<Board> line_;
  int first_ply_ = 0;
};
static_assert(mcts::Game<OthelloGame>);

}  // namespace fuhyo::othello
