// Values of whole graphs, against every line of play of small ones.
#include "engines/learn/book/propagate.h"

#include <numeric>
#include <random>

#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

using Moves = std::vector<ValueGraph::Move>;

ValueGraph graph_of(const std::vector<Moves>& nodes) {
  ValueGraph graph;
  for (const Moves& moves : nodes) {
    graph.first.push_back(static_cast<std::uint32_t>(graph.moves.size()));
    graph.moves.insert(graph.moves.end(), moves.begin(), moves.end());
  }
  graph.first.push_back(static_cast<std::uint32_t>(graph.moves.size()));
  return graph;
}

ValueGraph::Move leaf(int value) { return {.value = value}; }
ValueGraph::Move to(std::uint32_t node) { return {.to = node}; }

// The game as it is played: who comes back to a position of the line makes a draw.
int by_all_lines(const std::vector<Moves>& nodes, std::uint32_t node, std::vector<bool>& on_line) {
  if (on_line[node] || nodes[node].empty()) return 0;
  on_line[node] = true;
  int best = INT_MIN;
  for (const ValueGraph::Move& move : nodes[node]) {
    best = std::max(best, move.to == kNoNode ? move.value : before_move(by_all_lines(nodes, move.to, on_line)));
  }
  on_line[node] = false;
  return best;
}

std::vector<Moves> random_nodes(std::mt19937& random, bool mates) {
  // Two sides: positions of one lead to those of the other.
  const std::uint32_t half = 1 + random() % 4;
  std::vector<Moves> nodes(std::size_t{2} * half);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    for (std::uint32_t count = 1 + random() % 3; count > 0; --count) {
      const int value = static_cast<int>(random() % 9) - 4;
      if (random() % 3 != 0) {
        nodes[i].push_back(to(random() % half + (i < half ? half : 0)));
      } else if (mates && value != 0 && random() % 2 == 0) {
        nodes[i].push_back(leaf(value > 0 ? kMateValue - value : -kMateValue - value));
      } else {
        nodes[i].push_back(leaf(value * 10));
      }
    }
  }
  return nodes;
}

TEST(Propagate, IsWhatAllLinesOfPlayComeTo) {
  std::mt19937 random(7);
  int drawn = 0, decided = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::vector<Moves> nodes = random_nodes(random, round % 2 == 1);
    const auto values = propagate(graph_of(nodes));
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      std::vector<bool> on_line(nodes.size());
      ASSERT_EQ(values[i].value, by_all_lines(nodes, i, on_line)) << "round " << round << ", position " << i;
      (values[i].order == NodeValue::kDrawn ? drawn : decided) += 1;
    }
  }
  EXPECT_GT(drawn, 1'000);
  EXPECT_GT(decided, 1'000);
}

TEST(Propagate, DoesNotDependOnTheOrderOfPositionsAndMoves) {
  std::mt19937 random(8);
  for (int round = 0; round < 500; ++round) {
    const std::vector<Moves> nodes = random_nodes(random, true);
    std::vector<std::uint32_t> place(nodes.size());
    std::iota(place.begin(), place.end(), 0U);
    std::ranges::shuffle(place, random);
    std::vector<Moves> other(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      Moves& moves = other[place[i]] = nodes[i];
      std::ranges::shuffle(moves, random);
      for (ValueGraph::Move& move : moves) {
        if (move.to != kNoNode) move.to = place[move.to];
      }
    }
    const auto values = propagate(graph_of(nodes)), others = propagate(graph_of(other));
    for (std::size_t i = 0; i < nodes.size(); ++i) EXPECT_EQ(values[i].value, others[place[i]].value);
  }
}

// 0 and 1 may go round: Black, who is to move in 0, is the better one wherever he leaves the circle.
TEST(Propagate, ACircleIsADrawUnlessSomebodyLeavesIt) {
  EXPECT_EQ(propagate(graph_of({{to(1)}, {to(0)}}))[0].value, 0);
  EXPECT_EQ(propagate(graph_of({{to(1), leaf(-30)}, {to(0), leaf(-20)}}))[0].value, 0);
  EXPECT_EQ(propagate(graph_of({{to(1), leaf(30)}, {to(0), leaf(-20)}}))[0].value, 30);
  // White would leave at +10 and goes round instead; Black takes his 5.
  EXPECT_EQ(propagate(graph_of({{to(1), leaf(5)}, {to(0), leaf(-10)}}))[1].value, -5);
}

TEST(Propagate, MakesHeadwayTowardsWhatItIsWorth) {
  // 0 -> 1 -> 2 -> leaf, and 2 could go back: it was found out before the others.
  const auto values = propagate(graph_of({{to(1)}, {to(2)}, {leaf(40), to(1)}}));
  EXPECT_EQ(values[0].value, 40);
  EXPECT_LT(values[2].order, values[1].order);
  EXPECT_LT(values[1].order, values[0].order);
}

TEST(Propagate, MatesComeNearer) {
  const auto values = propagate(graph_of({{to(1)}, {to(2)}, {leaf(kMateValue - 1)}}));
  EXPECT_EQ(values[2].value, kMateValue - 1);
  EXPECT_EQ(values[1].value, -(kMateValue - 2));
  EXPECT_EQ(values[0].value, kMateValue - 3);
}

TEST(Propagate, NothingIsADraw) {
  EXPECT_TRUE(propagate(graph_of({})).empty());
  EXPECT_EQ(propagate(graph_of({{}}))[0], NodeValue{});
  EXPECT_EQ(propagate(graph_of({{leaf(0), leaf(-3)}}))[0].value, 0);
}

}  // namespace
}  // namespace fuhyo::learn
