#include "engines/learn/policy/validation.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <vector>

#include "engines/learn/train/pass.h"
#include "engines/match/tune/minimise.h"
#include "engines/nn/backend.h"
#include "engines/nn/cpu_backend.h"

namespace fuhyo::learn::policy {
namespace {

constexpr std::size_t kPart = 256;  // samples that a thread takes at a time

// Cross-entropy of a chance to win and what it should be.
double entropy(double chance, double target) {
  constexpr double kLeast = 1e-7;
  chance = std::clamp(chance, kLeast, 1 - kLeast);
  return -target * std::log(chance) - (1 - target) * std::log(1 - chance);
}

// Sums over a part of the samples.
struct Part {
  ValidationResult sums;
  std::vector<std::pair<double, double>> scores;  // and results
  std::string error;
};

void judge_moves(const Example& example, std::span<const float> logits, std::uint16_t ply, ValidationResult& sums) {
  double sum = 0;
  const float played = logits[example.labels[example.played]];
  bool best = true;
  for (const std::uint16_t label : example.labels) {
    sum += std::exp(static_cast<double>(logits[label]) - played);
    best = best && logits[label] <= played;
  }
  sums.move_loss += std::log(sum);
  ValidationResult::Band& band = sums.bands[std::min(ply / kBandPlies, kBands - 1)];
  ++band.positions;
  band.right += best ? 1 : 0;
}

Part judge(nn::Backend& backend, std::span<const Sample> samples, double lambda) {
  Part part;
  std::vector<Example> examples(samples.size());
  nn::Batch batch(backend.shape(), static_cast<std::uint32_t>(samples.size()));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (auto filled = fill_example(samples[i], false, lambda, examples[i]); !filled) {
      part.error = filled.error();
      return part;
    }
    const std::uint32_t at = batch.add();
    std::ranges::copy(examples[i].planes, batch.planes(at).begin());
    std::ranges::copy(examples[i].scalars, batch.scalars(at).begin());
  }
  nn::Evaluations out(backend.shape(), batch.size());
  if (auto done = backend.evaluate(batch, out); !done) {
    part.error = done.error();
    return part;
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto at = static_cast<std::uint32_t>(i);
    judge_moves(examples[i], out.logits(at), samples[i].ply, part.sums);
    if (!samples[i].score || !samples[i].result) continue;
    const double result = *samples[i].result / 2.0, chance = out.value(at);
    part.sums.value_loss += entropy(chance, *examples[i].value);
    part.sums.result_loss += entropy(chance, result);
    ++part.sums.values;
    part.scores.emplace_back(*samples[i].score, result);
  }
  return part;
}

}  // namespace

std::uint64_t ValidationResult::positions() const {
  std::uint64_t sum = 0;
  for (const Band& band : bands) sum += band.positions;
  return sum;
}

double ValidationResult::accuracy() const {
  std::uint64_t right = 0;
  for (const Band& band : bands) right += band.right;
  return static_cast<double>(right) / static_cast<double>(std::max<std::uint64_t>(1, positions()));
}

std::string ValidationResult::text() const {
  std::string out = fmt::format("{:.2f} % of {} moves, loss {:.4f} (plies", 100 * accuracy(), positions(), move_loss);
  for (std::size_t i = 0; i < kBands; ++i) {
    if (bands[i].positions == 0) continue;
    const std::string end = i + 1 < kBands ? fmt::format("{}", (i + 1) * kBandPlies - 1) : "";
    out += fmt::format(" {}-{}: {:.1f}", i * kBandPlies, end,
                       100 * static_cast<double>(bands[i].right) / static_cast<double>(bands[i].positions));
  }
  out += ")";
  if (values > 0) {
    out += fmt::format(", values {:.4f}, results {:.4f} where scores have {:.4f}", value_loss, result_loss, score_loss);
  }
  return out;
}

double logistic_loss(std::span<const std::pair<double, double>> scores_and_results) {
  if (scores_and_results.empty()) return 0;
  const auto count = static_cast<double>(scores_and_results.size());
  const auto loss = [&](const std::vector<double>& fit, std::vector<double>& gradient) {
    double sum = 0;
    gradient = {0, 0};
    for (const auto& [score, result] : scores_and_results) {
      const double x = score / 600, y = fit[0] * x + fit[1], wrong = 1 / (1 + std::exp(-y)) - result;
      sum += cross_entropy(y, result);
      gradient[0] += wrong * x / count;
      gradient[1] += wrong / count;
    }
    return sum / count;
  };
  constexpr int kSteps = 100;
  constexpr double kFar = 1'000;  // where the scores foretell every result, nothing is steep enough
  return match::tune::minimise(loss, {1, 0}, {.low = {-kFar, -kFar}, .high = {kFar, kFar}}, kSteps).value;
}

std::expected<ValidationResult, std::string> validate(const nn::Model& model, std::span<const Sample> samples,
                                                      double lambda, const nn::Kernels& kernels, ThreadPool& pool) {
  const auto first = nn::cpu_backend(model, kernels, false);
  std::vector<std::unique_ptr<nn::Backend>> backends(pool.size());
  for (auto& backend : backends) backend = first->for_another_thread();
  std::vector<Part> parts((samples.size() + kPart - 1) / kPart);
  pool.run(parts.size(), [&](std::size_t part, std::size_t worker) {
    const std::size_t from = part * kPart;
    parts[part] = judge(*backends[worker], samples.subspan(from, std::min(kPart, samples.size() - from)), lambda);
  });
  ValidationResult out;
  std::vector<std::pair<double, double>> scores;
  for (const Part& part : parts) {
    if (!part.error.empty()) return std::unexpected(part.error);
    for (std::size_t i = 0; i < kBands; ++i) {
      out.bands[i].positions += part.sums.bands[i].positions;
      out.bands[i].right += part.sums.bands[i].right;
    }
    out.move_loss += part.sums.move_loss;
    out.value_loss += part.sums.value_loss;
    out.result_loss += part.sums.result_loss;
    out.values += part.sums.values;
    scores.insert(scores.end(), part.scores.begin(), part.scores.end());
  }
  out.move_loss /= static_cast<double>(std::max<std::uint64_t>(1, out.positions()));
  if (out.values > 0) {
    out.value_loss /= static_cast<double>(out.values);
    out.result_loss /= static_cast<double>(out.values);
    out.score_loss = logistic_loss(scores);
  }
  return out;
}

}  // namespace fuhyo::learn::policy
