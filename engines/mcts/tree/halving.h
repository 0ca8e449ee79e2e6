// Sequential halving at the root, for few playouts (Danihelka et al., "Policy improvement by planning with Gumbel",
// 2022). The moves with the highest priors get equal shares of the playouts; then the worse half is dropped, and so on,
// until one is left. One thread at a time per tree.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engines/mcts/tree/tree.h"

namespace fuhyo::mcts {

class Halving {
 public:
  struct Settings {
    std::int64_t playouts = 0;  // of the whole search
    int moves = 16;             // to begin with, at most
    // 0: the likeliest moves, the same ones each time; otherwise what they are drawn with.
    std::uint64_t seed = 0;
    double chance = 1;  // what that weighs: with less, the likelier moves are drawn more often
  };

  Halving(const Tree& tree, const std::vector<std::uint8_t>& allowed, const Settings& settings);

  // An edge of the root. Nothing: all playouts are spent, or no move is left that could be looked at.
  std::optional<std::uint16_t> choose(const Tree& tree);
  // What is left, best first; to be asked when the search is over.
  std::vector<std::uint16_t> ranking(const Tree& tree) const;

 private:
  struct Candidate {
    std::uint16_t edge;
    double base;  // logit of the prior, with what chance has added
    std::uint32_t visits_before;
  };
  double score(const Tree& tree, const Candidate& candidate) const;
  void sort_by_score(const Tree& tree, std::vector<Candidate>& candidates) const;
  void begin_phase();

  std::vector<Candidate> candidates_;  // those of this phase
  std::vector<Candidate> dropped_;     // the last one first
  std::int64_t left_ = 0;              // playouts of all phases
  std::int64_t left_of_phase_ = 0;
  std::size_t phases_ = 0;  // that are left, this one included
};

// After a search: for each edge of the root the share that a better policy would give it (Danihelka et al., equation
// 11: priors and values together; moves without a visit count as the root's mixed value). Together 1. Certain wins
// share everything among themselves; certain losses get nothing, unless there is nothing else. All edges must have
// children.
std::vector<double> improved_policy(const Tree& tree);

}  // namespace fuhyo::mcts
