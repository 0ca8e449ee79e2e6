#include "engines/learn/book/graph.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <queue>
#include <utility>

#include "engines/shogi/usi_move.h"

namespace fuhyo::learn {
namespace {

constexpr std::int64_t kUnreached = INT64_MAX;

// What it costs that only so many of the games went this way.
std::int64_t rarity_cost(int rarity, std::uint32_t games, std::uint32_t of) {
  return games >= of ? 0 : std::lround(rarity * std::log2(static_cast<double>(of) / games));
}

// The least cost at which each node is reached (Dijkstra). `visit(node, go)` calls go(to, cost) for each way on.
std::vector<std::int64_t> cheapest(std::size_t nodes, const std::vector<std::pair<std::uint32_t, std::int64_t>>& from,
                                   const auto& visit) {
  using Reached = std::pair<std::int64_t, std::uint32_t>;
  std::vector<std::int64_t> costs(nodes, kUnreached);
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
  const auto reach = [&](std::uint32_t node, std::int64_t cost) {
    if (cost >= costs[node]) return;
    costs[node] = cost;
    queue.emplace(cost, node);
  };
  for (const auto& [node, cost] : from) reach(node, cost);
  while (!queue.empty()) {
    const auto [cost, node] = queue.top();
    queue.pop();
    if (cost > costs[node]) continue;
    visit(node, [&](std::uint32_t to, std::int64_t more) { reach(to, cost + more); });
  }
  return costs;
}

}  // namespace

BookGraph::BookGraph(const ExpansionOptions& options, const GameMoves& games) : options_(options), games_(games) {
  std::uint32_t all = 0;
  for (const auto& [position, start] : games.starts()) all += start.first;
  for (const auto& [position, start] : games.starts()) {
    roots_.emplace_back(node_at(position, start.second), rarity_cost(options.rarity, start.first, all));
  }
}

std::uint32_t BookGraph::node_at(const record::PackedSfen& position, int ply) {
  const auto [at, is_new] = numbers_.try_emplace(position, static_cast<std::uint32_t>(nodes_.size()));
  if (is_new) nodes_.push_back({.position = position, .ply = ply});
  return at->second;
}

shogi::Position BookGraph::position_of(const Node& node) const { return *record::unpack(node.position, node.ply); }

std::vector<record::PackedSfen> BookGraph::next(std::size_t most) {
  count_plies();
  const std::vector<std::int64_t> costs = distances();
  std::vector<std::pair<std::int64_t, record::PackedSfen>> candidates;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].searched || costs[i] == kUnreached || nodes_[i].ply > options_.last_ply) continue;
    candidates.emplace_back(costs[i], nodes_[i].position);
  }
  const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(std::min(most, candidates.size()));
  std::ranges::partial_sort(candidates, end);
  std::vector<record::PackedSfen> out;
  for (auto each = candidates.begin(); each != end; ++each) out.push_back(each->second);
  return out;
}

std::expected<void, std::string> BookGraph::add(const record::PackedSfen& packed, const SearchResult& found) {
  const std::uint32_t number = numbers_.at(packed);
  const shogi::Position position = position_of(nodes_[number]);
  std::vector<Edge> edges;
  for (const SearchLine& line : found.lines) {
    if (!position.is_legal(line.move)) {
      return std::unexpected(fmt::format("{}: {} is not legal", position.sfen(), shogi::to_usi(line.move)));
    }
    edges.push_back({.move = line.move, .reply = line.reply, .value = line.value, .depth = line.depth});
  }
  std::uint32_t games = 0;
  for (const GameMove& played : games_.of(position)) {
    // A game that is over by declaration has no moves in the book; and 64 bits may take one position for another one.
    if (edges.empty() || !position.is_legal(played.move)) continue;
    auto edge = std::ranges::find(edges, played.move, &Edge::move);
    if (edge == edges.end()) edge = edges.insert(edges.end(), {.move = played.move});
    edge->games = played.games;
    games += played.games;
  }
  for (Edge& edge : edges) {
    shogi::Position after = position;
    after.do_move(edge.move);
    if (const auto to = record::pack(after)) edge.to = node_at(*to, after.ply());
  }
  Node& node = nodes_[number];
  if (!node.searched) ++searched_;
  node.searched = true;
  node.ended = found.ended;
  node.games = games;
  node.edges = std::move(edges);
  return {};
}

void BookGraph::count_plies() {
  std::vector<std::pair<std::uint32_t, std::int64_t>> from;
  for (const auto& [root, cost] : roots_) {
    from.emplace_back(root, games_.starts().at(nodes_[root].position).second);
  }
  const auto plies = cheapest(nodes_.size(), from, [&](std::uint32_t node, const auto& go) {
    for (const Edge& edge : nodes_[node].edges) {
      if (edge.to != kNoNode) go(edge.to, 1);
    }
  });
  for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i].ply = static_cast<int>(plies[i]);
}

std::vector<NodeValue> BookGraph::values() const {
  ValueGraph graph;
  for (const Node& node : nodes_) {
    graph.first.push_back(static_cast<std::uint32_t>(graph.moves.size()));
    for (const Edge& edge : node.edges) {
      const Node* to = edge.to == kNoNode ? nullptr : &nodes_[edge.to];
      if (to != nullptr && to->searched && to->edges.empty()) {
        graph.moves.push_back({.value = before_move(to->ended)});
      } else if (to != nullptr && to->searched) {
        graph.moves.push_back({.to = edge.to});
      } else if (edge.value) {
        graph.moves.push_back({.value = *edge.value});
      }
    }
  }
  graph.first.push_back(static_cast<std::uint32_t>(graph.moves.size()));
  return propagate(graph);
}

std::optional<int> BookGraph::value_of(const Edge& edge, const std::vector<NodeValue>& values) const {
  if (edge.to == kNoNode || !nodes_[edge.to].searched) return edge.value;
  return before_move(nodes_[edge.to].edges.empty() ? nodes_[edge.to].ended : values[edge.to].value);
}

std::vector<std::int64_t> BookGraph::distances() const {
  const std::vector<NodeValue> values = this->values();
  return cheapest(nodes_.size(), roots_, [&](std::uint32_t number, const auto& go) {
    const Node& node = nodes_[number];
    // A move that no search named is worth no more than the worst that one did.
    int worst = INT16_MAX;
    for (const Edge& edge : node.edges) worst = std::min(worst, value_of(edge, values).value_or(worst));
    for (const Edge& edge : node.edges) {
      if (edge.to == kNoNode) continue;
      std::int64_t cost = std::max(0, values[number].value - value_of(edge, values).value_or(worst));
      if (edge.games > 0) cost = std::min(cost, rarity_cost(options_.rarity, edge.games, node.games));
      go(edge.to, options_.ply_cost + cost);
    }
  });
}

}  // namespace fuhyo::learn
