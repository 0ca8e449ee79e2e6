// Statistics of training data, as text. Pure values; one thread at a time per object.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "engines/record/scored_game.h"

namespace fuhyo::learn {

std::string_view to_string(record::Winner winner);     // "Black", "White", "nobody"
std::string_view to_string(record::ScoredEnd end);     // "no move", "declaration", ...
std::string position_line(const record::ScoredGame&);  // "startpos moves 7g7f ...", "sfen ... moves ..."

class Summary {
 public:
  void add(const record::ScoredGame& game);

  std::uint64_t games() const { return games_; }
  std::uint64_t moves() const { return moves_; }
  std::uint64_t searched() const { return searched_; }  // of them
  // Lines of text, indented. `bytes`: of the file.
  std::string text(std::uint64_t bytes) const;

 private:
  std::uint64_t games_ = 0, moves_ = 0, searched_ = 0, from_elsewhere_ = 0;
  std::uint64_t shortest_ = 0, longest_ = 0, mates_ = 0;
  double magnitudes_ = 0;  // of scores that are no mates, summed
  std::array<std::uint64_t, 3> winners_{};
  std::array<std::uint64_t, 6> ends_{};
};

}  // namespace fuhyo::learn
