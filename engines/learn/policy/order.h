// The order in which samples are learnt, shuffled anew for each epoch, and the symmetry in which each is shown. A
// function of the seed, so that a training can resume anywhere. One thread at a time to change it; then any.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "engines/match/tune/random.h"

namespace fuhyo::learn::policy {

// Fisher and Yates, as Durstenfeld wrote it down.
template <class T>
void shuffle(std::vector<T>& values, std::uint64_t seed, std::uint64_t stream = 0) {
  match::tune::Random random(seed, stream);
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

class Order {
 public:
  Order(std::size_t samples, std::uint64_t seed) : seed_(seed), indices_(samples) {}

  void go_to(std::uint64_t epoch) {
    if (epoch == epoch_) return;
    std::iota(indices_.begin(), indices_.end(), 0U);
    shuffle(indices_, seed_, epoch + 1);
    epoch_ = epoch;
  }
  std::size_t sample(std::size_t place) const { return indices_[place]; }
  // Which of so many symmetries of a sample is shown: one after the other, the first one random. With two it is
  // mirrored in every other epoch.
  std::size_t symmetry(std::size_t place, std::size_t symmetries) const {
    const std::uint64_t draw = match::tune::Random(seed_, kSymmetry + indices_[place]).bits() >> 32U;
    return static_cast<std::size_t>(((draw * symmetries >> 32U) + epoch_ + 1) % symmetries);
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0}, kSymmetry = std::uint64_t{1} << 40U;

  std::uint64_t seed_, epoch_ = kNone;
  std::vector<std::uint32_t> indices_;
};

}  // namespace fuhyo::learn::policy
