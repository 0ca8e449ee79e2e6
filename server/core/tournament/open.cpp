// Open rounds: those who are there are paired as in a floodgate group, by any of its methods.
#include <algorithm>

#include "server/core/tournament/format_rules.h"

namespace fuhyo::core::tournament {
namespace {

// The rounds so far as floodgate remembers them: players by their names in the event.
floodgate::History history_of(const Ledger& ledger) {
  floodgate::History history;
  for (int round = 1; round <= ledger.rounds; ++round) {
    const auto number = static_cast<std::uint64_t>(round);
    for (const LedgerRow& row : ledger.rows) {
      const RoundCell& cell = row.cells[static_cast<std::size_t>(round) - 1];
      if (cell.kind == RoundCell::Kind::bye) history.sit_out(row.player, number);
      for (const Mark& mark : cell.marks) {
        if (!mark.black || !mark.played()) continue;
        const PlayerId& other = ledger.rows[cell.opponent].player;
        floodgate::Played played{
            .game_id = mark.record, .black = row.player, .white = other, .winner = {}, .loser = {}, .round = number};
        if (mark.sign != Sign::draw) {
          played.winner = mark.sign == Sign::win ? row.player : other;
          played.loser = mark.sign == Sign::win ? other : row.player;
        }
        history.record(played);
      }
    }
  }
  return history;
}

std::expected<RoundPaired, NotYet> pair_as_floodgate(const Field& field, floodgate::Draws& draws, Rematches) {
  floodgate::Round round{.number = static_cast<std::uint64_t>(field.round),
                         .entrants = {},
                         .others = {},
                         .settings = {.method = field.ledger.settings->method, .sacrifice = {}},
                         .filler = {},
                         .apart = {}};
  for (const std::size_t place : field.present) {
    const PlayerId& player = field.player(place);
    const Entrant* entrant = field.state.entrant(player);
    round.entrants.push_back({.id = player, .name = player, .rate = entrant == nullptr ? 0 : entrant->rate});
  }
  for (const std::size_t place : field.present) {
    for (const std::size_t other : field.ledger.rows[place].apart) {
      round.apart.emplace(field.player(place), field.player(other));
    }
  }
  const floodgate::Pairings paired = floodgate::pair(round, history_of(field.ledger), draws);
  const bool keeps_apart = floodgate::is_ours(field.ledger.settings->method);
  RoundPaired result = field.empty_round();
  for (const floodgate::PairedGame& game : paired.games) {
    if (keeps_apart && round.apart.contains({game.black, game.white})) return std::unexpected(NotYet::apart);
    result.pairings.push_back({.black = game.black, .white = game.white});
  }
  for (const floodgate::SitOut& out : paired.sit_outs) {
    result.byes.push_back({.player = out.id, .kind = ByeKind::bye, .instead_of = {}});
  }
  return result;
}

}  // namespace

constinit const FormatRules formats::kOpen = {.word = "open",
                                              .name_en = "open rounds",
                                              .name_ja = "自由対局 (floodgate 方式)",
                                              .keys = {"rounds", "method", "draws"},
                                              .tie_breaks = {TieBreak::points},
                                              .paired_freely = true,
                                              .endless = true,
                                              .pair = pair_as_floodgate};

}  // namespace fuhyo::core::tournament
