// Holds engines/shogi to the oracle, position by position and game by game.
#pragma once

#include <cstdint>
#include <random>

#include "engines/shogi/position.h"
#include "engines/shogi/repetition.h"
#include "tests/oracle/oracle.h"

namespace fuhyo::oracle {

// What the compared positions had in them: a run that meets none of something has not tested it.
struct Tally {
  std::uint64_t positions = 0, moves = 0, checks = 0, no_moves = 0, pawn_drop_mates = 0, declarations = 0;
  std::uint64_t draws = 0, perpetual_checks = 0, server_draws = 0, server_perpetual_checks = 0;
};

using Difference = std::optional<std::string>;  // in words; nothing if the two agree

// One game played on both boards.
class Pair {
 public:
  // Both boards set up from the same text, which must be a valid position.
  explicit Pair(const std::string& sfen);

  const shogi::Position& position() const { return position_; }
  // The legal moves of this position, in both notations at the same index.
  const std::vector<Move>& moves() const { return moves_; }
  const std::vector<shogi::Move>& fast_moves() const { return fast_moves_; }
  bool over() const { return over_real_ && over_server_; }

  // Compares everything that can be asked of this position.
  Difference compare(Tally& tally, std::mt19937& random);
  // Plays a legal move on both boards and compares the ends of the game by repetition.
  Difference play(std::size_t move, Tally& tally);

 private:
  Difference compare_lists(Tally& tally);
  Difference compare_kinds() const;
  Difference compare_any_move(std::mt19937& random, Tally& tally) const;
  Difference compare_checks(std::mt19937& random) const;
  Difference compare_text() const;

  shogi::Position position_;
  Board board_;
  shogi::RepetitionHistory real_{shogi::RepetitionRule::REAL}, server_{shogi::RepetitionRule::SHOGI_SERVER};
  RealRepetition oracle_real_;
  ServerRepetition oracle_server_;
  bool over_real_ = false, over_server_ = false;
  std::vector<Move> moves_;
  std::vector<shogi::Move> fast_moves_;
};

}  // namespace fuhyo::oracle
