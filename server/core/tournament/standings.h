// Ranks of a division, and why each is what it is. Computed from the results; pure.
//
// The list of DivisionSettings::tie_breaks is gone through in its order. Each splits those who are still tied; who is
// apart stays apart. What no tie-break of the list splits shares a rank: two who share rank 3 are followed by rank 5.
//
// What each figure is. A "game" is one with a result that counts: not void, not replaced by another attempt, not
// annulled. Forfeit games have been decided, but not played. `total`: a member's points up to now, everything included.
//
//   points            the total
//   direct            points in the games of those who are still tied against each other. Splits them only if every
//                     two of them have a decided game
//   sonneborn-berger  for each game its points times the opponent's total
//   buchholz          for each round the opponent's total (also called Solkoff), whatever the number of games in it
//   median            the same without its highest and its lowest term; 0 of two rounds or fewer
//   beaten            for each game won the opponent's total
//   wins              games won over the board (or adjudicated)
//   wins-as-white     the same, of those with White
//   longest-run       most games won over the board one after another; games that were not played do not interrupt
//   faults            the fewer the better: games lost by forfeit, by leaving, by an illegal move or a wrong
//   declaration fewest-moves      the fewer the better: plies of all games won over the board lot               the
//   lower the better: drawn when the division was formed seed              the member's number, the lower the better
//   reached           knock-out only: the round that a member got to, and the game for the third place
//
// Rounds that were not played: in a round robin, a gauntlet, a match or a knock-out a forfeit or walkover counts as a
// game against the opponent who was due. In a Swiss and in open rounds, where nobody is due, a bye, a forfeit and an
// absence (before a late entry, too) count for sonneborn-berger and buchholz as a game against somebody with as many
// points as the member itself; for beaten they do not count. A rest, and rounds after a withdrawal, count nowhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/core/tournament/ledger.h"

namespace fuhyo::core::tournament {

// A figure by which ranks are decided. Points are in thousandths, sonneborn-berger in millionths, the rest are counts.
using Figure = std::int64_t;

struct Standing {
  std::size_t place = 0;  // a place in the ledger; the member's number is one more
  PlayerId player;
  int rank = 1;
  bool shared = false;  // with a neighbour
  Points points;
  // By Standings::by. Nothing: direct, where it was not asked for or did not apply.
  std::vector<std::optional<Figure>> figures;
  // What put it before the next row: a place in Standings::by; nothing: they share the rank, or it is the last row.
  std::optional<std::size_t> before_next;
};

struct Standings {
  std::vector<TieBreak> by;
  std::vector<Standing> rows;  // by rank; those who share one by their numbers
  bool final = false;          // everything has been played
};

Standings standings_of(const Event& event, const EventState& state, DivisionKey division);
Standings standings_of(const Ledger& ledger);

// "7.5" of points, "31.25" of sonneborn-berger, "3" of wins.
std::string figure_text(TieBreak tie_break, Figure figure);
// "A before B by direct encounter (1 : 0)" of a row and the next one; that they share the rank. Empty of the last row,
// and where the first of the list decided.
std::string explain_rank(const Standings& standings, std::size_t row, Language language);
// For the heads of tables and for sentences: "SB", "Sonneborn-Berger".
std::string_view short_name(TieBreak tie_break, Language language);
std::string_view long_name(TieBreak tie_break, Language language);
bool less_is_better(TieBreak tie_break);

}  // namespace fuhyo::core::tournament
