// An event as its host writes it: stages one after the other, each with one division or several, and how each of them
// is played. A value, whole before the first game; what happens afterwards are decisions (decisions.h).
// docs/tournaments.md is the manual; settings.h reads an event, explain.h says it in words.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/shogi/declaration.h"
#include "server/core/buoys/start_position.h"
#include "server/core/floodgate/pairing.h"
#include "server/core/games/game_terms.h"
#include "server/core/tournament/format.h"
#include "server/core/tournament/points.h"

namespace fuhyo::core::tournament {

// What a host can ask for, in one place. An event is a value that is kept in memory and in the journal.
inline constexpr std::size_t kMostStages = 10, kMostDivisions = 16;
// Of one division. Pairing a Swiss takes time with the cube: 256 members take a few hundredths of a second.
inline constexpr std::size_t kMostMembers = 256;
inline constexpr std::size_t kMostEntrants = 1000;
inline constexpr int kMostRounds = 200;  // of a division; TSEC's final has 54
inline constexpr int kMostGames = 100;   // of one pairing
inline constexpr int kMostReplays = 20;
inline constexpr std::size_t kMostPositions = 1000;
inline constexpr std::size_t kMostGroups = 8, kMostGroupName = 32;  // of one entrant
inline constexpr std::size_t kMostApart = 1000;                     // lists of players who must not meet

enum class Language : std::uint8_t { en, ja };

// A name for people. Where one of the two is missing the other one stands in.
struct Title {
  std::string ja, en;
  const std::string& in(Language language) const {
    return (language == Language::ja && !ja.empty()) || en.empty() ? ja : en;
  }
  bool operator==(const Title&) const = default;
};

enum class DrawRule : std::uint8_t {
  score,  // a draw has its points
  replay  // the game is played again with colours changed, `replays` times at most; then it has its points
};

// What ends a knock-out pairing whose members have the same points after its games and `replays` more.
enum class Decider : std::uint8_t { seed, lot };

// Of the games that a member who has left for good still had to play in a round robin or a gauntlet.
enum class WithdrawnGames : std::uint8_t {
  forfeit,  // they are lost by forfeit
  annul     // the same, but if he has played less than half of his rounds, none of his games counts for anybody
};

// What position a pairing plays from, where there is a list of them: those of the list in turn, ...
enum class PositionsBy : std::uint8_t {
  round,    // one after the other by rounds: all boards of a round play from the same
  pairing,  // ... by pairings, counted through the whole division
  lot       // drawn for every pairing
};

struct Scoring {
  Points win = kPoint, draw_black = kHalfPoint, draw_white = kHalfPoint, loss{};
  Points forfeit_win = kPoint, forfeit_loss{};
  Points bye = kPoint;  // the number of players was odd (Swiss, open)
  Points absent{};      // a round before a late entry, or one that a member was excused from
  bool operator==(const Scoring&) const = default;
};

// standings.h says exactly what each is.
enum class TieBreak : std::uint8_t {
  points,
  direct,
  sonneborn_berger,
  buchholz,
  median,
  beaten,
  wins,
  wins_as_white,
  longest_run,
  faults,
  fewest_moves,
  lot,
  seed,
  reached
};

// When rounds start. Times are local: seconds since 1970-01-01 00:00 as the clocks of the place show them.
struct Timetable {
  std::vector<std::int64_t> starts;  // of round 1, 2, ...; rounds beyond the list follow the one before
  std::int32_t gap_s = 300;          // from the last result of a round to the start of one without a time of its own
  std::int32_t countdown_s = 60;     // a round is told so long before it starts
  std::int32_t forfeit_s = 600;      // who is not there so long after the start has lost by forfeit; 0: nobody
  bool operator==(const Timetable&) const = default;
};

// Whether a host lets players of a Swiss meet again: by DivisionSettings::rematches, or in any case.
enum class Rematches : std::uint8_t { as_settings_say, allowed };

// How a division is played.
struct DivisionSettings {
  Format format = Format::round_robin;
  int rounds = 0;                  // Swiss, match, open
  int cycles = 1;                  // round robin, gauntlet
  int games = 1;                   // of a pairing, one after the other; colours change from game to game
  int random_rounds = 0;           // Swiss: the first so many are drawn by lot
  bool rematches = false;          // Swiss: allowed, as few as possible, where no round is left without one
  int seeds = 1;                   // gauntlet
  bool third_place = false;        // knock-out: the losers of the semi-finals play for it
  bool stop_when_decided = false;  // match: ends when the one behind cannot catch up any more
  floodgate::Method method = floodgate::Method::matching;  // open

  Scoring scoring;
  DrawRule draws = DrawRule::score;
  int replays = 0;  // of a drawn game (DrawRule::replay); in a knock-out also the games added to an even pairing
  Decider decider = Decider::seed;
  WithdrawnGames withdrawn = WithdrawnGames::forfeit;
  std::vector<TieBreak> tie_breaks;  // what ranks are decided by, in this order

  std::array<TimeRule, 2> time;  // of Black, of White
  std::int32_t max_moves = 320;  // 0: no limit
  shogi::DeclarationRule declaration = shogi::DeclarationRule::POINTS_27;
  Rulebook rulebook = Rulebook::official;
  std::vector<StartPosition> positions;  // empty: the usual one
  PositionsBy positions_by = PositionsBy::round;
  Timetable timetable;
  bool operator==(const DivisionSettings&) const = default;
};

// Who plays in it: of an earlier stage the next `take` by rank that no division before it in this stage has taken.
struct Division {
  std::string name;  // "A": as that of an event
  Title title;
  int take = 0;      // 0: all that are left
  std::string from;  // a division of the stage before; empty: of all of them, rank by rank
  DivisionSettings settings;
  bool operator==(const Division&) const = default;
};

struct Stage {
  std::string name;  // "day1"
  Title title;
  std::vector<Division> divisions;  // at least one
  bool operator==(const Stage&) const = default;
};

using PlayerId = std::string;  // the login name

// Somebody who is in the event, by the file or by entering.
struct Entrant {
  PlayerId player;
  Title title;                      // how tables call it; empty: by the login name
  int seed = 0;                     // 1 is the best; 0: after those that have one, by rate, then as they entered
  int rate = 0;                     // 0: not known
  int stage = 0;                    // it begins to play in this one, counted from 0
  std::vector<std::string> groups;  // no two of a group meet: an author, a club
  bool operator==(const Entrant&) const = default;
};

struct EntryRules {
  std::size_t most = kMostMembers;  // entrants of the event
  bool open = true;                 // others than those of the file may enter
  // Late entries are welcome up to the pairing of this round of the first stage (Swiss, open); 0: before its first.
  int late_until = 0;
  bool operator==(const EntryRules&) const = default;
};

struct Event {
  std::string name;  // "denryu-2026": an identifier of a game name (csa::is_identifier()); games are named after it
  Title title;
  std::vector<Stage> stages;  // at least one
  EntryRules entry;
  std::vector<Entrant> entrants;             // those of the file
  std::vector<std::vector<PlayerId>> apart;  // no two of a list meet
  bool operator==(const Event&) const = default;
};

// The words of files and tables: "round-robin", "sonneborn-berger". Parsing knows no others.
std::string_view to_string(Format format);
std::string_view to_string(DrawRule rule);
std::string_view to_string(Decider decider);
std::string_view to_string(WithdrawnGames rule);
std::string_view to_string(PositionsBy by);
std::string_view to_string(TieBreak tie_break);
std::string_view to_string(shogi::DeclarationRule rule);  // "27", "27-handicap", "24", "24-handicap", "try", "none"
std::optional<shogi::DeclarationRule> parse_declaration(std::string_view word);
std::string_view to_string(Rulebook rulebook);  // "official", "shogi-server"
std::optional<Rulebook> parse_rulebook(std::string_view word);

// What ranks are decided by where the host says nothing.
std::vector<TieBreak> usual_tie_breaks(Format format);

// How many rounds a division of so many members has; 0: as many as are held (open without `rounds`).
int rounds_of(const DivisionSettings& settings, std::size_t members);
// How many members its rounds need so that nobody meets the same opponent again; 0: it does not matter.
std::size_t least_members(const DivisionSettings& settings);
// The most pairings of one of its rounds.
std::size_t boards_of(const DivisionSettings& settings, std::size_t members);

}  // namespace fuhyo::core::tournament
