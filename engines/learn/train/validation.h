// Validates a model with games that are held back. One thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "engines/learn/train/comparisons.h"
#include "engines/learn/train/learner.h"
#include "engines/learn/train/sampler.h"

namespace fuhyo::learn {

struct ValidationResult {
  std::size_t samples = 0, positions = 0;
  // Mean cross-entropies: with targets as they are learnt from, of scores alone, of results alone.
  double loss = 0, score_loss = 0, result_loss = 0;
  double score_least = 0;  // what would be left of score_loss if every score were known
  double accuracy = 0;     // how often the model favours the winner, drawn games excluded
  // Of comparisons that are not learnt from: the mean loss, and how often the strong move is found best.
  std::size_t comparisons = 0;
  double comparison_loss = 0, comparison_agreement = 0;
  double agreement = 0;  // how often the best move is the one behind which the model finds the opponent worst off
};

class Validation {
 public:
  Validation(const Survey& survey, double lambda);
  void add(const Comparisons& comparisons, const ComparisonOptions& options);
  ValidationResult run(Learner& learner) const;

 private:
  double agreement(Learner& learner) const;
  void compare(Learner& learner, ValidationResult& result) const;

  std::vector<Sample> samples_;
  double lambda_;
  // Positions after each legal move of one position after the other: where those of each end, and the best one.
  std::vector<Sample> choices_;
  struct Choice {
    std::size_t end, best;
  };
  std::vector<Choice> positions_;
  ComparisonOptions comparison_;
  std::vector<Sample> compared_;
};

}  // namespace fuhyo::learn
