#include "engines/learn/train/validation.h"

#include <algorithm>

#include "engines/shogi/movegen.h"

namespace fuhyo::learn {
namespace {

constexpr std::size_t kBatch = 16'384;
constexpr std::size_t kComparisons = 2'000;

// y of each.
std::vector<float> evaluate(Learner& learner, std::span<const Sample> samples) {
  std::vector<float> y(samples.size());
  Batch batch;
  for (std::size_t from = 0; from < samples.size(); from += kBatch) {
    const std::size_t count = std::min(kBatch, samples.size() - from);
    batch.resize(count, learner.model().features());
    for (std::size_t i = 0; i < count; ++i) batch.set(i, samples[from + i], false, 1, learner.model().features());
    learner.evaluate(batch, std::span(y).subspan(from, count));
  }
  return y;
}

}  // namespace

Validation::Validation(const Survey& survey, double lambda) : samples_(survey.validation), lambda_(lambda) {
  for (const ScoredPosition& scored : survey.positions) {
    const std::size_t begin = choices_.size();
    std::size_t best = begin;
    for (const shogi::Move move : shogi::legal_moves(scored.position)) {
      shogi::Position after = scored.position;
      after.do_move(move);
      const auto sample = sample_of(after);
      if (!sample) break;
      if (move == scored.best) best = choices_.size();
      choices_.push_back(*sample);
    }
    if (choices_.size() > begin) positions_.push_back({choices_.size(), best});
  }
}

void Validation::add(const Comparisons& comparisons, const ComparisonOptions& options) {
  comparison_ = options;
  match::tune::Random random(0, 0);
  for (std::size_t i = 0; i < kComparisons; ++i) {
    const auto drawn = comparisons.draw_held_back(random);
    compared_.insert(compared_.end(), drawn.begin(), drawn.end());
  }
}

ValidationResult Validation::run(Learner& learner) const {
  ValidationResult result{.samples = samples_.size(), .positions = positions_.size()};
  const std::vector<float> y = evaluate(learner, samples_);
  std::size_t won = 0, right = 0;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const Sample& sample = samples_[i];
    const double value = y[i];
    result.loss += cross_entropy(value, double{target_of(sample, lambda_)});
    result.score_loss += cross_entropy(value, double{target_of(sample, 1)});
    result.score_least += cross_entropy(sample.score / kValueUnit, double{target_of(sample, 1)});
    result.result_loss += cross_entropy(value, double{target_of(sample, 0)});
    if (sample.result == 0) continue;
    ++won;
    if ((value > 0) == (sample.result > 0)) ++right;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(samples_.size(), 1));
  for (double* sum : {&result.loss, &result.score_loss, &result.result_loss, &result.score_least}) *sum /= count;
  result.accuracy = static_cast<double>(right) / static_cast<double>(std::max<std::size_t>(won, 1));
  result.agreement = agreement(learner);
  compare(learner, result);
  return result;
}

void Validation::compare(Learner& learner, ValidationResult& result) const {
  if (compared_.empty()) return;
  const std::vector<float> y = evaluate(learner, compared_);
  std::vector<float> change(comparison_.choices);
  const auto certainty = static_cast<float>(kValueUnit / comparison_.temperature);
  std::size_t agreed = 0;
  for (std::size_t from = 0; from < y.size(); from += comparison_.choices) {
    const auto choices = std::span(y).subspan(from, comparison_.choices);
    result.comparison_loss += comparison_loss(choices, certainty, change);
    if (std::ranges::min_element(choices) == choices.begin()) ++agreed;
    ++result.comparisons;
  }
  const auto count = static_cast<double>(result.comparisons);
  result.comparison_loss /= count;
  result.comparison_agreement = static_cast<double>(agreed) / count;
}

double Validation::agreement(Learner& learner) const {
  const std::vector<float> y = evaluate(learner, choices_);
  std::size_t from = 0, agreed = 0;
  for (const auto [end, best] : positions_) {
    const auto begin = y.begin() + static_cast<std::ptrdiff_t>(from);
    const auto lowest = std::min_element(begin, y.begin() + static_cast<std::ptrdiff_t>(end));
    if (static_cast<std::size_t>(lowest - y.begin()) == best) ++agreed;
    from = end;
  }
  return static_cast<double>(agreed) / static_cast<double>(std::max<std::size_t>(positions_.size(), 1));
}

}  // namespace fuhyo::learn
