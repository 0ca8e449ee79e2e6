// The round robin, by Berger tables: a schedule that hangs on no result.
#include <algorithm>

#include "server/core/tournament/format_rules.h"

namespace fuhyo::core::tournament {
namespace {

// An odd number of members has as many rounds as members, each of them resting once.
int rounds_of_all(const DivisionSettings& settings, std::size_t members) {
  return static_cast<int>(members - 1 + members % 2) * settings.cycles;
}

// Numbers x and y below the last, even one meet in the round in which x + y = round + 1, counted modulo their number;
// who would meet himself meets the last one. Who has no opponent there rests. The first of each pair has Black; the
// rounds of a second cycle change the colours. Source: FIDE Handbook, C.05 Annex 1.
std::expected<RoundPaired, NotYet> pair_by_berger(const Field& field, floodgate::Draws&, Rematches) {
  const std::size_t members = field.ledger.rows.size();
  const std::size_t last = members + members % 2, modulus = last - 1;
  const auto cycle_round = static_cast<std::size_t>(field.round - 1) % modulus;  // from 0
  const bool reversed = static_cast<std::size_t>(field.round - 1) / modulus % 2 == 1;
  const auto number = [&](std::size_t x) { return (x + modulus - 1) % modulus + 1; };
  std::size_t self = 1;  // 2 * self = round + 1
  while (2 * self % modulus != (cycle_round + 2) % modulus) ++self;
  RoundPaired paired = field.empty_round();
  const auto add = [&](std::size_t black, std::size_t white) {
    if (std::max(black, white) > members) return field.rest(paired, std::min(black, white) - 1);
    field.meet(paired, (reversed ? white : black) - 1, (reversed ? black : white) - 1);
  };
  if (cycle_round % 2 == 0) {
    add(self, last);
  } else {
    add(last, self);
  }
  for (std::size_t j = 1; j < last / 2; ++j) add(number(self + j), number(self + modulus - j));
  return paired;
}

}  // namespace

constinit const FormatRules formats::kRoundRobin = {
    .word = "round-robin",
    .name_en = "round robin",
    .name_ja = "総当たり",
    .keys = {"cycles", "draws", "withdrawn"},
    .tie_breaks = {TieBreak::points, TieBreak::direct, TieBreak::sonneborn_berger, TieBreak::wins},
    .scheduled = true,
    .least_there = 1,
    .rounds = rounds_of_all,
    .pair = pair_by_berger};

}  // namespace fuhyo::core::tournament
