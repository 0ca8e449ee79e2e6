// Positions for the tests of mates: problems from files, and random ones in which mates are frequent.
#pragma once

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "engines/shogi/movegen.h"
#include "engines/shogi/position.h"
#include "tests/oracle/random_games.h"

namespace fuhyo::mate {

inline shogi::Position at(std::string_view sfen) {
  auto position = shogi::Position::from_sfen(sfen);
  if (!position) ADD_FAILURE() << sfen << ": " << position.error().message;
  return position ? *position : shogi::Position();
}

// One SFEN a line; nothing if the file is not there.
inline std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}
inline std::vector<std::string> shared_problems(const std::string& name) {
  return lines_of(std::filesystem::path(FUHYO_SOURCE_DIR) / "../shared/data/mate" / name);
}

// The opponent's king is attacked by this legal move and cannot be saved; by the rules alone.
inline bool is_mate(const shogi::Position& position, shogi::Move move) {
  if (!position.gives_check(move)) return false;
  shogi::Position next = position;
  next.do_move(move);
  return shogi::count_legal_moves(next) == 0;
}

// Games between players who like to check, from starts of many kinds.
class RandomPositions {
 public:
  explicit RandomPositions(unsigned seed) : random_(seed) { restart(); }

  const shogi::Position& next() {
    const shogi::MoveList<shogi::GenKind::LEGAL> moves(position_);
    if (moves.empty() || ++plies_ > 80) {
      restart();
      return position_;
    }
    std::vector<shogi::Move> checks;
    for (const shogi::Move move : moves) {
      if (position_.gives_check(move)) checks.push_back(move);
    }
    const bool check = !checks.empty() && random_() % 3 == 0;
    position_.do_move(check ? checks[random_() % checks.size()] : moves[random_() % moves.size()]);
    return position_;
  }

 private:
  void restart() {
    position_ = at(oracle::random_start(random_));
    plies_ = 0;
  }

  std::mt19937 random_;
  shogi::Position position_;
  int plies_ = 0;
};

}  // namespace fuhyo::mate
