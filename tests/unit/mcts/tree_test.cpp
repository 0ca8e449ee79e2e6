// The memory of the tree: its bounds, what is shared, what is forgotten, and sums that do not drift.
#include "engines/mcts/tree/tree.h"

#include <map>
#include <random>
#include <ranges>
#include <set>

#include "engines/mcts/tree/back_up.h"
#include "engines/mcts/tree/halving.h"
#include "engines/mcts/tree/order.h"
#include "engines/mcts/tree/puct.h"
#include "engines/mcts/tree/root_moves.h"

namespace fuhyo::mcts {
namespace {

constexpr std::size_t kSmall = 64 * 1024;

std::vector<LabelledMove> moves(int count) {
  std::vector<LabelledMove> list;
  for (int i = 0; i < count; ++i) list.push_back({static_cast<MoveCode>(i + 1), static_cast<std::uint16_t>(i)});
  return list;
}

// A node with so many moves, evaluated by these logits.
NodeId make(Tree& tree, std::uint64_t key, int ply, std::vector<float> logits) {
  const NodeId id = tree.create(key, ply);
  EXPECT_NE(id, 0U);
  EXPECT_TRUE(tree.add_edges(id, moves(static_cast<int>(logits.size()))));
  tree.evaluate(id, logits, 0.5F, 1);
  return id;
}

TEST(Arena, NeverGivesTheSameMemoryTwice) {
  Arena arena(32 * 1024);
  std::mt19937 random(3);
  std::vector<std::pair<Handle, std::uint32_t>> held;
  std::set<Handle> units;
  const std::size_t nothing = arena.used();
  std::size_t in_use = 0;
  for (int i = 0; i < 20'000; ++i) {
    if (random() % 5 < 3 || held.empty()) {
      const std::uint32_t size = 1 + random() % 40;
      const Handle block = arena.allocate(size);
      if (block == 0) continue;
      ASSERT_LE((block + size) * Arena::kUnit, 32U * 1024);
      for (Handle unit = block; unit < block + size; ++unit) ASSERT_TRUE(units.insert(unit).second);
      held.emplace_back(block, size);
      in_use += size;
    } else {
      const std::size_t which = random() % held.size();
      for (Handle unit = held[which].first; unit < held[which].first + held[which].second; ++unit) units.erase(unit);
      arena.release(held[which].first, held[which].second);
      in_use -= held[which].second;
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
    }
    ASSERT_EQ(arena.used(), nothing + in_use * Arena::kUnit);
  }
  EXPECT_GT(in_use, 1000U);
  // What was released piece by piece is one piece again.
  for (const auto& [block, size] : held) arena.release(block, size);
  EXPECT_EQ(arena.used(), nothing);
  EXPECT_NE(arena.allocate(Arena::kMostUnits), 0U);
}

TEST(Arena, IsTouchedByTheFirstBlockAndUntouchedOnceCleared) {
  Arena arena(4 * 1024);
  EXPECT_TRUE(arena.untouched());
  arena.release(arena.allocate(1), 1);
  EXPECT_FALSE(arena.untouched());
  arena.clear();
  EXPECT_TRUE(arena.untouched());
}

TEST(Tree, KeepsPriorsInTheOrderOfLogits) {
  Tree tree(kSmall);
  const NodeId id = make(tree, 1, 0, {0, 2, -30, 1});
  const auto edges = tree.edges(tree[id]);
  ASSERT_EQ(edges.size(), 4U);
  EXPECT_EQ(edges[0].move(), 2);
  EXPECT_EQ(edges[1].move(), 4);
  EXPECT_EQ(edges[2].move(), 1);
  EXPECT_EQ(edges[3].move(), 3);
  EXPECT_NEAR(edges[0].prior(), std::exp(2) / (std::exp(2) + std::exp(1) + 1), 5e-4);
  EXPECT_GT(edges[3].prior(), 0) << "no move is out of the question";
  float sum = 0;
  for (const Edge edge : edges) sum += edge.prior();
  EXPECT_NEAR(sum, 1, 2e-3);
}

TEST(Tree, OrdersAnyNumberOfEdgesByPrior) {
  std::mt19937 random(2);
  for (const std::size_t count : {1U, 2U, 40U, 593U}) {
    std::vector<Edge> edges(count);
    for (Edge& edge : edges) edge = Edge::of(static_cast<MoveCode>(random()), static_cast<std::uint16_t>(random()));
    std::vector<Edge> sorted = edges;
    sort_by_prior(sorted);
    std::multimap<int, Edge> slow;
    for (const Edge edge : edges) slow.emplace(-edge.label(), edge);
    std::ranges::copy(slow | std::views::values, edges.begin());
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(sorted[i].bits, edges[i].bits);
  }
}

// With sums in 32-bit floats, from 8.4 million visits on 0.53 counts as 1 and 0.47 as nothing.
TEST(Tree, ValuesDoNotDriftIn20MillionUpdates) {
  Tree tree(kSmall);
  const NodeId root = make(tree, 1, 0, {0});
  const NodeId below = make(tree, 2, 1, {0});
  tree.set_root(root);
  ASSERT_TRUE(tree.add_child(root));
  tree.link(root, 0, below);
  Path path(tree);
  const Parameters parameters;
  constexpr std::uint32_t kUpdates = 20'000'000;
  for (std::uint32_t i = 0; i < kUpdates; ++i) {
    ++tree[root].visits;
    Child& child = tree.children(tree[root])[0];
    child.visits = child.visits + 1;
    ++tree[below].visits;
    path.steps.assign({{.node = root, .child = 0}});
    path.leaf = below;
    back_up(tree, parameters, path, {.value = i % 2 == 0 ? 0.47 : 0.53});
  }
  EXPECT_NEAR(to_mean(tree[below].sum, kUpdates), 0.5, 1e-9);
  EXPECT_NEAR(to_mean(tree[root].sum, kUpdates), 0.5, 1e-9);
  EXPECT_NEAR(to_mean(tree.children(tree[root])[0].sum, kUpdates), 0.5, 1e-9);
}

TEST(Tree, FindsANodeForEveryLineButNotOneOfItsOwn) {
  Tree tree(kSmall);
  const NodeId root = make(tree, 1, 0, {0, 0});
  tree.set_root(root);
  ASSERT_TRUE(tree.add_all_children(root));
  const NodeId shared = make(tree, 7, 3, {0});
  tree.link(root, 0, shared);
  EXPECT_EQ(tree.find(7, 3), shared);
  EXPECT_EQ(tree.find(7, 5), 0U) << "another ply";
  EXPECT_EQ(tree.find(8, 3), 0U);
  tree[shared].path_dependent = 1;
  EXPECT_EQ(tree.find(7, 3), 0U);
}

// Two lines lead to one node; one of them comes back to where it was.
TEST(Tree, PartsWhatDependsOnThePathAndLeavesTheOtherLineAlone) {
  Tree tree(kSmall);
  const NodeId root = make(tree, 1, 0, {1, 0}), left = make(tree, 2, 1, {0}), right = make(tree, 3, 1, {0}),
               shared = make(tree, 4, 2, {0}), last = make(tree, 5, 3, {0});
  tree.set_root(root);
  for (const NodeId id : {root, left, right, shared, last}) ASSERT_TRUE(tree.add_all_children(id));
  tree.link(root, 0, left);
  tree.link(root, 1, right);
  tree.link(left, 0, shared);
  tree.link(right, 0, shared);
  tree.link(shared, 0, last);
  Path path(tree), other(tree);
  const auto walk = [&](Path& p, NodeId first, std::uint16_t edge, NodeId end) {
    p.steps = {{root, edge}, {first, 0}, {shared, 0}};
    p.leaf = end;
    for (const Path::Step& step : p.steps) {
      ++tree[step.node].visits;
      Child& child = tree.children(tree[step.node])[step.child];
      child.visits = child.visits + 1;
    }
    ++tree[end].visits;
  };
  walk(other, right, 1, last);
  walk(path, left, 0, last);
  --tree[last].visits;
  path.steps.push_back({last, 0});
  path.leaf = 0;
  ++tree[last].visits;
  tree.children(tree[last])[0].visits = 1;

  ASSERT_TRUE(tree.unshare(path, 1));
  EXPECT_EQ(path.steps[0].node, root);
  EXPECT_EQ(path.steps[1].node, left) << "as high as where the cycle begins";
  const NodeId own = path.steps[2].node, own_last = path.steps[3].node;
  EXPECT_NE(own, shared);
  EXPECT_NE(own_last, last);
  EXPECT_EQ(tree.children(tree[left])[0].node, own);
  EXPECT_EQ(tree.children(tree[own])[0].node, own_last);
  EXPECT_EQ(tree.children(tree[right])[0].node, shared);
  EXPECT_EQ(other.steps[2].node, shared);
  EXPECT_EQ(other.leaf, last);
  // Each visit that is under way is where its line goes on.
  EXPECT_EQ(tree[shared].visits, 1U);
  EXPECT_EQ(tree[own].visits, 1U);
  EXPECT_EQ(tree[last].visits, 1U);
  EXPECT_EQ(tree[own_last].visits, 1U);
  const Parameters parameters;
  back_up(tree, parameters, path, {.result = Result::loss});
  EXPECT_EQ(tree[own_last].known(), Result::win);
  EXPECT_EQ(tree[last].known(), Result::unknown);
  EXPECT_EQ(tree[shared].known(), Result::unknown);
  EXPECT_EQ(tree.find(4, 2), shared);
  take_back(tree, other);
  EXPECT_EQ(tree[shared].visits, 0U);
}

TEST(Tree, WhatIsCutOffMakesRoomAndServesAsACacheUntilThen) {
  Tree tree(kSmall);
  const NodeId root = make(tree, 1, 0, {0, 3});
  tree.set_root(root);
  const std::size_t used = tree.used();
  const NodeId next = make(tree, 2, 1, {0});
  tree.set_root(next);
  EXPECT_GT(tree.used(), used) << "it keeps its memory";
  EXPECT_EQ(tree.find(1, 0), 0U);
  const NodeId same = tree.create(1, 2);
  ASSERT_TRUE(tree.copy_evaluation(same));
  EXPECT_EQ(tree.edges(tree[same])[0].move(), 2);
  tree.set_root(same);
  // Now all there is is wanted.
  std::size_t made = 0;
  NodeId parent = same;
  ASSERT_TRUE(tree.add_child(parent));
  while (const NodeId id = tree.create(100 + made, 3)) {
    if (!tree.add_edges(id, moves(5)) || made++ > 100'000) break;
    tree.evaluate(id, std::vector<float>(5), 0.5F, 1);
    tree.link(parent, 0, id);
    if (!tree.add_child(id)) break;
    parent = id;
  }
  EXPECT_GT(made, 200U);
  EXPECT_LE(tree.used(), tree.capacity());
  EXPECT_LE(tree.capacity(), kSmall);
}

TEST(Puct, TakesTheLikeliestFirstAndThenTheBest) {
  Tree tree(kSmall);
  const NodeId root = make(tree, 1, 0, {0, 1, 2});
  tree.set_root(root);
  const Parameters parameters;
  EXPECT_EQ(choose_edge(tree, tree[root], parameters), 0);
  ASSERT_TRUE(tree.add_all_children(root));
  tree[root].visits = 30;
  tree[root].sum = 15 * kOne;
  const auto children = tree.children(tree[root]);
  children[0].visits = children[1].visits = children[2].visits = 10;
  children[0].sum = 2 * kOne;
  children[1].sum = 3 * kOne;
  children[2].sum = 10 * kOne;
  EXPECT_EQ(choose_edge(tree, tree[root], parameters), 2);
  children[2].know(Result::loss);
  EXPECT_NE(choose_edge(tree, tree[root], parameters), 2);
  children[0].know(Result::loss);
  children[1].know(Result::loss);
  EXPECT_EQ(choose_edge(tree, tree[root], parameters), std::nullopt);
}

TEST(Puct, AKnownDrawIsWorthADrawWhateverItsVisitsSaid) {
  Tree tree(kSmall);
  const NodeId root = make(tree, 1, 0, {0, 0});
  tree.set_root(root);
  ASSERT_TRUE(tree.add_all_children(root));
  tree[root].visits = 20;
  tree[root].sum = 19 * kOne;
  const auto children = tree.children(tree[root]);
  children[0].visits = children[1].visits = 10;
  children[0].sum = 9 * kOne;
  children[1].sum = 10 * kOne;
  const Parameters parameters;
  EXPECT_EQ(choose_edge(tree, tree[root], parameters), 1);
  children[1].know(Result::draw);
  EXPECT_EQ(choose_edge(tree, tree[root], parameters), 0);
}

// A visit that is under way counts as lost, so that the next line goes elsewhere.
TEST(Puct, VisitsUnderWayTurnOthersAway) {
  Tree tree(kSmall);
  const NodeId root = make(tree, 1, 0, {0.1F, 0});
  tree.set_root(root);
  ASSERT_TRUE(tree.add_all_children(root));
  const Parameters parameters;
  tree[root].visits = 2;
  tree[root].sum = kOne;
  tree.children(tree[root])[0].visits = 1;
  EXPECT_EQ(choose_edge(tree, tree[root], parameters), 1);
}

TEST(FinalMove, ProvenResultsComeBeforeVisits) {
  Tree tree(kSmall);
  const NodeId root = make(tree, 1, 0, {3, 2, 1, 0});
  tree.set_root(root);
  ASSERT_TRUE(tree.add_all_children(root));
  const auto children = tree.children(tree[root]);
  const std::uint32_t visits[] = {500, 300, 2, 100};
  for (std::size_t i = 0; i < 4; ++i) {
    children[i].visits = visits[i];
    children[i].sum = visits[i] * kOne / 2;
  }
  const Parameters parameters;
  const auto ranked = [&](FinalMove how) { return ranking(tree, tree[root], parameters, how, {}); };
  EXPECT_EQ(ranked(FinalMove::visits), (std::vector<std::uint16_t>{0, 1, 3, 2}));
  children[2].know(Result::win);
  children[0].know(Result::loss);
  EXPECT_EQ(ranked(FinalMove::visits), (std::vector<std::uint16_t>{2, 1, 3, 0}));
  EXPECT_EQ(ranked(FinalMove::lower_bound).front(), 2);
  EXPECT_EQ(ranked(FinalMove::lower_bound).back(), 0);
  EXPECT_EQ(ranking(tree, tree[root], parameters, FinalMove::visits, {1, 1, 0, 0}), (std::vector<std::uint16_t>{1, 0}));
}

TEST(FinalMove, TheLowerBoundPrefersWhatIsBetterAndCertainEnough) {
  Tree tree(kSmall);
  const NodeId root = make(tree, 1, 0, {2, 1, 0});
  tree.set_root(root);
  ASSERT_TRUE(tree.add_all_children(root));
  const auto children = tree.children(tree[root]);
  const std::pair<std::uint32_t, double> known[] = {{1000, 0.5}, {400, 0.7}, {20, 0.9}};
  for (std::size_t i = 0; i < 3; ++i) {
    children[i].visits = known[i].first;
    children[i].sum = known[i].first * to_fixed(known[i].second);
  }
  EXPECT_EQ(ranking(tree, tree[root], {}, FinalMove::lower_bound, {}).front(), 1);
  EXPECT_EQ(ranking(tree, tree[root], {}, FinalMove::visits, {}).front(), 0);
}

TEST(Halving, GivesEqualSharesAndKeepsTheBetterHalf) {
  Tree tree(kSmall);
  const NodeId root = make(tree, 1, 0, {3, 2, 1, 0, -1, -2});
  tree.set_root(root);
  ASSERT_TRUE(tree.add_all_children(root));
  Halving halving(tree, std::vector<std::uint8_t>(6, 1), {.playouts = 16, .moves = 4});
  // The third is much better than the others.
  const double values[] = {0.3, 0.3, 0.9, 0.2, 1, 1};
  std::vector<int> visits(6);
  while (const auto edge = halving.choose(tree)) {
    ++visits[*edge];
    Child& child = tree.children(tree[root])[*edge];
    child.visits = child.visits + 1;
    child.sum += to_fixed(values[*edge]);
  }
  EXPECT_EQ(visits[0] + visits[1] + visits[2] + visits[3], 16);
  EXPECT_EQ(visits[4] + visits[5], 0) << "four moves were to be looked at";
  EXPECT_EQ(visits[3], 2);
  EXPECT_EQ(visits[2], 6);
  EXPECT_EQ(halving.ranking(tree).front(), 2);
}

}  // namespace
}  // namespace fuhyo::mcts
