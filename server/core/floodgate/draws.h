// Chance as an argument. Everything in pairing that is drawn by lot asks here, in an order that is part of the result:
// the same draws give the same games. Values only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fuhyo::core::floodgate {

class Draws {
 public:
  Draws() = default;
  Draws(const Draws&) = delete;
  Draws& operator=(const Draws&) = delete;
  virtual ~Draws() = default;
  // 0 .. n-1, each as likely; n is at least 1. Ruby's rand(n).
  virtual std::uint64_t below(std::uint64_t n) = 0;
};

// The server's: a seed gives one sequence (splitmix64), on every machine.
class SeededDraws final : public Draws {
 public:
  explicit SeededDraws(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t n) override;

 private:
  std::uint64_t state_;
};

// Ruby's Array#shuffle: from the last place down, each is exchanged with one drawn from itself and those before it.
// A list of k takes k-1 draws: below(k), below(k-1), ..., below(2).
template <class T>
void shuffle(std::vector<T>& list, Draws& draws) {
  for (std::size_t left = list.size(); left > 1; --left) std::swap(list[left - 1], list[draws.below(left)]);
}

// Ruby's Array#sample as an index into a list of `size` (at least 1): one draw, none for a list of one.
inline std::size_t sample(std::size_t size, Draws& draws) { return size < 2 ? 0 : draws.below(size); }

}  // namespace fuhyo::core::floodgate
