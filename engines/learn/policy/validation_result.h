// The figures of a validation. Values; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace fuhyo::learn::policy {

// Plies of a band: from kBandPlies times its number on; the last one has no end.
constexpr std::size_t kBands = 6;
constexpr std::size_t kBandPlies = 20;

struct ValidationResult {
  struct Band {
    std::uint64_t positions = 0, right = 0;
  };
  std::array<Band, kBands> bands;
  double move_loss = 0;  // mean cross-entropy over the legal moves
  // Of samples with a score and a result, mean losses against
  double value_loss = 0;   // ... their targets
  double result_loss = 0;  // ... results
  double score_loss = 0;   // the same of the score, by the logistic function that fits these results best
  std::uint64_t values = 0;

  std::uint64_t positions() const;
  double accuracy() const;  // how often the legal move with the highest logit is the one that was played
  // "34.1 % of 20000 moves (plies 0-19: 40.2, ...)"; of values, if there are any.
  std::string text() const;
};

}  // namespace fuhyo::learn::policy
