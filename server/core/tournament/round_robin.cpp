// Round robin by Berger tables, the gauntlet, and the match of two: schedules that hang on no result.
#include <algorithm>
#include <utility>

#include "server/core/tournament/methods.h"

namespace fuhyo::core::tournament {
namespace {

// A pairing of the schedule, or what becomes of it where one or both are away.
void settle(const Field& field, RoundPaired& paired, std::size_t black, std::size_t white) {
  const auto is_there = [&](std::size_t line) { return std::ranges::binary_search(field.present, line); };
  const PlayerId& first = field.ledger.lines[black].player;
  const PlayerId& second = field.ledger.lines[white].player;
  if (is_there(black) && is_there(white)) {
    paired.pairings.push_back({.black = first, .white = second});
  } else if (is_there(black)) {
    paired.byes.push_back({.player = first, .kind = ByeKind::walkover, .instead_of = second});
  } else if (is_there(white)) {
    paired.byes.push_back({.player = second, .kind = ByeKind::walkover, .instead_of = first});
  }
}

void rest(const Field& field, RoundPaired& paired, std::size_t line) {
  if (!std::ranges::binary_search(field.present, line)) return;
  paired.byes.push_back({.player = field.ledger.lines[line].player, .kind = ByeKind::rest, .instead_of = {}});
}

}  // namespace

// Numbers x and y below the last, even one meet in the round in which x + y = round + 1, counted modulo their number;
// who would meet himself meets the last one. Source: FIDE Handbook, C.05 Annex 1.
std::vector<Meeting> berger_round(std::size_t members, int round) {
  const std::size_t last = members + members % 2, modulus = last - 1;
  const auto cycle_round = static_cast<std::size_t>(round - 1) % modulus;  // from 0
  const bool reversed = static_cast<std::size_t>(round - 1) / modulus % 2 == 1;
  const auto number = [&](std::size_t x) { return (x + modulus - 1) % modulus + 1; };
  std::size_t self = 1;  // 2 * self = round + 1
  while (2 * self % modulus != (cycle_round + 2) % modulus) ++self;
  std::vector<Meeting> meetings;
  const auto add = [&](std::size_t black, std::size_t white) {
    if (reversed) std::swap(black, white);
    if (black > members || white > members) {
      meetings.push_back({.black = black > members ? white : black, .white = 0});
    } else {
      meetings.push_back({.black = black, .white = white});
    }
  };
  if (cycle_round % 2 == 0) {
    add(self, last);
  } else {
    add(last, self);
  }
  for (std::size_t j = 1; j < last / 2; ++j) add(number(self + j), number(self + modulus - j));
  return meetings;
}

RoundPaired pair_round_robin(const Field& field) {
  RoundPaired paired{.division = field.division, .round = field.round, .pairings = {}, .byes = {}};
  for (const Meeting& meeting : berger_round(field.ledger.lines.size(), field.round)) {
    if (meeting.white == 0) {
      rest(field, paired, meeting.black - 1);
    } else {
      settle(field, paired, meeting.black - 1, meeting.white - 1);
    }
  }
  return paired;
}

// In each round every seed meets the next of the others, who rest where there are more of them; the other way round
// where there are more seeds. Colours change from round to round, and from one cycle to the next.
RoundPaired pair_gauntlet(const Field& field) {
  const std::size_t members = field.ledger.lines.size();
  const std::size_t seeds = std::min(static_cast<std::size_t>(field.ledger.terms->seeds), members - 1);
  const std::size_t others = members - seeds, few = std::min(seeds, others), many = std::max(seeds, others);
  const auto turn = static_cast<std::size_t>(field.round - 1);
  RoundPaired paired{.division = field.division, .round = field.round, .pairings = {}, .byes = {}};
  std::vector<bool> plays(members);
  for (std::size_t i = 0; i < few; ++i) {
    const std::size_t against = (i + turn) % many;
    const std::size_t seed = seeds <= others ? i : against, other = seeds + (seeds <= others ? against : i);
    const bool seed_is_black = (i + turn + turn / many * (many + 1)) % 2 == 0;
    plays[seed] = plays[other] = true;
    settle(field, paired, seed_is_black ? seed : other, seed_is_black ? other : seed);
  }
  for (std::size_t line = 0; line < members; ++line) {
    if (!plays[line]) rest(field, paired, line);
  }
  return paired;
}

RoundPaired pair_match(const Field& field) {
  RoundPaired paired{.division = field.division, .round = field.round, .pairings = {}, .byes = {}};
  const bool swapped = field.round % 2 == 0 && field.ledger.terms->games % 2 == 1;
  settle(field, paired, swapped ? 1 : 0, swapped ? 0 : 1);
  return paired;
}

}  // namespace fuhyo::core::tournament
