// Who plays in a division: entrants in the order of seeds, and who comes up from the stage before.
#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "server/core/tournament/format_rules.h"
#include "server/core/tournament/standings.h"

namespace fuhyo::core::tournament {
namespace {

// Who begins in a stage, the best seed first.
std::vector<PlayerId> entrants_of(const EventState& state, int stage) {
  struct Candidate {
    int seed, rate;
    std::size_t place;
    const PlayerId* player;
  };
  std::vector<Candidate> candidates;
  for (const Entrant& entrant : state.entrants()) {
    const auto left = state.left(entrant.player);
    if (entrant.stage != stage || (left && left->stage <= stage && left->round <= 1)) continue;
    const int seed = entrant.seed == 0 ? std::numeric_limits<int>::max() : entrant.seed;
    candidates.push_back({seed, entrant.rate, candidates.size(), &entrant.player});
  }
  std::ranges::sort(candidates, {}, [](const Candidate& c) { return std::tuple(c.seed, -c.rate, c.place); });
  std::vector<PlayerId> players;
  for (const Candidate& candidate : candidates) players.push_back(*candidate.player);
  return players;
}

struct Ranked {
  PlayerId player;
  int rank = 0, division = 0;
  std::size_t place = 0;  // in the order of divisions
};

// All of an earlier stage: the first of every division, the second of every division, and so on.
std::vector<Ranked> ranking_of(const Event& event, const EventState& state, int stage) {
  std::vector<Ranked> ranked;
  const auto& divisions = event.stages[static_cast<std::size_t>(stage)].divisions;
  for (int division = 0; division < static_cast<int>(divisions.size()); ++division) {
    const Standings standings = standings_of(event, state, {stage, division});
    for (const Standing& one : standings.rows) ranked.push_back({one.player, one.rank, division, ranked.size()});
  }
  std::ranges::sort(ranked, {}, [](const Ranked& one) { return std::pair(one.rank, one.place); });
  return ranked;
}

// Deals the players of a stage out to its divisions.
class Forming {
 public:
  Forming(const Event& event, const EventState& state, DivisionKey key)
      : event_(event), state_(state), key_(key), entrants_(entrants_of(state, key.stage)) {
    if (key.stage == 0) return;
    for (Ranked& one : ranking_of(event, state, key.stage - 1)) {
      if (!state.left(one.player)) ranked_.push_back(std::move(one));
    }
  }

  FormProposal form(floodgate::Draws& draws) {
    FormProposal proposal{.division = {.division = key_, .members = {}}, .doubts = {}};
    for (int division = 0; division <= key_.division; ++division) take(division, proposal);
    draw_apart();
    std::vector<std::int64_t> lots(players_.size());
    for (std::size_t i = 0; i < lots.size(); ++i) lots[i] = static_cast<std::int64_t>(i) + 1;
    floodgate::shuffle(lots, draws);
    for (std::size_t i = 0; i < lots.size(); ++i) {
      proposal.division.members.push_back({.player = std::move(players_[i]), .lot = lots[i]});
    }
    return proposal;
  }

 private:
  void draw_apart() {
    const auto drawn_apart = rules_of(settings_of(event_, key_)).drawn_apart;
    if (drawn_apart == nullptr) return;
    std::vector<PlayerId> drawn;
    for (const std::size_t place : drawn_apart(apart_among(event_, state_, players_))) drawn.push_back(players_[place]);
    players_ = std::move(drawn);
  }

  void take(int division, FormProposal& proposal) {
    const auto& stage = event_.stages[static_cast<std::size_t>(key_.stage)].divisions;
    const Division& definition = stage[static_cast<std::size_t>(division)];
    players_.clear();
    const std::size_t most = definition.take == 0 ? kMostEntrants : static_cast<std::size_t>(definition.take);
    for (const PlayerId& player : entrants_) {
      if (players_.size() < most && taken_.insert(player).second) players_.push_back(player);
    }
    const int from = place_of(definition.from);
    const Ranked* last = nullptr;
    for (const Ranked& one : ranked_) {
      if ((from >= 0 && one.division != from) || taken_.contains(one.player)) continue;
      if (players_.size() < most) {
        taken_.insert(one.player);
        players_.push_back(one.player);
        last = &one;
      } else {
        const bool shared = last != nullptr && last->rank == one.rank && last->division == one.division;
        if (shared && division == key_.division) {
          proposal.doubts.push_back({.what = Doubt::shared_rank, .a = last->player, .b = one.player});
        }
        break;
      }
    }
  }
  int place_of(const std::string& from) const {
    if (from.empty()) return -1;
    const auto& before = event_.stages[static_cast<std::size_t>(key_.stage) - 1].divisions;
    return static_cast<int>(std::ranges::find(before, from, &Division::name) - before.begin());
  }

  const Event& event_;
  const EventState& state_;
  DivisionKey key_;
  std::vector<PlayerId> entrants_;
  std::vector<Ranked> ranked_;
  std::set<PlayerId> taken_;
  std::vector<PlayerId> players_;  // of the division that was dealt last
};

void doubt_apart(const Event& event, EventState state, FormProposal& proposal) {
  const auto doubt = rules_of(settings_of(event, proposal.division.division)).doubt_apart;
  if (doubt == nullptr) return;
  const auto fine = [](const std::vector<std::size_t>& others) { return others.empty(); };
  std::vector<PlayerId> players;
  for (const Member& member : proposal.division.members) players.push_back(member.player);
  if (std::ranges::all_of(apart_among(event, state, players), fine)) return;
  state.apply(proposal.division);
  doubt(state, ledger_of(event, state, proposal.division.division), proposal);
}

}  // namespace

std::expected<FormProposal, NotYet> form_division(const Event& event, const EventState& state, DivisionKey division,
                                                  floodgate::Draws& draws) {
  if (division.stage > 0) {
    const auto before = event.stages[static_cast<std::size_t>(division.stage) - 1].divisions.size();
    for (int each = 0; each < static_cast<int>(before); ++each) {
      if (!is_over(event, state, {division.stage - 1, each})) return std::unexpected(NotYet::stage_before);
    }
  }
  FormProposal proposal = Forming(event, state, division).form(draws);
  const std::size_t members = proposal.division.members.size();
  if (members < 2) return std::unexpected(NotYet::too_few);
  if (members < least_members(settings_of(event, division))) {
    proposal.doubts.push_back({.what = Doubt::few_members, .a = {}, .b = {}});
  }
  doubt_apart(event, state, proposal);
  return proposal;
}

}  // namespace fuhyo::core::tournament
