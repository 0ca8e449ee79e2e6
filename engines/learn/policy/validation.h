// What a network says of samples that it has not learnt, computed as engines compute it: norms folded, by the kernels
// of evaluation. One thread at a time; the team's threads help.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <span>
#include <string>

#include "engines/learn/policy/sample.h"
#include "engines/learn/train/team.h"
#include "engines/nn/kernels.h"
#include "engines/nn/model.h"

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

// An error is of a sample that is none.
std::expected<ValidationResult, std::string> validate(const nn::Model& model, std::span<const Sample> samples,
                                                      double lambda, const nn::Kernels& kernels, Team& team);

// The mean cross-entropy of results (0 to 1) and sigmoid(a score / 600 + b), with the a and b that make it least.
double logistic_loss(std::span<const std::pair<double, double>> scores_and_results);

}  // namespace fuhyo::learn::policy
