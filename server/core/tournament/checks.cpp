// Whether something may be decided, and what a host should look at before.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "server/core/tournament/format_rules.h"

namespace fuhyo::core::tournament {
namespace {

using Verdict = std::expected<std::vector<Doubtful>, std::string>;

std::unexpected<std::string> no(std::string why) { return std::unexpected(std::move(why)); }

bool exists(const Event& event, DivisionKey key) {
  if (key.stage < 0 || key.division < 0 || static_cast<std::size_t>(key.stage) >= event.stages.size()) return false;
  return static_cast<std::size_t>(key.division) < event.stages[static_cast<std::size_t>(key.stage)].divisions.size();
}

bool have_met(const Ledger& ledger, std::size_t a, std::size_t b) {
  return std::ranges::any_of(ledger.rows[a].cells,
                             [b](const RoundCell& cell) { return cell.opponent == b && cell.met(); });
}

void doubt_colours(const Ledger& ledger, std::size_t place, bool black, std::vector<Doubtful>& doubts) {
  int balance = 0, run = 0;
  const int step = black ? 1 : -1;
  for (const RoundCell& cell : ledger.rows[place].cells) {
    for (const Mark& mark : cell.marks) {
      if (!mark.played()) continue;
      const int had = mark.black ? 1 : -1;
      balance += had;
      run = run * had > 0 ? run + had : had;
    }
  }
  const PlayerId& player = ledger.rows[place].player;
  if (run * step >= 2) doubts.push_back({.what = Doubt::third_colour, .a = player, .b = {}});
  if (std::abs(balance + step) > 2) doubts.push_back({.what = Doubt::colours, .a = player, .b = {}});
}

bool had_bye(const LedgerRow& row) {
  return std::ranges::any_of(row.cells, [](const RoundCell& cell) {
    const auto free_win = [](const Mark& mark) { return mark.sign == Sign::win && mark.how == How::forfeit; };
    return cell.kind == RoundCell::Kind::bye || cell.kind == RoundCell::Kind::walkover ||
           std::ranges::any_of(cell.marks, free_win);
  });
}

using Two = std::pair<PlayerId, PlayerId>;
Two two(const Pairing& pairing) { return std::minmax(pairing.black, pairing.white); }

// What somebody who is paired by hand was not due to.
void doubt_schedule(const EventState& state, const RoundPaired& round, Ledger ledger, std::vector<Doubtful>& doubts) {
  const FormatRules& rules = rules_of(*ledger.settings);
  if (rules.paired_freely) return;
  ledger = before(std::move(ledger), round.round);
  floodgate::SeededDraws none(0);  // nothing is drawn
  const auto due = rules.pair(full_field(state, ledger, round.division, round.round), none, Rematches::as_settings_say);
  if (!due || due->pairings.empty()) return;
  std::set<Two> meetings;
  for (const Pairing& pairing : due->pairings) meetings.insert(two(pairing));
  for (const Pairing& pairing : round.pairings) {
    if (meetings.contains(two(pairing))) continue;
    doubts.push_back({.what = Doubt::off_schedule, .a = pairing.black, .b = pairing.white});
  }
}

Verdict judge(const Event& event, const EventState& state, const Entered& e) {
  const Entrant& one = e.entrant;
  if (one.player.empty()) return no("an entrant has no name");
  if (one.stage < 0 || static_cast<std::size_t>(one.stage) >= event.stages.size()) return no("there is no such stage");
  if (state.entrant(one.player) != nullptr) return {};
  if (!event.entry.open) return no("entries are closed");
  if (state.entrants().size() >= event.entry.most) return no(fmt::format("{} have entered", event.entry.most));
  return {};
}

Verdict judge(const Event& event, const EventState& state, const Withdrawn& e) {
  if (state.entrant(e.player) == nullptr) return no(fmt::format("{} is not in the event", e.player));
  if (e.stage < 0 || static_cast<std::size_t>(e.stage) >= event.stages.size()) return no("there is no such stage");
  if (e.from < 1 || (e.until != 0 && e.until < e.from)) return no("these are no rounds");
  return {};
}

Verdict judge(const Event& event, const EventState& state, const Returned& e) {
  return judge(event, state, Withdrawn{.player = e.player, .stage = e.stage, .from = e.from});
}

Verdict judge(const Event& event, const EventState& state, const DivisionFormed& e) {
  if (!exists(event, e.division)) return no("there is no such division");
  if (!state.division(e.division).rounds.empty()) return no("its rounds have begun");
  if (e.members.size() < 2) return no("fewer than two members");
  if (e.members.size() > kMostMembers) return no(fmt::format("more than {} members", kMostMembers));
  if (rules_of(settings_of(event, e.division)).two_members && e.members.size() != 2) return no("a match is one of two");
  std::set<PlayerId> players;
  std::set<std::int64_t> lots;
  for (const Member& member : e.members) {
    if (state.entrant(member.player) == nullptr) return no(fmt::format("{} is not in the event", member.player));
    if (!players.insert(member.player).second) return no(fmt::format("{} is there twice", member.player));
    if (!lots.insert(member.lot).second) return no("two have the same lot");
  }
  return {};
}

Verdict judge(const Event& event, const EventState& state, const Joined& e) {
  if (!exists(event, e.division)) return no("there is no such division");
  const Ledger ledger = ledger_of(event, state, e.division);
  if (ledger.rows.empty()) return no("the division has no members yet: enter, and form it");
  if (state.entrant(e.member.player) == nullptr) return no(fmt::format("{} is not in the event", e.member.player));
  if (ledger.find(e.member.player)) return no(fmt::format("{} is there already", e.member.player));
  if (!rules_of(*ledger.settings).paired_freely) return no("its schedule is made for those who are there");
  if (ledger.rows.size() >= kMostMembers) return no(fmt::format("it has {} members", kMostMembers));
  if (e.from != ledger.rounds + 1) return no(fmt::format("its next round is {}", ledger.rounds + 1));
  if (e.from > std::max(1, event.entry.late_until)) {
    return no(fmt::format("late entries were welcome up to round {}", event.entry.late_until));
  }
  if (std::ranges::find(ledger.rows, e.member.lot, &LedgerRow::lot) != ledger.rows.end())
    return no("two have the same lot");
  return {};
}

Verdict judge_members(const EventState& state, const RoundPaired& e, const Ledger& ledger) {
  std::set<PlayerId> seen;
  const auto place = [&](const PlayerId& player) -> std::string {
    const auto place = ledger.find(player);
    if (!place) return fmt::format("{} is not in the division", player);
    if (!seen.insert(player).second) return fmt::format("{} is in the round twice", player);
    if (state.is_away(player, e.division.stage, e.round)) return fmt::format("{} is away", player);
    if (ledger.rows[*place].joined > e.round) return fmt::format("{} begins later", player);
    return {};
  };
  for (const Pairing& pairing : e.pairings) {
    for (const PlayerId* player : {&pairing.black, &pairing.white}) {
      if (std::string why = place(*player); !why.empty()) return no(std::move(why));
    }
    if (pairing.games < 1 || pairing.games > kMostGames) return no("a pairing has no such number of games");
    if (pairing.position < 0 || static_cast<std::size_t>(pairing.position) > ledger.settings->positions.size()) {
      return no(fmt::format("there is no position {}", pairing.position));
    }
  }
  for (const Bye& bye : e.byes) {
    if (std::string why = place(bye.player); !why.empty()) return no(std::move(why));
  }
  if (rules_of(*ledger.settings).eliminates) return {};  // who is beaten is in no round
  for (const LedgerRow& row : ledger.rows) {
    const bool there = row.joined <= e.round && !state.is_away(row.player, e.division.stage, e.round);
    if (there && !seen.contains(row.player)) return no(fmt::format("{} is missing in the round", row.player));
  }
  return {};
}

Verdict judge(const Event& event, const EventState& state, const RoundPaired& e) {
  if (!exists(event, e.division)) return no("there is no such division");
  const Ledger ledger = ledger_of(event, state, e.division);
  if (ledger.rows.empty()) return no(std::string(to_string(NotYet::not_formed)));
  if (e.round < 1 || e.round > kMostRounds || e.round > ledger.rounds + 1) {
    return no(fmt::format("the next round is {}", ledger.rounds + 1));
  }
  const auto& results = state.division(e.division).results;
  const auto first = results.lower_bound({.division = e.division, .round = e.round, .board = 0, .game = 0});
  if (first != results.end()) return no(fmt::format("round {} has results", first->first.round));
  if (e.round < ledger.rounds) return no(fmt::format("round {} is paired already", e.round + 1));
  if (auto verdict = judge_members(state, e, ledger); !verdict) return verdict;
  std::vector<Doubtful> doubts = doubts_of(before(ledger, e.round), e);
  doubt_schedule(state, e, ledger, doubts);
  return doubts;
}

bool fits(const GameResult& e) {
  switch (e.how) {
    case How::play:
    case How::adjudicated:
      return e.outcome != Outcome::none;
    case How::forfeit:
      return e.outcome != Outcome::draw;
    case How::voided:
    case How::replayed:
      return e.outcome == Outcome::none;
  }
  return false;
}

Verdict judge(const Event& event, const EventState& state, const GameResult& e) {
  if (!exists(event, e.game.division)) return no("there is no such division");
  const DivisionState& division = state.division(e.game.division);
  const auto round = division.rounds.find(e.game.round);
  if (round == division.rounds.end()) return no(fmt::format("round {} is not paired", e.game.round));
  const auto board = static_cast<std::size_t>(e.game.board);
  if (e.game.board < 1 || board > round->second.pairings.size()) return no("there is no such board");
  const Pairing& pairing = round->second.pairings[board - 1];
  const Two players = std::minmax(e.black, e.white);
  if (players != two(pairing)) return no(fmt::format("there {} meets {}", pairing.black, pairing.white));
  if (!fits(e)) return no(fmt::format("that is no result of the kind '{}'", to_string(e.how)));
  const Ledger ledger = ledger_of(event, state, e.game.division);
  const bool due = std::ranges::find(ledger.due, e.game, &DueGame::game) != ledger.due.end();
  if (!due && !division.results.contains(e.game)) return no("this game is not to be played");
  return {};
}

struct InWords {
  std::string_view en, ja;  // {0}: a, {1}: b
};
InWords words_of(Doubt doubt) {
  switch (doubt) {
    case Doubt::rematch:
      return {"{0} and {1} meet again", "{0} と {1} は再戦になります"};
    case Doubt::second_bye:
      return {"{0} has a second bye", "{0} は二度目の不戦勝になります"};
    case Doubt::third_colour:
      return {"{0} has the same colour three times running", "{0} は同じ手番が三局続きます"};
    case Doubt::colours:
      return {"{0} comes to three more games with one colour", "{0} の先後の差が三局になります"};
    case Doubt::off_schedule:
      return {"{0} and {1} are not due to meet", "{0} と {1} は組合せ表にない対局です"};
    case Doubt::shared_rank:
      return {"{0} goes up before {1}, who has the same rank: the better seed",
              "{0} は {1} と同順位ですが、シード上位のため進みます"};
    case Doubt::few_members:
      return {"there are too few members for all rounds without a rematch",
              "参加者が少なく、再戦なしでは全ての回戦を行えません"};
    case Doubt::apart:
      return {"{0} and {1} must not meet", "{0} と {1} は対局させない組合せです"};
    case Doubt::apart_rounds:
      return {"because of those who must not meet, its rounds cannot all be paired without a rematch",
              "対局させない組合せのため、再戦なしでは全ての回戦を行えません"};
  }
  return {};
}

}  // namespace

std::string to_text(const std::vector<Doubtful>& doubts, Language language) {
  std::string text;
  for (const Doubtful& doubt : doubts) {
    const InWords words = words_of(doubt.what);
    if (!text.empty()) text += "; ";
    text += fmt::format(fmt::runtime(language == Language::en ? words.en : words.ja), doubt.a, doubt.b);
  }
  return text;
}

std::vector<Doubtful> doubts_of(const Ledger& ledger, const RoundPaired& round) {
  std::vector<Doubtful> doubts;
  const FormatRules& rules = rules_of(*ledger.settings);
  for (const Pairing& pairing : round.pairings) {
    const std::vector<std::size_t>& apart = ledger.rows[ledger.find(pairing.black).value()].apart;
    if (rules.has_choice() && std::ranges::binary_search(apart, ledger.find(pairing.white).value())) {
      doubts.push_back({.what = Doubt::apart, .a = pairing.black, .b = pairing.white});
    }
  }
  if (!rules.doubts_rematches) return doubts;
  for (const Pairing& pairing : round.pairings) {
    const std::size_t black = ledger.find(pairing.black).value(), white = ledger.find(pairing.white).value();
    if (have_met(ledger, black, white)) {
      doubts.push_back({.what = Doubt::rematch, .a = pairing.black, .b = pairing.white});
    }
    if (ledger.settings->games != 1) continue;
    doubt_colours(ledger, black, true, doubts);
    doubt_colours(ledger, white, false, doubts);
  }
  for (const Bye& bye : round.byes) {
    if (bye.kind != ByeKind::bye || !had_bye(ledger.rows[ledger.find(bye.player).value()])) continue;
    doubts.push_back({.what = Doubt::second_bye, .a = bye.player, .b = {}});
  }
  return doubts;
}

std::expected<std::vector<Doubtful>, std::string> check(const Event& event, const EventState& state,
                                                        const Decision& decision) {
  return std::visit([&](const auto& one) { return judge(event, state, one); }, decision);
}

}  // namespace fuhyo::core::tournament
