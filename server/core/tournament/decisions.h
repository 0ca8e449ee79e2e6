// What is DECIDED in an event, and so must be kept: each of these is stored as a fact, no matter who decided it (a
// host, a player who enters, a draw by lot, the rules of shogi in a game), and is never judged or drawn again.
//
//   decided, and stored                               computed from it, and never stored
//   -----------------------------------------------   ------------------------------------------------------------
//   the event itself (its settings, settings.h)       how many rounds and games it has, how long it takes
//   Entered, Withdrawn, Returned                      who may be paired in a round
//   DivisionFormed: members, their order, their lots  who goes up to which division (proposed by form_division())
//   Joined: a late entry into a running division      its points for the rounds it missed
//   RoundPaired: who meets whom, colours, positions,  the pairings of a round (proposed by next_round()),
//     who has a bye, who is excused                   floats, colour balance, who is left over
//   GameResult: how one game went, with its colours   whether a drawn or void game is played again (games_due()),
//   points,
//                                                     standings, tie-breaks, tables, performance, when all is over
//
// Where chance has a part, it is in a decision: lots are drawn when a division is formed, pairings when a round is
// paired. So everything computed is a function of the event and its decisions, without a seed.
//
// Decisions about different things may be applied in any order, but entries: the order of those is one of seeds. Of two
// about the same (a corrected result, a round that was paired anew) the later one counts; the same one twice is as good
// as once. Values only.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "server/core/games/game_terms.h"
#include "server/core/ids.h"
#include "server/core/tournament/event.h"

namespace fuhyo::core::tournament {

// A division by its place: of the stage in the event, and within the stage; both from 0.
struct DivisionKey {
  int stage = 0, division = 0;
  auto operator<=>(const DivisionKey&) const = default;
};

// One game. All four count from 1. The board is the place of its pairing in the round; the attempt is above 1 where the
// game was played again (a replayed draw, a void game).
struct GameKey {
  DivisionKey division;
  int round = 1, board = 1, game = 1, attempt = 1;
  auto operator<=>(const GameKey&) const = default;
};

// Somebody is an entrant, or an entrant is changed: its seed, rate, title.
struct Entered {
  Entrant entrant;
  bool operator==(const Entered&) const = default;
};

// Is not paired in this stage from this round on; `until` 0: for good, nor in any later stage. Games that are paired
// already stay; each ends by its result (a forfeit, say).
struct Withdrawn {
  PlayerId player;
  int stage = 0;
  int from = 1, until = 0;  // the last round that it is away
  bool operator==(const Withdrawn&) const = default;
};

// Is there again from this round of the stage on.
struct Returned {
  PlayerId player;
  int stage = 0;
  int from = 1;
  bool operator==(const Returned&) const = default;
};

struct Member {
  PlayerId player;
  std::int64_t lot = 0;  // the lower one is before the other where ranks are decided by lot; unique in the division
  bool operator==(const Member&) const = default;
};

// Who plays in a division, the best seed first: that order is the members' numbers, from 1, in tables and schedules.
struct DivisionFormed {
  DivisionKey division;
  std::vector<Member> members;
  bool operator==(const DivisionFormed&) const = default;
};

// A late entry into a division that is formed; its number comes after all others.
struct Joined {
  DivisionKey division;
  Member member;
  int from = 1;  // the first round in which it may be paired
  bool operator==(const Joined&) const = default;
};

// Two who meet. `black` has Black in the first game; colours change from game to game.
struct Pairing {
  PlayerId black, white;
  int games = 1;
  int position = 0;  // of DivisionSettings::positions, from 1; 0: the usual one
  bool operator==(const Pairing&) const = default;
};

enum class ByeKind : std::uint8_t {
  bye,      // nobody was left to play: Scoring::bye. At most once in a Swiss
  rest,     // it is its turn to rest in a schedule of an odd number, or of a gauntlet: no points, and no round missed
  walkover  // the opponent that it had in the schedule has left: as won by forfeit, each game of it
};

struct Bye {
  PlayerId player;
  ByeKind kind = ByeKind::bye;
  PlayerId instead_of;  // of a walkover: who was to be the opponent
  bool operator==(const Bye&) const = default;
};

// Members who are in none of the two lists were away: Scoring::absent.
struct RoundPaired {
  DivisionKey division;
  int round = 1;
  std::vector<Pairing> pairings;  // by boards
  std::vector<Bye> byes;
  bool manual = false;  // a host's, not as next_round() made it
  bool operator==(const RoundPaired&) const = default;
};

enum class How : std::uint8_t {
  play,         // as the game ended
  forfeit,      // a player was not there; Outcome::none: neither was
  adjudicated,  // a host decided
  voided,       // counts for nobody, and is not played again
  replayed      // counts for nobody; it is played again with the same colours, as its next attempt
};
std::string_view to_string(How how);  // "play", "forfeit", "adjudicated", "void", "replayed"
std::optional<How> parse_how(std::string_view word);

struct GameResult {
  GameKey game;
  PlayerId black, white;  // in this attempt
  Outcome outcome = Outcome::none;
  How how = How::play;
  std::optional<EndKind> end;  // of a game that was played
  std::int32_t plies = 0;      // moves that were made in it
  std::string record;          // csa_id of the game; empty: none
  GameId id{};                 // of that game in the archive, for links; 0: not known
  bool operator==(const GameResult&) const = default;
};

using Decision = std::variant<Entered, Withdrawn, Returned, DivisionFormed, Joined, RoundPaired, GameResult>;

}  // namespace fuhyo::core::tournament
