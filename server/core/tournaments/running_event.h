// An event that this server holds, folded from its facts: its settings, its state, its decisions and their times. A
// value. Who is present, and when games begin, is up to events.cpp. One thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/core/civil_time.h"
#include "server/core/facts.h"
#include "server/core/tournament/event.h"
#include "server/core/tournament/ledger.h"
#include "server/core/tournament/state.h"

namespace fuhyo::core {

// A game of an event.
struct EventGame {
  std::string event;
  tournament::GameKey key;
  bool operator==(const EventGame&) const = default;
};

// Settings as a server can hold them, from their text. The error says what is wrong with them, or what of them is not
// played here: names that make no game name.
std::expected<tournament::Event, std::string> read_stored_event(std::string_view text, std::size_t max_identifier);

// A game that waits for its players.
struct MissedGame {
  Instant since;               // from when on somebody is missing
  bool both_are_here = false;  // but one of them plays, or is held back, elsewhere: nobody is missing now
};

// The event that a fact is of; null: of none. A game of one is opened by a fact of the game.
const std::string* event_of(const Fact& fact);

class RunningEvent {
 public:
  explicit RunningEvent(std::size_t max_identifier) : max_identifier_(max_identifier) {}

  // As it stands: of a start every fact of each key, in their order, and then settle(). Facts of no event and the
  // deletion change nothing.
  void keep(const Fact& fact);
  void keep(const TournamentSet& fact);
  void keep(const TournamentPhaseSet& fact);
  void keep(const TournamentDecided& fact);
  void settle();

  const TournamentSet& told() const { return told_; }
  const std::string& name() const { return told_.name; }
  const std::string& fault() const { return fault_; }  // why it cannot be held; empty: it can
  const tournament::Event& event() const { return event_; }
  const tournament::EventState& state() const { return state_; }
  TournamentPhase phase() const { return phase_.phase; }
  const TournamentPhaseSet& phase_set() const { return phase_; }
  // The newest of each key, in the order in which they were decided.
  const std::map<std::uint64_t, TournamentDecided>& decisions() const { return decisions_; }

  tournament::Ledger ledger(tournament::DivisionKey division) const { return ledger_of(event_, state_, division); }
  const tournament::DivisionSettings& settings(tournament::DivisionKey division) const {
    return settings_of(event_, division);
  }
  std::vector<tournament::DivisionKey> divisions(int stage) const;
  bool is_over(int stage) const;
  // The first stage that is not over, or the last one; computed once for all that was decided.
  int stage() const;
  bool has_begun() const;  // a division is formed
  // The place of an entry among all that were stored.
  std::int64_t number_of(const tournament::Decision& decision) const;
  // When the games of a round begin.
  Wall starts(tournament::DivisionKey division, int round) const;
  // When the newest thing was decided that the next round waits for: its division was formed, a result came.
  Wall ready(tournament::DivisionKey division) const;
  // Of a round that is not paired yet, which is told `countdown_s` before it begins: when it begins.
  Wall next_start(tournament::DivisionKey division, const tournament::Ledger& ledger, const TimeZone& zone) const;

  // "A/3.2": round 3, board 2 of the division A; "A/3.2.1.2": the second attempt of its first game. Without a division
  // where the stage has one. Reading: without an attempt the newest one.
  std::string game_text(const tournament::GameKey& key) const;
  std::expected<tournament::GameKey, std::string> read_game(std::string_view text) const;
  // Of the current stage, or "STAGE/DIVISION". Empty: the only one.
  std::expected<tournament::DivisionKey, std::string> read_division(std::string_view text) const;
  std::string division_text(tournament::DivisionKey division) const;

  // "cup-900-5F": the game name of the division.
  std::string game_name(tournament::DivisionKey division) const;

  // What is only known while the server runs.
  std::map<tournament::GameKey, GameId> games;           // that are open, or wait for their restart
  std::map<tournament::GameKey, MissedGame> missed;      // that wait for their players
  std::map<tournament::DivisionKey, std::string> stuck;  // why nothing is paired
  std::uint64_t timer = 0;
  // The texts of tables that were asked for, until the next decision: everybody may ask, and they take time to make.
  mutable std::map<std::string, std::string> tables;

 private:
  void fold(const TournamentDecided& fact);
  int first_open_stage() const;

  std::size_t max_identifier_;
  TournamentSet told_;
  TournamentPhaseSet phase_;
  std::string fault_ = "it is not told";
  tournament::Event event_;
  tournament::EventState state_;
  std::map<std::uint64_t, TournamentDecided> decisions_;
  std::map<std::string, std::uint64_t> place_of_;  // among the decisions, by key
  std::uint64_t taken_ = 0;
  std::map<std::pair<tournament::DivisionKey, int>, Wall> starts_;
  std::map<tournament::DivisionKey, Wall> ready_;
  mutable std::optional<int> stage_;
};

}  // namespace fuhyo::core
