// The formats, one function each, and what they are given. Private to this folder.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <vector>

#include "server/core/tournament/ledger.h"
#include "server/core/tournament/pairing.h"

namespace fuhyo::core::tournament {

// A round that is to be paired.
struct Field {
  const EventState& state;
  const Ledger& ledger;
  DivisionKey division;
  int round;
  std::vector<std::size_t> present;  // lines that are there, ascending
};

// Games and positions are filled in by next_round().
RoundPaired pair_round_robin(const Field& field);
RoundPaired pair_gauntlet(const Field& field);
RoundPaired pair_knock_out(const Field& field);
RoundPaired pair_match(const Field& field);
struct OpenRound {
  RoundPaired round;
  bool apart = false;  // two meet who must not
};
OpenRound pair_open(const Field& field, floodgate::Draws& draws);
struct SwissRound {
  RoundPaired round;
  bool apart = false;    // in every round two meet who must not
  bool rematch = false;  // there is no round without one
};
SwissRound pair_swiss(const Field& field, floodgate::Draws& draws);

// The two who meet by the schedule of a round robin of so many members, and who rests: numbers from 1 of the Berger
// tables, the first of each pair with Black. The rounds of a second cycle change the colours.
struct Meeting {
  std::size_t black = 0, white = 0;  // white 0: rests
  bool operator==(const Meeting&) const = default;
};
std::vector<Meeting> berger_round(std::size_t members, int round);

// What a pairing of a Swiss is judged by, the most important figure first; smaller is better.
// The lines of next_round()'s list.
using Quality = std::array<std::int64_t, 10>;

// What the rounds so far mean to the next one, for one member of a Swiss.
struct SwissMember {
  std::size_t line = 0;
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

// The same players in an order in which those who must not meet do so in a knock-out as late as can be. Nobody leaves
// his part of the seeds: 3 and 4, 5 to 8, 9 to 16, ... `apart` is theirs.
std::vector<std::size_t> drawn_apart(const std::vector<std::vector<std::size_t>>& apart);
// Whether a Swiss that nobody has played yet can be paired to its end, as far as a bounded search tells.
std::vector<Doubtful> doubts_of_rounds(const Ledger& ledger);

// The doubts about a round, by the rules of its format.
std::vector<Doubtful> doubts_of(const Ledger& ledger, const RoundPaired& round);

}  // namespace fuhyo::core::tournament
