// Open rounds: whoever is there is paired as in a floodgate group, by any of its methods.
#include <algorithm>

#include "server/core/tournament/methods.h"

namespace fuhyo::core::tournament {
namespace {

// The rounds so far as floodgate remembers them: players by their names in the event.
floodgate::History history_of(const Ledger& ledger) {
  floodgate::History history;
  for (int round = 1; round <= ledger.rounds; ++round) {
    const auto number = static_cast<std::uint64_t>(round);
    for (const Line& line : ledger.lines) {
      const Turn& turn = line.turns[static_cast<std::size_t>(round) - 1];
      if (turn.kind == Turn::Kind::bye) history.sit_out(line.player, number);
      for (const Mark& mark : turn.marks) {
        if (!mark.black || !mark.played()) continue;
        const PlayerId& other = ledger.lines[turn.opponent].player;
        floodgate::Played played{
            .game_id = mark.record, .black = line.player, .white = other, .winner = {}, .loser = {}, .round = number};
        if (mark.sign != Sign::draw) {
          played.winner = mark.sign == Sign::win ? line.player : other;
          played.loser = mark.sign == Sign::win ? other : line.player;
        }
        history.record(played);
      }
    }
  }
  return history;
}

}  // namespace

OpenRound pair_open(const Field& field, floodgate::Draws& draws) {
  floodgate::Round round{.number = static_cast<std::uint64_t>(field.round),
                         .entrants = {},
                         .others = {},
                         .settings = {.method = field.ledger.terms->method, .sacrifice = {}},
                         .filler = {},
                         .apart = {}};
  for (const std::size_t line : field.present) {
    const PlayerId& player = field.ledger.lines[line].player;
    const Entrant* entrant = field.state.entrant(player);
    round.entrants.push_back({.id = player, .name = player, .rate = entrant == nullptr ? 0 : entrant->rate});
  }
  for (const std::size_t line : field.present) {
    for (const std::size_t other : field.ledger.lines[line].apart) {
      round.apart.emplace(field.ledger.lines[line].player, field.ledger.lines[other].player);
    }
  }
  const floodgate::Pairings paired = floodgate::pair(round, history_of(field.ledger), draws);
  OpenRound result{.round = {.division = field.division, .round = field.round, .pairings = {}, .byes = {}}};
  for (const floodgate::PairedGame& game : paired.games) {
    result.apart |= floodgate::is_ours(field.ledger.terms->method) && round.apart.contains({game.black, game.white});
    result.round.pairings.push_back({.black = game.black, .white = game.white});
  }
  for (const floodgate::SitOut& out : paired.sit_outs) {
    result.round.byes.push_back({.player = out.id, .kind = ByeKind::bye, .instead_of = {}});
  }
  return result;
}

}  // namespace fuhyo::core::tournament
