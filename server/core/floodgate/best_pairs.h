// What our own methods share: a field of players with what the history says of them, the cheapest set of pairs by costs
// that the method gives, who is left over, and the colours. Private to this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "server/core/floodgate/pairing.h"

namespace fuhyo::core::floodgate {

struct Contender {
  const Entrant* entrant = nullptr;
  History::Standing standing;
  int strength = 0;       // its rating, or what an unrated one is taken for
  std::size_t place = 0;  // among the entrants
};

// The entrants by descending strength. An unrated one is taken for its last decided opponent +-200, if that one takes
// part and is rated; else for the mean of the rated.
std::vector<Contender> contenders(const Round& round, const History& history);

// Costs of one block of at most about kMostTogether contenders, by their places in it.
class Costs {
 public:
  Costs() = default;
  Costs(const Costs&) = delete;
  Costs& operator=(const Costs&) = delete;
  virtual ~Costs() = default;
  virtual std::int64_t pair(std::size_t a, std::size_t b) const = 0;
  virtual std::int64_t sit_out(std::size_t a) const = 0;
};

// Pairs of a block by places, the better player first; `left` sits out.
struct Pairs {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::size_t left;  // the size of the block: nobody
};
// Two of Round::apart cost more than everything else.
Pairs cheapest_pairs(const Round& round, const std::vector<Contender>& block, const Costs& costs);

// Where a list of so many players is cut: the sizes of blocks, each even but the last.
std::vector<std::size_t> blocks(std::size_t players);

// What the colours of a pair come to when the better choice is made; what a game would add to a player is -1 or +1.
struct ColourNeed {
  int most_balance = 0;  // the larger |games with Black - games with White| of the two after the game
  int longest_run = 0;   // the larger number of games in one colour running, of the two, after it
  bool clash = false;    // both are due the same colour
};
constexpr int kMostBalance = 2;  // what most_balance shall not exceed
ColourNeed colour_need(const History::Standing& a, const History::Standing& b);

// Negative: `a` takes Black; positive: `b` does; 0: nothing decides. The fewer games with Black, then the longer or
// later run of White, has it.
int who_has_black(const History::Standing& a, const History::Standing& b);

// Puts the pairs of a block into the result, with colours, and who is left over.
void settle(const std::vector<Contender>& block, const Pairs& pairs, Draws& draws, Pairings& result);

Pairings pair_by_matching(const Round& round, const History& history, Draws& draws);
Pairings pair_by_swiss(const Round& round, const History& history, Draws& draws);

}  // namespace fuhyo::core::floodgate
