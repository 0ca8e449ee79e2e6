// Samples out of games with scores and results. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "engines/learn/policy/sample.h"
#include "engines/record/scored_game.h"

namespace fuhyo::learn::policy {

struct GameOptions {
  std::uint64_t most = 0;  // samples to learn from; 0: all
  double late = 0.75;      // so much of them from `late_ply` on
  std::uint16_t late_ply = 60;
  std::uint32_t held_back = 64;  // one game of so many is for tests
  std::uint64_t seed = 1;
};

// Collects samples game by game.
class GameSamples {
 public:
  // `apart`: input_key() of positions that tests show, which must not be learnt.
  GameSamples(const GameOptions& options, std::unordered_set<std::uint64_t> apart)
      : options_(options), apart_(std::move(apart)) {}

  // Every move that was searched.
  void add(const record::ScoredGame& game);

  // A random selection of the samples, in their order; each position and move once. Fewer than `most` if there are too
  // few late or early ones, so that they keep their proportion.
  std::vector<Sample> train() const;
  const std::vector<Sample>& test() const { return test_; }
  std::uint64_t games() const { return games_; }
  std::uint64_t left_out() const { return left_out_; }  // because tests show them

 private:
  GameOptions options_;
  std::unordered_set<std::uint64_t> apart_, pairs_;
  std::vector<Sample> train_, test_;
  std::uint64_t games_ = 0, left_out_ = 0;
};

}  // namespace fuhyo::learn::policy
