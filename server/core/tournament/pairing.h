// Who plays in a division, and who meets whom in its next round. Both are proposals: the server or a host makes
// decisions of them (decisions.h), as they are or changed by hand. Pure; the same draws give the same proposals.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/floodgate/draws.h"
#include "server/core/tournament/decisions.h"
#include "server/core/tournament/state.h"

namespace fuhyo::core::tournament {

// Why nothing can be proposed now, or at all.
enum class NotYet : std::uint8_t {
  stage_before,    // the stage before is not over (form_division)
  not_formed,      // the division has no members yet
  games_running,   // results are missing that the pairing hangs on
  too_few,         // fewer than two members are there
  over,            // all rounds have been paired, or the winner is known
  no_legal_round,  // in every pairing somebody meets the same opponent again (Swiss, Rematches)
  apart            // in every pairing two meet who must not (Swiss, open)
};
std::string_view to_string(NotYet why);  // a sentence, in English

// What a round or a division asks a host to look at; nothing of it forbids.
enum class Doubt : std::uint8_t {
  rematch,       // a and b have met before
  second_bye,    // a has had a bye, or won by forfeit, before
  third_colour,  // a has the same colour three times running
  colours,       // a comes to three more games with one colour than with the other
  off_schedule,  // a and b are not due to meet by the schedule (round robin, gauntlet, knock-out)
  shared_rank,   // a went up, b did not, though they share a rank: the better seed did
  few_members,   // too few for the rounds of a Swiss: they cannot be played without a rematch
  apart,         // a and b must not meet
  apart_rounds   // because of those who must not meet the rounds of a Swiss cannot all be paired without a rematch
};
struct Doubtful {
  Doubt what{};
  PlayerId a, b;  // where there are one or two
  bool operator==(const Doubtful&) const = default;
};
std::string to_text(const std::vector<Doubtful>& doubts, Language language);  // one after another

struct FormProposal {
  DivisionFormed division;
  std::vector<Doubtful> doubts;
};
// Of the first stage: its entrants by seed, by rate, and as they entered. Of a later one: those who begin there, then
// those who come up from the stage before, by rank. Who has left is not among them. Draws lots.
std::expected<FormProposal, NotYet> form_division(const Event& event, const EventState& state, DivisionKey division,
                                                  floodgate::Draws& draws);

struct RoundProposal {
  RoundPaired round;
  std::vector<Doubtful> doubts;  // of a Swiss: what could not be had
};
// The round after the last one that is paired. Round robin and gauntlet follow their schedule, whatever the results;
// the other formats wait for all results of earlier rounds.
//
// Swiss: of all ways to pair those who are there the one that is best by this list, an earlier line outweighing
// everything below it.
//   1  nobody meets whom he must not (Event::apart, Entrant::groups); else there is no round
//   2  as few as possible meet who have met before, and the less often the better (Rematches: else no round at all)
//   3  as many as possible of the rounds that are left can follow without such a meeting (rounds_ahead.h)
//   4  the bye (of an odd number) goes to who had the fewest byes and forfeit wins
//   5  nobody has a colour three times running, or three more games with one colour than with the other
//   6  the bye goes to who has the fewest points
//   7  the squares of the differences of points add up to the least
//   8  nobody floats the same way as in the round before: down against fewer points or a bye, up against more
//   9  as few as possible are due the same colour
//  10  nobody floats the same way as two rounds before
//  11  in each score group the upper half meets the lower half, first against first
// Points count in quarters of a win, ten wins apart as any more. Members of equal points are in order of their seeds;
// in DivisionSettings::random_rounds all have equal points, in an order that is drawn.
// Rounds with a rematch are proposed where the division's settings, `rematches` or an earlier round with one say so.
std::expected<RoundProposal, NotYet> next_round(const Event& event, const EventState& state, DivisionKey division,
                                                floodgate::Draws& draws,
                                                Rematches rematches = Rematches::as_settings_say);

// Whether nothing of the division is left to be played: everything has been, or too few are left who could be paired.
bool is_over(const Event& event, const EventState& state, DivisionKey division);
// Whether everything of it has been played.
bool is_played_out(const Event& event, const EventState& state, DivisionKey division);

// Whether this may be decided: the doubts about it, or why it can not be. Of a round: everybody who is there is in it
// exactly once, it is the next one or one without a result. Of a result: its game is paired, and by these two. Of an
// entry: there is room, and it is not too late. And so on.
std::expected<std::vector<Doubtful>, std::string> check(const Event& event, const EventState& state,
                                                        const Decision& decision);

}  // namespace fuhyo::core::tournament
