#include "server/core/tournament/pairing.h"

#include <algorithm>
#include <set>

#include "server/core/tournament/methods.h"

namespace fuhyo::core::tournament {
namespace {

bool has_schedule(Format format) { return format == Format::round_robin || format == Format::gauntlet; }

// A match that one of the two can not lose any more.
bool is_decided(const Ledger& ledger) {
  const Terms& terms = *ledger.terms;
  if (terms.format != Format::match || !terms.stop_when_decided || ledger.lines.size() != 2) return false;
  const auto left = static_cast<std::int64_t>(terms.rounds - ledger.rounds) * terms.games;
  const std::int64_t swing =
      std::max(terms.scoring.win.milli, terms.scoring.forfeit_win.milli) - terms.scoring.loss.milli;
  const std::int64_t lead = ledger.lines[0].points.milli - ledger.lines[1].points.milli;
  return std::abs(lead) > left * swing;
}

bool all_paired(const Ledger& ledger) {
  const int rounds = rounds_of(*ledger.terms, ledger.lines.size());
  const bool endless = ledger.terms->format == Format::open && ledger.terms->rounds == 0;
  return (!endless && ledger.rounds >= rounds) || (!ledger.pending() && is_decided(ledger));
}

void set_positions(const Terms& terms, const Ledger& ledger, RoundPaired& round, floodgate::Draws& draws) {
  const std::size_t count = terms.positions.size();
  const std::size_t before = static_cast<std::size_t>(round.round - 1) * boards_of(terms, ledger.lines.size());
  std::size_t board = 0;
  for (Pairing& pairing : round.pairings) {
    pairing.games = terms.games;
    if (count == 0) continue;
    std::size_t place = static_cast<std::size_t>(round.round - 1) % count;
    if (terms.positions_by == PositionsBy::pairing) place = (before + board) % count;
    if (terms.positions_by == PositionsBy::lot) place = draws.below(count);
    pairing.position = static_cast<int>(place) + 1;
    ++board;
  }
}

// As long as nobody who has left comes back, nobody can be paired any more.
bool is_abandoned(const Event& event, DivisionKey division, const Ledger& ledger) {
  const Format format = ledger.terms->format;
  const bool free = format == Format::swiss || format == Format::open;
  if (free && division.stage == 0 && ledger.rounds < std::max(1, event.entry.late_until)) return false;
  const auto left = std::ranges::count_if(
      ledger.lines, [&](const Line& line) { return !line.left || *line.left > ledger.rounds + 1; });
  return left < (free || format == Format::match ? 2 : 1);
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

bool had_rematch(const Ledger& ledger) {
  return std::ranges::any_of(ledger.lines, [](const Line& line) {
    std::set<std::size_t> met;
    return std::ranges::any_of(line.turns,
                               [&](const Turn& turn) { return turn.met() && !met.insert(turn.opponent).second; });
  });
}

std::expected<RoundPaired, NotYet> pair(const Field& field, floodgate::Draws& draws, Rematches rematches) {
  switch (field.ledger.terms->format) {
    case Format::round_robin:
      return pair_round_robin(field);
    case Format::gauntlet:
      return pair_gauntlet(field);
    case Format::knock_out:
      return pair_knock_out(field);
    case Format::match:
      return pair_match(field);
    case Format::open: {
      OpenRound open = pair_open(field, draws);
      if (open.apart) return std::unexpected(NotYet::apart);
      return std::move(open.round);
    }
    case Format::swiss:
      break;
  }
  SwissRound swiss = pair_swiss(field, draws);
  const bool allowed = rematches == Rematches::allowed || field.ledger.terms->rematches || had_rematch(field.ledger);
  if (swiss.apart) return std::unexpected(NotYet::apart);
  if (swiss.rematch && !allowed) return std::unexpected(NotYet::no_legal_round);
  return std::move(swiss.round);
}

}  // namespace

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
  const Terms& terms = *ledger.terms;
  if (ledger.lines.empty()) return std::unexpected(NotYet::not_formed);
  if (all_paired(ledger)) return std::unexpected(NotYet::over);
  if (ledger.pending() && !has_schedule(terms.format)) return std::unexpected(NotYet::games_running);
  Field field{.state = state, .ledger = ledger, .division = division, .round = ledger.rounds + 1, .present = {}};
  for (std::size_t line = 0; line < ledger.lines.size(); ++line) {
    const Line& one = ledger.lines[line];
    const bool away = state.is_away(one.player, division.stage, field.round);
    if (!away && one.joined <= field.round) field.present.push_back(line);
  }
  const bool enough = field.present.size() >= 2 || (has_schedule(terms.format) && !field.present.empty()) ||
                      (terms.format == Format::knock_out && !field.present.empty());
  if (!enough) return std::unexpected(NotYet::too_few);
  auto round = pair(field, draws, rematches);
  if (!round) return std::unexpected(round.error());
  set_positions(terms, ledger, *round, draws);
  RoundProposal proposal{.round = std::move(*round), .doubts = {}};
  proposal.doubts = doubts_of(ledger, proposal.round);
  return proposal;
}

bool is_over(const Event& event, const EventState& state, DivisionKey division) {
  const Ledger ledger = ledger_of(event, state, division);
  if (ledger.lines.empty()) return cannot_be_formed(event, state, division);
  return !ledger.pending() && (all_paired(ledger) || is_abandoned(event, division, ledger));
}

bool is_played_out(const Event& event, const EventState& state, DivisionKey division) {
  const Ledger ledger = ledger_of(event, state, division);
  return !ledger.lines.empty() && !ledger.pending() && all_paired(ledger);
}

}  // namespace fuhyo::core::tournament
