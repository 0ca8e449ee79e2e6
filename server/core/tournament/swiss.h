// The Swiss: every way to pair a round is judged by the figures of next_round()'s list, and the best of all is found as
// the cheapest perfect matching. The figures become one cost each in which a smaller sum of an earlier one outweighs
// any sum of the later ones. Private to this folder.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "server/core/tournament/format_rules.h"

namespace fuhyo::core::tournament {

// What a pairing of a Swiss is judged by, the most important figure first; smaller is better.
// The lines of next_round()'s list.
using Quality = std::array<std::int64_t, 10>;

// What the rounds so far mean to the next one, for one member of a Swiss.
struct SwissMember {
  std::size_t place = 0;
  std::int64_t quarters = 0;  // points in quarters of a win, rounded up
  int balance = 0;            // games with Black less games with White
  int run = 0;                // its last games in one colour: +2 is Black twice running
  int byes = 0;               // and forfeit wins
  int last_float = 0;         // in the round before: +1 up, -1 down
  int float_before = 0;       // in the one before that
  std::vector<char> colours;  // of its games: 1 Black, 0 White
};

// A Swiss round as a problem of its own: members in pairing order, the best first.
struct SwissField {
  std::vector<SwissMember> members;
  std::vector<std::vector<int>> met;     // how often, by places among the members
  std::vector<std::vector<bool>> apart;  // who must not meet whom, likewise
  bool colours = true;                   // one game a pairing: colours matter

  Quality pair(std::size_t a, std::size_t b) const;  // a < b
  Quality bye(std::size_t a) const;
  std::size_t group_of(std::size_t a) const;  // the place of the first with the same points
};
SwissField swiss_field(const Field& field, floodgate::Draws& draws);
// Of two members of a field, the one that has Black; `board` decides where nothing else does.
bool first_has_black(const SwissMember& a, const SwissMember& b, bool by_board);

}  // namespace fuhyo::core::tournament
