// Where the compared positions come from: seeded start positions and players with habits, so that checks, pins, mates
// and repetitions are frequent.
#pragma once

#include <unordered_map>

#include "tests/oracle/compare.h"

namespace fuhyo::oracle {

// The normal start, a handicap, pieces thrown anywhere, or a bare ending. Always a valid position.
std::string random_start(std::mt19937& random);

// Chooses moves for both sides of one game.
class Player {
 public:
  explicit Player(std::mt19937& random);
  // An index into pair.fast_moves(), which must not be empty.
  std::size_t choose(const Pair& pair);

 private:
  bool likes(const shogi::Position& position, shogi::Move move) const;
  // The number of different positions before the one that the move leads to; of all if it is new.
  std::size_t first_seen(const shogi::Position& position, shogi::Move move) const;

  std::mt19937& random_;
  bool shuffles_;  // both sides like positions that have occurred, early ones most
  bool chases_;    // one side likes checks
  shogi::Color chaser_;
  std::unordered_map<shogi::Key, std::size_t> seen_;  // numbered in their order
};

}  // namespace fuhyo::oracle
