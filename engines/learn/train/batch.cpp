#include "engines/learn/train/batch.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engines/learn/train/model.h"

namespace fuhyo::learn {

void Batch::resize(std::size_t count, const Features& features) {
  own.resize(count * features.active());
  other.resize(count * features.active());
  target.resize(count);
  comparisons = 0;
}

void Batch::fill(std::span<const Sample> samples, std::span<const std::uint8_t> mirrored, double lambda,
                 const Features& features) {
  resize(samples.size(), features);
  std::vector<std::uint32_t> order(samples.size());
  std::iota(order.begin(), order.end(), 0U);
  if (features.shares()) {
    std::vector<std::uint32_t> places;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const auto turn = static_cast<shogi::Color>(samples[i].turn);
      const bool mirror = mirrored[i] != 0;
      places.push_back(features.place(samples[i], turn, mirror) * features.shared_places() +
                       features.place(samples[i], ~turn, mirror));
    }
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(places[i], i); });
  }
  for (std::size_t i = 0; i < order.size(); ++i) set(i, samples[order[i]], mirrored[order[i]] != 0, lambda, features);
}

void Batch::add_comparisons(std::span<const Sample> samples, std::span<const std::uint8_t> mirrored,
                            const ComparisonOptions& options, const Features& features) {
  const std::size_t before = size();
  resize(before + samples.size(), features);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    set(before + i, samples[i], mirrored[i / options.choices] != 0, 0, features);
    target[before + i] = 0;
  }
  comparisons = samples.size() / options.choices;
  choices = options.choices;
  certainty = static_cast<float>(kValueUnit / options.temperature);
  weight = static_cast<float>(options.weight);
}

void Batch::set(std::size_t at, const Sample& sample, bool mirrored, double lambda, const Features& features) {
  const auto turn = static_cast<shogi::Color>(sample.turn);
  features.list(sample, turn, mirrored, own.data() + at * features.active());
  features.list(sample, ~turn, mirrored, other.data() + at * features.active());
  target[at] = target_of(sample, lambda);
}

float target_of(const Sample& sample, double lambda) {
  const double by_score = 1 / (1 + std::exp(-sample.score / kValueUnit));
  const double by_result = (sample.result + 1) / 2.0;
  return static_cast<float>(lambda * by_score + (1 - lambda) * by_result);
}

}  // namespace fuhyo::learn
