// The facts of events. Values; see facts.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/core/ids.h"
#include "server/core/tournament/decisions.h"

namespace fuhyo::core {

// The settings of an event. The first TournamentSet announces the event; a later one holds for games that are not yet
// decided.
struct TournamentSet {
  std::string name;  // "denryu-2026": the identifier of its game names
  std::string text;  // what tournament::parse_settings() reads
  std::string by, why;
  Wall at;
  bool operator==(const TournamentSet&) const = default;
};

enum class TournamentPhase : std::uint8_t {
  announced,  // players enter
  running,    // rounds are paired and their games begin when it is time
  paused,     // nothing begins, and no clock runs
  over
};
std::string_view to_string(TournamentPhase phase);

struct TournamentPhaseSet {
  std::string event;
  TournamentPhase phase{};
  std::string by, why;
  Wall at;
  bool operator==(const TournamentPhaseSet&) const = default;
};

// Something was decided in an event. Two about the same have the same key (keyed_fact_of()); the later one counts.
struct TournamentDecided {
  std::string event;
  tournament::Decision decision;
  std::int64_t number = 0;  // of an entry: its place among all entries; a changed entry keeps it
  Wall starts;              // of a round: when its games begin
  bool taken_back = false;  // of a round: it is not paired any more
  std::string by, why;      // "server": by the event's own rules
  Wall at;
  bool operator==(const TournamentDecided&) const = default;
};

// The event is deleted with all its decisions, and its name is free. Its games stay.
struct TournamentDeleted {
  std::string event;
  std::string by, why;
  Wall at;
  bool operator==(const TournamentDeleted&) const = default;
};

// The game is one of an event. Comes right after its GameOpened.
struct TournamentGame {
  GameId game{};
  std::string event;
  tournament::GameKey key;
  bool operator==(const TournamentGame&) const = default;
};

}  // namespace fuhyo::core
