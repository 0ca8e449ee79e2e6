#include "server/core/tournament/ledger.h"

#include <algorithm>
#include <map>
#include <utility>

#include "server/core/tournament/format_rules.h"

namespace fuhyo::core::tournament {
namespace {

bool repeats(const GameResult& result, const DivisionSettings& settings) {
  if (result.how == How::replayed) return true;
  const bool drawn = result.outcome == Outcome::draw && result.how == How::play;
  return drawn && !rules_of(settings).eliminates && settings.draws == DrawRule::replay &&
         result.game.attempt <= settings.replays;
}

Sign sign_of(const GameResult& result, bool black) {
  if (result.how == How::voided || result.how == How::replayed) return Sign::none;
  if (result.outcome == Outcome::draw) return Sign::draw;
  if (result.outcome == Outcome::none) return result.how == How::forfeit ? Sign::loss : Sign::none;
  return (result.outcome == Outcome::black_wins) == black ? Sign::win : Sign::loss;
}

Points points_of(const Scoring& scoring, Sign sign, How how, bool black) {
  switch (sign) {
    case Sign::win:
      return how == How::forfeit ? scoring.forfeit_win : scoring.win;
    case Sign::loss:
      return how == How::forfeit ? scoring.forfeit_loss : scoring.loss;
    case Sign::draw:
      return black ? scoring.draw_black : scoring.draw_white;
    case Sign::pending:
    case Sign::none:
      break;
  }
  return {};
}

Mark mark_of(const GameResult& result, const DivisionSettings& settings, bool black) {
  const bool again = repeats(result, settings);
  const Sign sign = again ? Sign::none : sign_of(result, black);
  return {.game = result.game,
          .black = black,
          .sign = sign,
          .how = result.how,
          .repeated = again,
          .points = points_of(settings.scoring, sign, result.how, black),
          .end = result.end,
          .plies = result.plies,
          .record = result.record};
}

// Follows the games of one pairing as far as they have results.
class PairingReader {
 public:
  PairingReader(Ledger& ledger, const DivisionState& state, DivisionKey division, int round)
      : ledger_(ledger), state_(state), division_(division), round_(round) {}

  void read(const Pairing& pairing, int board) {
    const auto black = ledger_.find(pairing.black), white = ledger_.find(pairing.white);
    if (!black || !white || *black == *white) return;
    RoundCell& first = cell(*black);
    RoundCell& second = cell(*white);
    first = {.kind = RoundCell::Kind::game, .opponent = *white, .board = board, .marks = {}, .points = {}, .total = {}};
    second = {
        .kind = RoundCell::Kind::game, .opponent = *black, .board = board, .marks = {}, .points = {}, .total = {}};
    bool first_is_black = true;
    for (int game = 1; is_to_be_played(game, pairing.games, first, second); ++game) {
      if (!read_attempts(pairing, {division_, round_, board, game, 1}, first_is_black, first, second)) return;
      first_is_black = !first_is_black;
    }
  }

 private:
  RoundCell& cell(std::size_t place) { return ledger_.rows[place].cells[static_cast<std::size_t>(round_) - 1]; }

  bool is_to_be_played(int game, int games, const RoundCell& first, const RoundCell& second) const {
    const DivisionSettings& settings = *ledger_.settings;
    if (game <= games) return true;
    return rules_of(settings).eliminates && game <= games + settings.replays && first.points == second.points;
  }

  // False: one of them has no result yet; it is due.
  bool read_attempts(const Pairing& pairing, GameKey key, bool first_is_black, RoundCell& first, RoundCell& second) {
    for (;; ++key.attempt) {
      const auto found = state_.results.find(key);
      if (found == state_.results.end()) {
        first.marks.push_back({.game = key, .black = first_is_black, .end = {}, .record = {}});
        second.marks.push_back({.game = key, .black = !first_is_black, .end = {}, .record = {}});
        ledger_.due.push_back({.game = key,
                               .black = first_is_black ? pairing.black : pairing.white,
                               .white = first_is_black ? pairing.white : pairing.black,
                               .position = pairing.position});
        return false;
      }
      const GameResult& result = found->second;
      first_is_black = result.black == pairing.black;  // what was played counts, whatever was due
      first.marks.push_back(mark_of(result, *ledger_.settings, first_is_black));
      second.marks.push_back(mark_of(result, *ledger_.settings, !first_is_black));
      first.points += first.marks.back().points;
      second.points += second.marks.back().points;
      if (!repeats(result, *ledger_.settings)) return true;
      if (result.how != How::replayed) first_is_black = !first_is_black;
    }
  }

  Ledger& ledger_;
  const DivisionState& state_;
  DivisionKey division_;
  int round_;
};

LedgerRow row_of(const Member& member, int joined, const EventState& state, int stage) {
  LedgerRow row{.player = member.player, .lot = member.lot, .joined = joined, .left = {}, .cells = {}, .points = {}};
  if (const auto left = state.left(member.player); left && left->stage <= stage) {
    row.left = left->stage < stage ? 1 : left->round;
  }
  return row;
}

// The games of a walkover as its winner sees them, or who has left.
void give_forfeits(RoundCell& cell, bool won, Points each, GameKey game, int games) {
  for (game.game = 1; game.game <= games; ++game.game) {
    cell.marks.push_back({.game = game,
                          .sign = won ? Sign::win : Sign::loss,
                          .how = How::forfeit,
                          .points = each,
                          .end = {},
                          .record = {}});
    cell.points += each;
  }
}

void read_walkover(Ledger& ledger, const Bye& bye, GameKey game, int games) {
  const auto cell = [&](std::size_t place) -> RoundCell& {
    return ledger.rows[place].cells[static_cast<std::size_t>(game.round) - 1];
  };
  const std::size_t winner = ledger.find(bye.player).value();
  const std::size_t loser = ledger.find(bye.instead_of).value_or(winner);
  cell(winner).kind = RoundCell::Kind::walkover;
  cell(winner).opponent = loser;
  give_forfeits(cell(winner), true, ledger.settings->scoring.forfeit_win, game, games);
  const std::optional<int>& left = ledger.rows[loser].left;
  if (loser == winner || !left || *left > game.round) return;  // who is excused is absent
  cell(loser) = {.kind = RoundCell::Kind::defaulted, .opponent = winner, .marks = {}, .points = {}, .total = {}};
  give_forfeits(cell(loser), false, ledger.settings->scoring.forfeit_loss, game, games);
}

void read_bye(Ledger& ledger, const Bye& bye, GameKey game, int games) {
  const auto place = ledger.find(bye.player);
  if (!place) return;
  const Scoring& scoring = ledger.settings->scoring;
  RoundCell& cell = ledger.rows[*place].cells[static_cast<std::size_t>(game.round) - 1];
  cell = {};
  switch (bye.kind) {
    case ByeKind::bye:
      cell.kind = RoundCell::Kind::bye;
      cell.points = scoring.bye;
      break;
    case ByeKind::rest:
      cell.kind = RoundCell::Kind::rest;
      break;
    case ByeKind::walkover:
      read_walkover(ledger, bye, game, games);
      break;
  }
}

void read_round(Ledger& ledger, const DivisionState& state, const RoundPaired& paired) {
  const auto at = static_cast<std::size_t>(paired.round) - 1;
  for (LedgerRow& row : ledger.rows) {
    if (row.left && *row.left <= paired.round) continue;
    if (rules_of(*ledger.settings).eliminates && paired.round > 1) continue;  // who is not paired is out
    row.cells[at] = {
        .kind = RoundCell::Kind::absent, .marks = {}, .points = ledger.settings->scoring.absent, .total = {}};
  }
  PairingReader reader(ledger, state, paired.division, paired.round);
  int board = 0;
  for (const Pairing& pairing : paired.pairings) reader.read(pairing, ++board);
  const GameKey first{.division = paired.division, .round = paired.round, .board = 0};
  for (const Bye& bye : paired.byes) read_bye(ledger, bye, first, ledger.settings->games);
}

bool is_annulled(const Ledger& ledger, const LedgerRow& row) {
  const DivisionSettings& settings = *ledger.settings;
  if (!rules_of(settings).scheduled || settings.withdrawn != WithdrawnGames::annul || !row.left) return false;
  const auto played = std::ranges::count_if(
      row.cells, [](const RoundCell& cell) { return std::ranges::any_of(cell.marks, &Mark::played); });
  return 2 * played < rounds_of(settings, ledger.rows.size());
}

void annul(Ledger& ledger) {
  std::vector<bool> gone;
  gone.reserve(ledger.rows.size());
  for (const LedgerRow& row : ledger.rows) gone.push_back(is_annulled(ledger, row));
  for (std::size_t place = 0; place < ledger.rows.size(); ++place) {
    for (RoundCell& cell : ledger.rows[place].cells) {
      if (!gone[place] && !(cell.has_opponent() && gone[cell.opponent])) continue;
      cell.annulled = true;
      cell.points = {};
      for (Mark& mark : cell.marks) mark.annulled = true, mark.points = {};
    }
  }
}

}  // namespace

bool RoundCell::pending() const {
  return std::ranges::any_of(marks, [](const Mark& mark) { return mark.sign == Sign::pending; });
}

bool RoundCell::met() const { return kind == Kind::game && (pending() || std::ranges::any_of(marks, &Mark::played)); }

std::optional<std::size_t> Ledger::find(std::string_view player) const {
  const auto found = std::ranges::find(rows, player, &LedgerRow::player);
  if (found == rows.end()) return std::nullopt;
  return static_cast<std::size_t>(found - rows.begin());
}

const DivisionSettings& settings_of(const Event& event, DivisionKey division) {
  return event.stages[static_cast<std::size_t>(division.stage)]
      .divisions[static_cast<std::size_t>(division.division)]
      .settings;
}

Ledger ledger_of(const Event& event, const EventState& state, DivisionKey division) {
  const DivisionState& decided = state.division(division);
  Ledger ledger{.settings = &settings_of(event, division), .rows = {}, .due = {}};
  for (const Member& member : decided.members) ledger.rows.push_back(row_of(member, 1, state, division.stage));
  for (const Joined& late : decided.joined) {
    ledger.rows.push_back(row_of(late.member, late.from, state, division.stage));
  }
  std::vector<PlayerId> players;
  for (const LedgerRow& row : ledger.rows) players.push_back(row.player);
  auto apart = apart_among(event, state, players);
  for (std::size_t place = 0; place < apart.size(); ++place) ledger.rows[place].apart = std::move(apart[place]);
  ledger.rounds = decided.rounds.empty() ? 0 : decided.rounds.rbegin()->first;
  for (LedgerRow& row : ledger.rows) row.cells.resize(static_cast<std::size_t>(ledger.rounds));
  for (const auto& [round, paired] : decided.rounds) read_round(ledger, decided, paired);
  annul(ledger);
  for (LedgerRow& row : ledger.rows) {
    for (RoundCell& cell : row.cells) {
      row.points += cell.points;
      cell.total = row.points;
    }
  }
  return ledger;
}

std::vector<std::vector<std::size_t>> apart_among(const Event& event, const EventState& state,
                                                  const std::vector<PlayerId>& players) {
  std::map<std::string_view, std::size_t> places;
  std::map<std::string_view, std::vector<std::size_t>> sets;  // by group
  for (std::size_t place = 0; place < players.size(); ++place) {
    places[players[place]] = place;
    const Entrant* entrant = state.entrant(players[place]);
    if (entrant == nullptr) continue;
    for (const std::string& group : entrant->groups) sets[group].push_back(place);
  }
  std::vector<std::vector<std::size_t>> apart(players.size());
  const auto keep = [&](const std::vector<std::size_t>& set) {
    for (const std::size_t a : set) {
      for (const std::size_t b : set) {
        if (a != b) apart[a].push_back(b);
      }
    }
  };
  for (const auto& [group, set] : sets) keep(set);
  for (const std::vector<PlayerId>& list : event.apart) {
    std::vector<std::size_t> set;
    for (const PlayerId& player : list) {
      if (const auto found = places.find(player); found != places.end()) set.push_back(found->second);
    }
    keep(set);
  }
  for (std::vector<std::size_t>& others : apart) {
    std::ranges::sort(others);
    others.erase(std::ranges::unique(others).begin(), others.end());
  }
  return apart;
}

Ledger before(Ledger ledger, int round) {
  ledger.rounds = std::min(ledger.rounds, round - 1);
  std::erase_if(ledger.due, [round](const DueGame& due) { return due.game.round >= round; });
  for (LedgerRow& row : ledger.rows) {
    row.cells.resize(static_cast<std::size_t>(ledger.rounds));
    row.points = row.cells.empty() ? Points{} : row.cells.back().total;
  }
  return ledger;
}

std::size_t knock_out_winner(const Ledger& ledger, std::size_t a, std::size_t b, int round) {
  const Points first = ledger.cell(a, round).points, second = ledger.cell(b, round).points;
  if (first != second) return first > second ? a : b;
  if (ledger.settings->decider == Decider::lot) return ledger.rows[a].lot < ledger.rows[b].lot ? a : b;
  return std::min(a, b);
}

}  // namespace fuhyo::core::tournament
