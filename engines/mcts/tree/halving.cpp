#include "engines/mcts/tree/halving.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

namespace fuhyo::mcts {
namespace {

// How values weigh against priors: the more, the more often a move was looked at. The paper's scale of 1 trusts the
// value of a single leaf too much: 10 playouts are then worth no more than none (SEARCH.md).
constexpr double kVisitScale = 50, kValueScale = 0.1;

}  // namespace

Halving::Halving(const Tree& tree, const std::vector<std::uint8_t>& allowed, const Settings& settings)
    : left_(settings.playouts) {
  std::mt19937_64 random(settings.seed);
  std::uniform_real_distribution<double> chance(1e-12, 1);
  const Node& root = tree[tree.root()];
  const auto edges = tree.edges(root);
  const auto children = tree.children(root);
  for (std::uint16_t i = 0; i < edges.size(); ++i) {
    if (allowed[i] == 0) continue;
    const double noise = settings.seed == 0 ? 0 : -settings.chance * std::log(-std::log(chance(random)));
    candidates_.push_back(
        {i, std::log(edges[i].prior()) + noise, i < children.size() ? std::uint32_t{children[i].visits} : 0});
  }
  std::ranges::sort(candidates_, [](const Candidate& a, const Candidate& b) {
    return a.base != b.base ? a.base > b.base : a.edge < b.edge;
  });
  const auto most =
      static_cast<std::size_t>(std::clamp<std::int64_t>(settings.moves, 1, std::max(left_, std::int64_t{1})));
  if (candidates_.size() > most) candidates_.resize(most);
  phases_ = candidates_.size() <= 1 ? 1 : static_cast<std::size_t>(std::bit_width(candidates_.size() - 1));
  begin_phase();
}

void Halving::begin_phase() { left_of_phase_ = left_ / static_cast<std::int64_t>(phases_); }

double Halving::score(const Tree& tree, const Candidate& candidate) const {
  const Node& root = tree[tree.root()];
  const auto children = tree.children(root);
  std::uint32_t most = 0;
  for (const Child& child : children) most = std::max(most, std::uint32_t{child.visits});
  const Child& child = children[candidate.edge];
  if (child.known() == Result::win) return INFINITY;
  if (child.known() == Result::loss) return -INFINITY;
  const double value = child.visits == 0 ? root.value : to_mean(child.sum, child.visits);
  return candidate.base + (kVisitScale + most) * kValueScale * value;
}

void Halving::sort_by_score(const Tree& tree, std::vector<Candidate>& candidates) const {
  std::ranges::sort(candidates, [&](const Candidate& a, const Candidate& b) {
    const double of_a = score(tree, a), of_b = score(tree, b);
    return of_a != of_b ? of_a > of_b : a.edge < b.edge;
  });
}

std::optional<std::uint16_t> Halving::choose(const Tree& tree) {
  if (left_ <= 0 || candidates_.empty()) return std::nullopt;
  while (left_of_phase_ <= 0 && phases_ > 1) {
    sort_by_score(tree, candidates_);
    const std::size_t kept = (candidates_.size() + 1) / 2;
    dropped_.insert(dropped_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(kept), candidates_.end());
    candidates_.resize(kept);
    --phases_;
    begin_phase();
  }
  const auto children = tree.children(tree[tree.root()]);
  const Candidate* next = nullptr;
  std::uint32_t fewest = 0;
  for (const Candidate& candidate : candidates_) {
    const Child& child = children[candidate.edge];
    const std::uint32_t visits = child.visits - candidate.visits_before;
    if (child.known() == Result::loss || (next != nullptr && visits >= fewest)) continue;
    next = &candidate;
    fewest = visits;
  }
  if (next == nullptr) return std::nullopt;
  --left_;
  --left_of_phase_;
  return next->edge;
}

std::vector<std::uint16_t> Halving::ranking(const Tree& tree) const {
  std::vector<Candidate> all = candidates_;
  sort_by_score(tree, all);
  all.insert(all.end(), dropped_.begin(), dropped_.end());
  std::vector<std::uint16_t> edges;
  for (const Candidate& candidate : all) edges.push_back(candidate.edge);
  return edges;
}

std::vector<double> improved_policy(const Tree& tree) {
  const Node& root = tree[tree.root()];
  const auto edges = tree.edges(root);
  const auto children = tree.children(root);
  std::uint32_t most = 0;
  double visits = 0, seen = 0, worth = 0;  // seen: priors of moves with visits; worth: their values by them
  bool wins = false, all_lose = true;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const Child& child = children[i];
    most = std::max(most, std::uint32_t{child.visits});
    wins = wins || child.known() == Result::win;
    all_lose = all_lose && child.known() == Result::loss;
    if (child.visits == 0) continue;
    visits += child.visits;
    seen += edges[i].prior();
    worth += edges[i].prior() * to_mean(child.sum, child.visits);
  }
  const double mixed = seen > 0 ? (root.value + visits * worth / seen) / (1 + visits) : root.value;
  std::vector<double> out(children.size());
  double best = -INFINITY, sum = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Child& child = children[i];
    const double value = child.visits == 0 ? mixed : to_mean(child.sum, child.visits);
    out[i] = std::log(edges[i].prior()) + (kVisitScale + most) * kValueScale * value;
    const bool lost = child.known() == Result::loss && !all_lose;
    if (lost || (wins && child.known() != Result::win)) out[i] = -INFINITY;
    best = std::max(best, out[i]);
  }
  for (double& share : out) sum += share = std::exp(share - best);
  for (double& share : out) share /= sum;
  return out;
}

}  // namespace fuhyo::mcts
