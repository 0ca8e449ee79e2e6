#include "server/core/tournament/pairing.h"

#include <algorithm>
#include <utility>

#include "server/core/tournament/format_rules.h"

namespace fuhyo::core::tournament {
namespace {

bool all_paired(const Ledger& ledger) {
  const FormatRules& rules = rules_of(*ledger.settings);
  const bool endless = rules.endless && ledger.settings->rounds == 0;
  return (!endless && ledger.rounds >= rounds_of(*ledger.settings, ledger.rows.size())) ||
         (!ledger.pending() && rules.is_decided(ledger));
}

void set_positions(const Ledger& ledger, RoundPaired& round, floodgate::Draws& draws) {
  const DivisionSettings& settings = *ledger.settings;
  const std::size_t count = settings.positions.size();
  const std::size_t before = static_cast<std::size_t>(round.round - 1) * boards_of(settings, ledger.rows.size());
  std::size_t board = 0;
  for (Pairing& pairing : round.pairings) {
    pairing.games = settings.games;
    if (count == 0) continue;
    std::size_t place = static_cast<std::size_t>(round.round - 1) % count;
    if (settings.positions_by == PositionsBy::pairing) place = (before + board) % count;
    if (settings.positions_by == PositionsBy::lot) place = draws.below(count);
    pairing.position = static_cast<int>(place) + 1;
    ++board;
  }
}

// As long as nobody who has left comes back, nobody can be paired any more.
bool is_abandoned(const Event& event, DivisionKey division, const Ledger& ledger) {
  const FormatRules& rules = rules_of(*ledger.settings);
  if (rules.paired_freely && division.stage == 0 && ledger.rounds < std::max(1, event.entry.late_until)) return false;
  const auto left = std::ranges::count_if(
      ledger.rows, [&](const LedgerRow& row) { return !row.left || *row.left > ledger.rounds + 1; });
  return std::cmp_less(left, rules.least_there);
}

// Everybody has left who could be in it.
bool cannot_be_formed(const Event& event, const EventState& state, DivisionKey division) {
  if (division.stage == 0) {
    return !event.entry.open && !state.entrants().empty() &&
           std::ranges::all_of(state.entrants(),
                               [&](const Entrant& one) { return state.left(one.player).has_value(); });
  }
  floodgate::SeededDraws draws(0);
  const auto formed = form_division(event, state, division, draws);
  return !formed && formed.error() == NotYet::too_few;
}

}  // namespace

void Field::meet(RoundPaired& paired, std::size_t black, std::size_t white) const {
  if (is_there(black) && is_there(white)) {
    paired.pairings.push_back({.black = player(black), .white = player(white)});
  } else if (is_there(black)) {
    paired.byes.push_back({.player = player(black), .kind = ByeKind::walkover, .instead_of = player(white)});
  } else if (is_there(white)) {
    paired.byes.push_back({.player = player(white), .kind = ByeKind::walkover, .instead_of = player(black)});
  }
}

void Field::rest(RoundPaired& paired, std::size_t place) const {
  if (is_there(place)) paired.byes.push_back({.player = player(place), .kind = ByeKind::rest, .instead_of = {}});
}

Field full_field(const EventState& state, const Ledger& ledger, DivisionKey division, int round) {
  Field field{.state = state, .ledger = ledger, .division = division, .round = round, .present = {}};
  for (std::size_t place = 0; place < ledger.rows.size(); ++place) field.present.push_back(place);
  return field;
}

std::string_view to_string(NotYet why) {
  switch (why) {
    case NotYet::stage_before:
      return "the stage before is not over";
    case NotYet::not_formed:
      return "the division has no members yet";
    case NotYet::games_running:
      return "results of earlier rounds are missing";
    case NotYet::too_few:
      return "fewer than two players are there";
    case NotYet::over:
      return "all rounds have been paired";
    case NotYet::no_legal_round:
      return "however the round is paired, somebody meets the same opponent again";
    case NotYet::apart:
      return "however the round is paired, two meet who must not (group, apart)";
  }
  return "";
}

std::expected<RoundProposal, NotYet> next_round(const Event& event, const EventState& state, DivisionKey division,
                                                floodgate::Draws& draws, Rematches rematches) {
  const Ledger ledger = ledger_of(event, state, division);
  const FormatRules& rules = rules_of(*ledger.settings);
  if (ledger.rows.empty()) return std::unexpected(NotYet::not_formed);
  if (all_paired(ledger)) return std::unexpected(NotYet::over);
  if (ledger.pending() && !rules.scheduled) return std::unexpected(NotYet::games_running);
  Field field{.state = state, .ledger = ledger, .division = division, .round = ledger.rounds + 1, .present = {}};
  for (std::size_t place = 0; place < ledger.rows.size(); ++place) {
    const LedgerRow& one = ledger.rows[place];
    const bool away = state.is_away(one.player, division.stage, field.round);
    if (!away && one.joined <= field.round) field.present.push_back(place);
  }
  if (field.present.size() < rules.least_there) return std::unexpected(NotYet::too_few);
  auto round = rules.pair(field, draws, rematches);
  if (!round) return std::unexpected(round.error());
  set_positions(ledger, *round, draws);
  RoundProposal proposal{.round = std::move(*round), .doubts = {}};
  proposal.doubts = doubts_of(ledger, proposal.round);
  return proposal;
}

bool is_over(const Event& event, const EventState& state, DivisionKey division) {
  const Ledger ledger = ledger_of(event, state, division);
  if (ledger.rows.empty()) return cannot_be_formed(event, state, division);
  return !ledger.pending() && (all_paired(ledger) || is_abandoned(event, division, ledger));
}

bool is_played_out(const Event& event, const EventState& state, DivisionKey division) {
  const Ledger ledger = ledger_of(event, state, division);
  return !ledger.rows.empty() && !ledger.pending() && all_paired(ledger);
}

}  // namespace fuhyo::core::tournament
