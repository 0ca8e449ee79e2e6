#include "engines/usi/ballot.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace fuhyo::usi {

std::size_t elect(std::span<const Ballot> ballots) {
  const int least = std::ranges::min(ballots, {}, &Ballot::value).value;
  const auto weight = [&](const Ballot& ballot) { return std::int64_t{ballot.value - least + 20} * ballot.depth; };
  std::map<std::uint16_t, std::int64_t> votes;
  for (const Ballot& ballot : ballots) votes[ballot.move.bits()] += weight(ballot);
  std::size_t best = 0;
  for (std::size_t i = 0; i < ballots.size(); ++i) {
    const Ballot &mine = ballots[i], &theirs = ballots[best];
    if (mine.depth == 0 || !mine.exact) continue;
    if (theirs.win || mine.win) {
      if (mine.value > theirs.value) best = i;
    } else if (const auto a = votes[mine.move.bits()], b = votes[theirs.move.bits()];
               a > b || (a == b && weight(mine) > weight(theirs))) {
      best = i;
    }
  }
  return best;
}

}  // namespace fuhyo::usi
