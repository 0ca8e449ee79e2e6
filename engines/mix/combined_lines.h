// Combines the lines of several members into those of one engine. Pure; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engines/members/member.h"

namespace fuhyo::mix {

using members::Member;

struct Contributor {
  const Member* member;
  double weight;
};

// The best line first: moves that members put first, the weightier ones before, then the better ones. The values are
// means of those who tell one. At most `most` lines, numbered if that is more than one; only moves of `playable`.
std::vector<usi::Info> combined_lines(std::span<const Contributor> contributors, std::span<const shogi::Move> playable,
                                      std::size_t most, std::int64_t time_ms);

}  // namespace fuhyo::mix
