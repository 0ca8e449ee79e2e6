// The rules of a tournament format: facts and pure functions. The rest of this folder asks for them, and never which
// format a division has. Each format defines its own in the source of its pairing. Private to this folder.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <string_view>
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
  std::vector<std::size_t> present;  // places of those who are there, ascending

  bool is_there(std::size_t place) const { return std::ranges::binary_search(present, place); }
  const PlayerId& player(std::size_t place) const { return ledger.rows[place].player; }
  RoundPaired empty_round() const { return {.division = division, .round = round, .pairings = {}, .byes = {}}; }
  // Adds a pairing that is due to a round, or what becomes of it where one or both are away.
  void meet(RoundPaired& paired, std::size_t black, std::size_t white) const;
  // Adds the rest of the member at `place`, if he is there.
  void rest(RoundPaired& paired, std::size_t place) const;
};
// As if all members were there.
Field full_field(const EventState& state, const Ledger& ledger, DivisionKey division, int round);

// The doubts about a round, by the rules of its format.
std::vector<Doubtful> doubts_of(const Ledger& ledger, const RoundPaired& round);

// What a format does not say is as in most formats. `members` are two at least.
struct FormatRules {
  std::string_view word;              // of files and tables: "round-robin"
  std::string_view name_en, name_ja;  // for people
  // Of the settings that not every format takes (division_settings.cpp): those that it takes.
  std::initializer_list<std::string_view> keys;
  std::initializer_list<TieBreak> tie_breaks;  // what ranks are decided by where the host says nothing

  // No pairing depends on a result: rounds are paired ahead of results, and games of who leaves can be annulled.
  bool scheduled = false;
  // Nobody is due to meet anybody: late entries may come, and who does not play has no opponent.
  bool paired_freely = false;
  // Who loses a pairing is out. An even pairing plays DivisionSettings::replays more games; then
  // DivisionSettings::decider decides.
  bool eliminates = false;
  bool endless = false;           // rounds go on for ever where DivisionSettings::rounds is 0
  bool two_members = false;       // no more and no fewer
  bool doubts_rematches = false;  // a rematch, a second bye and uneven colours are doubtful
  std::size_t least_there = 2;    // for a round; 1 where a lone player has walkovers or goes on

  int (*rounds)(const DivisionSettings&, std::size_t members) = [](const auto& settings, std::size_t) {
    return settings.rounds;
  };
  // Of one round, at most.
  std::size_t (*boards)(const DivisionSettings&, std::size_t members) = [](const auto&, std::size_t members) {
    return members / 2;
  };
  // Of all rounds, at most.
  std::int64_t (*pairings)(const DivisionSettings&, std::size_t members) = [](const auto& settings, auto members) {
    return static_cast<std::int64_t>(boards_of(settings, members)) * rounds_of(settings, members);
  };
  // See least_members().
  std::size_t (*least_members)(const DivisionSettings&) = [](const auto&) -> std::size_t { return 0; };
  // Whether the division ends before its last round. It is asked when no result is missing.
  bool (*is_decided)(const Ledger& ledger) = [](const Ledger&) { return false; };

  // The next round. Games and positions are filled in by next_round(). It draws only if `paired_freely`.
  std::expected<RoundPaired, NotYet> (*pair)(const Field& field, floodgate::Draws& draws, Rematches rematches);
  // The seeding: the same players in an order in which those who must not meet do so as late as can be. `apart` says
  // who they are, by places. nullptr: the order of seeds stays.
  std::vector<std::size_t> (*drawn_apart)(const std::vector<std::vector<std::size_t>>& apart) = nullptr;
  // Adds the doubts about a division that is to be formed and has players who must not meet. nullptr: there are none.
  void (*doubt_apart)(const EventState& state, const Ledger& ledger, FormProposal& proposal) = nullptr;

  bool takes(std::string_view setting) const { return std::ranges::find(keys, setting) != keys.end(); }
  // Whether there is a choice of who meets whom: schedules do not ask for Event::apart.
  bool has_choice() const { return paired_freely || drawn_apart != nullptr; }
};

inline const FormatRules& rules_of(const DivisionSettings& settings) { return rules_of(settings.format); }

}  // namespace fuhyo::core::tournament
