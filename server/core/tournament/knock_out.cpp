// The knock-out: members stand in the bracket by their seeds, so that 1 and 2 can meet in the final only. Who is left
// stays in that order; neighbours meet. So a round that was changed by hand leads on like any other one.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

#include "server/core/tournament/format_rules.h"
#include "server/core/tournament/tie_breaks.h"

namespace fuhyo::core::tournament {
namespace {

// Seeds (from 0) in the order of the bracket: 0, 7, 3, 4, 2, 5, 1, 6 of eight.
std::vector<std::size_t> bracket(std::size_t slots) {
  std::vector<std::size_t> order{0};
  while (order.size() < slots) {
    std::vector<std::size_t> wider;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t rival = 2 * order.size() - 1 - order[i];
      wider.push_back(i % 2 == 0 ? order[i] : rival);
      wider.push_back(i % 2 == 0 ? rival : order[i]);
    }
    order = std::move(wider);
  }
  return order;
}

class Bracket {
 public:
  explicit Bracket(const Field& field) : field_(field), paired_(field.empty_round()) {}

  RoundPaired pair() {
    const std::vector<int> beaten = beaten_in(field_.ledger);
    const std::size_t slots = std::bit_ceil(field_.ledger.rows.size());
    std::vector<std::size_t> left;
    for (const std::size_t seed : bracket(slots)) {
      if (field_.round == 1 || (seed < beaten.size() && beaten[seed] == 0)) left.push_back(seed);
    }
    for (std::size_t i = 0; i + 1 < left.size(); i += 2) meet(left[i], left[i + 1]);
    if (left.size() % 2 == 1) meet(left.back(), field_.ledger.rows.size());
    if (left.size() == 2 && field_.ledger.settings->third_place && field_.round > 1) play_for_third(beaten);
    return std::move(paired_);
  }

 private:
  // A number beyond the members: nobody is there to meet.
  void meet(std::size_t a, std::size_t b) {
    const std::size_t better = std::min(a, b), worse = std::max(a, b);
    if (worse >= field_.ledger.rows.size()) {
      if (!field_.is_there(better)) return;
      paired_.byes.push_back({.player = field_.player(better), .kind = ByeKind::bye, .instead_of = {}});
    } else if (has_black(better, worse)) {
      field_.meet(paired_, better, worse);
    } else {
      field_.meet(paired_, worse, better);
    }
  }

  // Who had Black less often has it; if that is even, the better seed by turns.
  bool has_black(std::size_t better, std::size_t worse) const {
    const auto balance = [&](std::size_t place) {
      int blacks = 0;
      for (const RoundCell& cell : field_.ledger.rows[place].cells) {
        for (const Mark& mark : cell.marks) blacks += mark.played() ? (mark.black ? 1 : -1) : 0;
      }
      return blacks;
    };
    const int a = balance(better), b = balance(worse);
    return a != b ? a < b : (better + static_cast<std::size_t>(field_.round)) % 2 == 1;
  }

  void play_for_third(const std::vector<int>& beaten) {
    std::vector<std::size_t> losers;
    for (std::size_t place = 0; place < beaten.size(); ++place) {
      if (beaten[place] == field_.round - 1) losers.push_back(place);
    }
    if (losers.size() == 2) meet(losers[0], losers[1]);
  }

  const Field& field_;
  RoundPaired paired_;
};

// Exchanges seeds of one part, each time the two by which the most is won, until there are none.
class ApartDraw {
 public:
  explicit ApartDraw(const std::vector<std::vector<std::size_t>>& apart)
      : apart_(apart), seed_of_(apart.size()), player_at_(apart.size()), slot_(std::bit_ceil(apart.size())) {
    for (std::size_t i = 0; i < apart.size(); ++i) seed_of_[i] = player_at_[i] = i;
    const std::vector<std::size_t> order = bracket(slot_.size());
    for (std::size_t slot = 0; slot < order.size(); ++slot) slot_[order[slot]] = slot;
  }

  std::vector<std::size_t> draw() {
    while (const auto best = best_exchange()) exchange(best->first, best->second);
    return std::move(player_at_);
  }

 private:
  using Seeds = std::pair<std::size_t, std::size_t>;

  // Each meeting that is possible, the earlier the worse.
  std::int64_t cost_of(std::size_t player) const {
    const auto rounds = std::bit_width(slot_.size() - 1);
    std::int64_t cost = 0;
    for (const std::size_t other : apart_[player]) {
      const auto round = std::bit_width(slot_[seed_of_[player]] ^ slot_[seed_of_[other]]);
      cost += std::int64_t{1} << (6 * (rounds - round));
    }
    return cost;
  }
  void exchange(std::size_t a, std::size_t b) {
    std::swap(player_at_[a], player_at_[b]);
    seed_of_[player_at_[a]] = a;
    seed_of_[player_at_[b]] = b;
  }

  std::optional<Seeds> best_exchange() {
    std::optional<Seeds> best;
    std::int64_t most = 0;
    for (std::size_t a = 0; a < player_at_.size(); ++a) {
      for (std::size_t b = a + 1; b < player_at_.size() && std::bit_width(b) == std::bit_width(a); ++b) {
        const std::size_t first = player_at_[a], second = player_at_[b];
        if (apart_[first].empty() && apart_[second].empty()) continue;
        const std::int64_t before = cost_of(first) + cost_of(second);
        exchange(a, b);
        const std::int64_t won = before - cost_of(first) - cost_of(second);
        exchange(a, b);
        if (won > most) most = won, best = Seeds(a, b);
      }
    }
    return best;
  }

  const std::vector<std::vector<std::size_t>>& apart_;
  std::vector<std::size_t> seed_of_, player_at_;  // seeds from 0
  std::vector<std::size_t> slot_;                 // of a seed: its place in the bracket
};

std::int64_t pairings_of_bracket(const DivisionSettings& settings, std::size_t members) {
  return static_cast<std::int64_t>(members) - (settings.third_place && members > 3 ? 0 : 1);
}

std::expected<RoundPaired, NotYet> pair_bracket(const Field& field, floodgate::Draws&, Rematches) {
  return Bracket(field).pair();
}

// Nobody leaves his part of the seeds: 3 and 4, 5 to 8, 9 to 16, ...
std::vector<std::size_t> draw_seeds_apart(const std::vector<std::vector<std::size_t>>& apart) {
  return ApartDraw(apart).draw();
}

void doubt_first_round(const EventState& state, const Ledger& ledger, FormProposal& proposal) {
  const Field field = full_field(state, ledger, proposal.division.division, 1);
  const std::vector<Doubtful> doubts = doubts_of(ledger, Bracket(field).pair());
  proposal.doubts.insert(proposal.doubts.end(), doubts.begin(), doubts.end());
}

}  // namespace

constinit const FormatRules formats::kKnockOut = {
    .word = "knock-out",
    .name_en = "knock-out",
    .name_ja = "勝ち抜き",
    .keys = {"third-place", "decider"},
    .tie_breaks = {TieBreak::reached},
    .eliminates = true,
    .least_there = 1,
    .rounds = [](const DivisionSettings&,
                 std::size_t members) { return static_cast<int>(std::bit_width(members - 1)); },
    .pairings = pairings_of_bracket,
    .pair = pair_bracket,
    .drawn_apart = draw_seeds_apart,
    .doubt_apart = doubt_first_round};

}  // namespace fuhyo::core::tournament
