// A cache of evaluations, shared by searches: many games reach the same positions, and a move searches positions of the
// move before again. Bounded by bytes; the oldest entries are replaced first. Entries are exact, so a search gives the
// same result with any cache, or without one. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engines/mcts/tree/game.h"

namespace fuhyo::mcts {

class EvaluationCache {
 public:
  // Uses no more than that. Throws std::bad_alloc. With less than some positions take, nothing is kept.
  explicit EvaluationCache(std::size_t bytes);

  // Writes the logits of the position's moves to their labels, and returns its value; nothing if it is not there. Keys
  // say all that the network is shown.
  std::optional<float> find(std::uint64_t key, std::span<float> logits) const;
  // `moves`: those of the position. What is there by this key is replaced.
  void store(std::uint64_t key, std::span<const LabelledMove> moves, std::span<const float> logits, float value);

  std::size_t bytes() const { return (slots_.size() * sizeof(std::uint64_t)) + (words_.size() * kWord); }

 private:
  static constexpr std::size_t kWord = sizeof(std::uint32_t);

  // Entries lie one behind the other in a ring: two words of key, the value, the number of moves, their labels, two to
  // a word, and their logits. Places count on from round to round.
  bool holds(std::uint64_t place, std::uint64_t key) const;
  const std::uint32_t* at(std::uint64_t place) const { return &words_[place % words_.size()]; }

  std::vector<std::uint32_t> words_;
  std::vector<std::uint64_t> slots_;  // by key: the place of an entry, and 1
  std::uint64_t end_ = 0;             // the place of the next entry
};

}  // namespace fuhyo::mcts
