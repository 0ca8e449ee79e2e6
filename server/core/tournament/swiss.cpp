#include "server/core/tournament/swiss.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <set>
#include <tuple>
#include <utility>

#include "server/core/tournament/rounds_ahead.h"

namespace fuhyo::core::tournament {
namespace {

constexpr std::int64_t kMostGap = 24;                     // quarters: six wins apart is as bad as any more
constexpr std::int64_t kMostMeetings = 8, kMostByes = 8;  // that are told apart
constexpr std::int64_t kMostLead = 4 * kMostRounds;       // over the lowest
constexpr std::int64_t kMostFolding = kMostMembers;
// What one pair or bye may have of each figure.
constexpr Quality kMost = {1, kMostMeetings, kMostByes, 2, kMostLead, kMostGap* kMostGap, 2, 2, 2, kMostFolding};
constexpr bool is_of_byes(std::size_t figure) { return figure == 2 || figure == 4; }  // a round has one bye at most

std::int64_t squared_gap(std::int64_t quarters) {
  const std::int64_t clamped = std::min(std::abs(quarters), kMostGap);
  return clamped * clamped;
}

// Whether a member could have the colour without three running or a balance of three.
bool may_have(const SwissMember& member, bool black) {
  const int step = black ? 1 : -1;
  return std::abs(member.balance + step) <= 2 && (member.run * step <= 0 || std::abs(member.run) < 2);
}

// +1: can have Black only; -1: White only; 0: either, or none.
int only_colour(const SwissMember& member) {
  return (may_have(member, true) ? 1 : 0) - (may_have(member, false) ? 1 : 0);
}

// +1: due Black; -1: due White; 0: no game yet.
int due(const SwissMember& member) {
  if (member.balance != 0) return member.balance < 0 ? 1 : -1;
  return member.run == 0 ? 0 : member.run < 0 ? 1 : -1;
}

// How badly neither way to give colours does.
std::int64_t colour_faults(const SwissMember& a, const SwissMember& b) {
  const bool a_black = first_has_black(a, b, true);
  return (may_have(a, a_black) ? 0 : 1) + (may_have(b, !a_black) ? 0 : 1);
}

// `direction` of the floats of a and b, where a has at least as many points.
std::int64_t floats(const SwissMember& a, const SwissMember& b, int a_float, int b_float) {
  if (a.quarters == b.quarters) return 0;
  return (a_float < 0 ? 1 : 0) + (b_float > 0 ? 1 : 0);
}

// Figures as one cost.
class Tiers {
 public:
  explicit Tiers(std::size_t members) {
    const auto pairs = static_cast<std::int64_t>(members / 2 + 1);
    floodgate::WideCost weight = 1;
    for (std::size_t i = kMost.size(); i-- > 0;) {
      weights_[i] = weight;
      weight *= kMost[i] * (is_of_byes(i) ? 1 : pairs) + 1;
    }
    assert(weight <= floodgate::kMostWideCost);
  }
  floodgate::WideCost cost(const Quality& quality) const {
    floodgate::WideCost sum = 0;
    for (std::size_t i = 0; i < quality.size(); ++i) sum += quality[i] * weights_[i];
    return sum;
  }

 private:
  std::array<floodgate::WideCost, std::tuple_size_v<Quality>> weights_{};
};

// Where the number of members is odd, the place beyond the last is "has the bye".
PairingProblem problem_of(const SwissField& field) {
  const std::size_t members = field.members.size(), n = members + members % 2;
  const Tiers tiers(members);
  PairingProblem problem{.places = n, .cost = {}, .may = {}, .bye = n > members};
  problem.cost.resize(n * n);
  problem.may.assign(n, std::vector<bool>(n));
  for (std::size_t a = 0; a < members; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      const bool pair = b < members;
      problem.cost[a * n + b] = problem.cost[b * n + a] = tiers.cost(pair ? field.pair(a, b) : field.bye(a));
      problem.may[a][b] = problem.may[b][a] =
          pair ? field.met[a][b] == 0 && !field.apart[a][b] : field.members[a].byes == 0;
    }
  }
  return problem;
}

int float_of(const Ledger& ledger, std::size_t place, int round) {
  if (round < 1) return 0;
  const RoundCell& cell = ledger.cell(place, round);
  if (cell.kind == RoundCell::Kind::bye) return -1;
  if (!cell.met()) return 0;
  const auto before = [&](std::size_t one) { return round == 1 ? Points{} : ledger.cell(one, round - 1).total; };
  const Points own = before(place), other = before(cell.opponent);
  return own == other ? 0 : own > other ? -1 : 1;
}

void count(SwissMember& member, const RoundCell& cell) {
  bool forfeit_win = cell.kind == RoundCell::Kind::bye || cell.kind == RoundCell::Kind::walkover;
  for (const Mark& mark : cell.marks) {
    forfeit_win |= mark.sign == Sign::win && mark.how == How::forfeit;
    if (!mark.played()) continue;
    member.colours.push_back(mark.black ? 1 : 0);
    const int step = mark.black ? 1 : -1;
    member.balance += step;
    member.run = member.run * step > 0 ? member.run + step : step;
  }
  member.byes += forfeit_win ? 1 : 0;
}

SwissMember member_of(const Field& field, std::size_t place) {
  const Ledger& ledger = field.ledger;
  const std::int64_t win = ledger.settings->scoring.win.milli;
  const std::int64_t points = ledger.rows[place].points.milli;
  SwissMember member{.place = place, .colours = {}};
  member.quarters = points <= 0 ? 0 : (4 * points + win - 1) / win;
  for (const RoundCell& cell : ledger.rows[place].cells) count(member, cell);
  member.last_float = float_of(ledger, place, field.round - 1);
  member.float_before = float_of(ledger, place, field.round - 2);
  return member;
}

bool had_rematch(const Ledger& ledger) {
  return std::ranges::any_of(ledger.rows, [](const LedgerRow& row) {
    std::set<std::size_t> met;
    return std::ranges::any_of(row.cells,
                               [&](const RoundCell& cell) { return cell.met() && !met.insert(cell.opponent).second; });
  });
}

std::expected<RoundPaired, NotYet> pair_swiss(const Field& field, floodgate::Draws& draws, Rematches rematches) {
  const DivisionSettings& settings = *field.ledger.settings;
  const SwissField swiss = swiss_field(field, draws);
  const Partners partner = pair_for_rounds_ahead(problem_of(swiss), settings.rounds - field.round);
  RoundPaired result = field.empty_round();
  const auto player = [&](std::size_t place) { return field.player(swiss.members[place].place); };
  bool top_has_black = draws.below(2) == 0, apart = false, rematch = false;
  for (std::size_t a = 0; a < swiss.members.size(); ++a) {
    const std::size_t b = partner[a];
    if (b < a) continue;
    if (b == swiss.members.size()) {
      result.byes.push_back({.player = player(a), .kind = ByeKind::bye, .instead_of = {}});
      continue;
    }
    apart |= swiss.apart[a][b];
    rematch |= swiss.met[a][b] > 0;
    const bool black = first_has_black(swiss.members[a], swiss.members[b], top_has_black);
    result.pairings.push_back({.black = player(black ? a : b), .white = player(black ? b : a)});
    top_has_black = !top_has_black;
  }
  const bool allowed = rematches == Rematches::allowed || settings.rematches || had_rematch(field.ledger);
  if (apart) return std::unexpected(NotYet::apart);
  if (rematch && !allowed) return std::unexpected(NotYet::no_legal_round);
  return result;
}

// As far as a bounded search tells. What else is doubtful about the members is told before.
void doubt_rounds(const EventState& state, const Ledger& ledger, FormProposal& proposal) {
  if (!proposal.doubts.empty()) return;
  floodgate::SeededDraws draws(0);
  const Field field = full_field(state, ledger, proposal.division.division, 1);
  const PairingProblem problem = problem_of(swiss_field(field, draws));
  const auto can = can_pair(problem, ledger.settings->rematches ? 1 : ledger.settings->rounds);
  if (!can.value_or(true)) proposal.doubts.push_back({.what = Doubt::apart_rounds, .a = {}, .b = {}});
}

// An odd number of members has as many rounds as members, each of them resting once.
std::size_t members_for_rounds(const DivisionSettings& settings) {
  if (settings.rematches) return 0;
  const auto rounds = static_cast<std::size_t>(settings.rounds);
  return std::max<std::size_t>(2, rounds % 2 == 0 ? rounds + 1 : rounds);
}

}  // namespace

std::size_t SwissField::group_of(std::size_t a) const {
  while (a > 0 && members[a - 1].quarters == members[a].quarters) --a;
  return a;
}

Quality SwissField::pair(std::size_t a, std::size_t b) const {
  const SwissMember& x = members[a];
  const SwissMember& y = members[b];
  const std::int64_t gap = x.quarters - y.quarters;
  const auto distance = static_cast<std::int64_t>(b - a);
  std::int64_t folding = distance;
  if (gap == 0) {
    const std::size_t first = group_of(a);
    std::size_t end = b + 1;
    while (end < members.size() && members[end].quarters == x.quarters) ++end;
    folding = std::abs(distance - static_cast<std::int64_t>((end - first) / 2));
  }
  return {apart[a][b] ? 1 : 0,
          std::min<std::int64_t>(met[a][b], kMostMeetings),
          0,
          colours ? colour_faults(x, y) : 0,
          0,
          squared_gap(gap),
          floats(x, y, x.last_float, y.last_float),
          colours && due(x) != 0 && due(x) == due(y) ? (x.balance * y.balance != 0 ? 2 : 1) : 0,
          floats(x, y, x.float_before, y.float_before),
          std::min(folding, kMostFolding)};
}

Quality SwissField::bye(std::size_t a) const {
  const SwissMember& x = members[a];
  const auto below = static_cast<std::int64_t>(members.size() - 1 - a);
  return {0,
          0,
          std::min<std::int64_t>(x.byes, kMostByes),
          0,
          std::min(x.quarters - members.back().quarters, kMostLead),
          0,
          x.last_float < 0 ? 1 : 0,
          0,
          x.float_before < 0 ? 1 : 0,
          std::min(below, kMostFolding)};
}

bool first_has_black(const SwissMember& a, const SwissMember& b, bool by_board) {
  const int mine_only = only_colour(a), yours_only = only_colour(b);
  if (mine_only != yours_only) return mine_only != 0 ? mine_only > 0 : yours_only < 0;
  if (a.balance != b.balance) return a.balance < b.balance;
  if (a.run != b.run) return a.run < b.run;
  for (std::size_t back = 1; back <= std::min(a.colours.size(), b.colours.size()); ++back) {
    const char mine = a.colours[a.colours.size() - back], yours = b.colours[b.colours.size() - back];
    if (mine != yours) return mine == 0;
  }
  return a.colours.empty() ? by_board : a.colours.back() == 0;
}

SwissField swiss_field(const Field& field, floodgate::Draws& draws) {
  SwissField result{.members = {}, .met = {}, .apart = {}, .colours = field.ledger.settings->games == 1};
  for (const std::size_t place : field.present) result.members.push_back(member_of(field, place));
  if (field.round <= field.ledger.settings->random_rounds) {
    floodgate::shuffle(result.members, draws);
    for (SwissMember& member : result.members) member.quarters = 0;
  } else {
    std::ranges::sort(result.members, {}, [](const SwissMember& one) { return std::pair(-one.quarters, one.place); });
  }
  const std::size_t size = result.members.size();
  std::vector<std::size_t> place(field.ledger.rows.size(), size);
  for (std::size_t i = 0; i < size; ++i) place[result.members[i].place] = i;
  result.met.assign(size, std::vector<int>(size));
  result.apart.assign(size, std::vector<bool>(size));
  for (std::size_t i = 0; i < size; ++i) {
    for (const RoundCell& cell : field.ledger.rows[result.members[i].place].cells) {
      if (cell.met() && place[cell.opponent] < size) ++result.met[i][place[cell.opponent]];
    }
    for (const std::size_t other : field.ledger.rows[result.members[i].place].apart) {
      if (place[other] < size) result.apart[i][place[other]] = true;
    }
  }
  return result;
}

constinit const FormatRules formats::kSwiss = {
    .word = "swiss",
    .name_en = "Swiss",
    .name_ja = "スイス式",
    .keys = {"rounds", "random-rounds", "rematches", "draws"},
    .tie_breaks = {TieBreak::points, TieBreak::buchholz, TieBreak::sonneborn_berger, TieBreak::median,
                   TieBreak::direct},
    .paired_freely = true,
    .doubts_rematches = true,
    .least_members = members_for_rounds,
    .pair = pair_swiss,
    .doubt_apart = doubt_rounds};

}  // namespace fuhyo::core::tournament
