// Positions that are frequent in games of strong players, as starts of self-play. Pure; one thread at a time per
// object.
//
// The rules are those by which dlshogi's start positions were made of floodgate's records: of games with a player rated
// 3000 or more, 80 plies or more, without sennichite, the positions before each of the first 26 moves; of those, the
// ones that occurred at least as often as 99 of 100 did not.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <vector>

#include "engines/record/game.h"
#include "engines/record/hcp.h"

namespace fuhyo::learn {

struct FrequencyOptions {
  double rating = 3'000;  // of a player, by shogi-server's comment "'black_rate:NAME:3012.0"
  bool both = false;      // ... of both
  std::size_t least_plies = 80;
  std::size_t first_plies = 26;
  double percentile = 99;  // 0 to 100
};

struct FrequentPosition {
  record::Hcp position;
  std::uint32_t count = 0;  // occurrences
  int ply = 0;              // moves made before it, where it was first seen
};

class FrequentPositions {
 public:
  struct Counts {
    std::uint64_t games = 0;  // that count; out are those
    std::uint64_t unrated = 0, too_short = 0, repeated = 0;
    std::uint64_t positions = 0;  // all occurrences
  };

  explicit FrequentPositions(const FrequencyOptions& options) : options_(options) {}

  // An error if a move is illegal; then nothing of the game is counted.
  std::expected<void, std::string> add(const record::Game& game);

  const Counts& counts() const { return counts_; }
  std::uint64_t distinct() const { return positions_.size(); }
  // The percentile of occurrences, linear between two, rounded down; 0 without positions.
  std::uint32_t threshold() const;
  // Those at or above the threshold, the most frequent first; of equals by their bytes.
  std::vector<FrequentPosition> frequent() const;

 private:
  struct Seen {
    std::uint32_t count = 0;
    int ply = 0;
  };

  FrequencyOptions options_;
  Counts counts_;
  std::map<record::Hcp, Seen> positions_;
};

}  // namespace fuhyo::learn
