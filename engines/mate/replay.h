// Replays what a search has proven: every defence, by the rules alone; and lines out of it. What the table has lost on
// the way is proven again. One thread at a time per object.
#pragma once

#include <optional>
#include <vector>

#include "engines/mate/proof_search.h"

namespace fuhyo::mate {

class Replay {
 public:
  explicit Replay(ProofSearch& search) : search_(search) {}

  // Whether the side to move, which attacks, mates within `plies` whatever the defender does. False too if stopped.
  bool mates(shogi::Position& position, Plies plies);
  // A line of a mate within `plies`: the attacker takes the shortest way known, the defender the longest known.
  std::optional<std::vector<shogi::Move>> line(const shogi::Position& position, Plies plies);
  // If there is no mate in less than `plies`: one of exactly so many, with best play of both.
  std::optional<std::vector<shogi::Move>> shortest_line(const shogi::Position& position, Plies plies);

 private:
  struct Step {
    shogi::Move move;
    Plies plies;  // what is left after it, at most
  };
  struct Memo {
    shogi::Key key = 0;
    Plies plies = 0;
  };
  static constexpr std::size_t kMemos = 1 << 12;

  bool all_defences_fail(shogi::Position& position, Plies plies);
  std::optional<Step> attack(shogi::Position& position, Plies plies);
  std::optional<Step> longest_known_defence(shogi::Position& position, Plies plies);
  std::optional<Step> longest_defence(shogi::Position& position, Plies plies);
  template <class Defend>
  std::optional<std::vector<shogi::Move>> play(shogi::Position position, Plies plies, Defend defend);

  ProofSearch& search_;
  std::vector<Memo> replayed_ = std::vector<Memo>(kMemos);  // forgets
};

}  // namespace fuhyo::mate
