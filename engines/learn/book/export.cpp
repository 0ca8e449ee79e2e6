#include "engines/learn/book/export.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace fuhyo::learn {
namespace {

class Exporter {
 public:
  Exporter(const BookGraph& graph, const ExportOptions& options)
      : graph_(graph), options_(options), values_(graph.values()), depths_(values_.size()) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < values_.size(); ++i) order.push_back(i);
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(values_[i].order, i); });
    // So what decided a value has its depth already.
    for (const std::uint32_t i : order) {
      const std::vector<Ranked> moves = ranked(graph.nodes()[i]);
      if (!moves.empty()) depths_[i] = depth_of(*moves.front().edge);
    }
  }

  std::vector<book::BookPosition> run() const {
    std::vector<book::BookPosition> out;
    for (const BookGraph::Node& node : graph_.nodes()) {
      if (!node.searched || node.edges.empty() || node.ply > options_.last_ply) continue;
      out.push_back({.position = graph_.position_of(node), .moves = entry_of(node)});
    }
    return out;
  }

 private:
  struct Ranked {
    const BookGraph::Edge* edge;
    int value;
    std::uint32_t order;  // a leaf makes headway, too
  };

  bool is_leaf(const BookGraph::Edge& edge) const {
    return edge.to == kNoNode || !graph_.nodes()[edge.to].searched || graph_.nodes()[edge.to].edges.empty();
  }

  std::vector<Ranked> ranked(const BookGraph::Node& node) const {
    std::vector<Ranked> out;
    for (const BookGraph::Edge& edge : node.edges) {
      const auto value = graph_.value_of(edge, values_);
      if (value) out.push_back({&edge, *value, is_leaf(edge) ? 0 : values_[edge.to].order});
    }
    // Of equals the first one, as edges are in an array.
    std::ranges::sort(out, {}, [](const Ranked& each) { return std::tuple(-each.value, each.order, each.edge); });
    return out;
  }

  int depth_of(const BookGraph::Edge& edge) const {
    return is_leaf(edge) ? edge.depth : std::max<int>(edge.depth, depths_[edge.to] + 1);
  }

  shogi::Move reply_to(const BookGraph::Edge& edge) const {
    if (is_leaf(edge)) return edge.reply;
    const std::vector<Ranked> answers = ranked(graph_.nodes()[edge.to]);
    return answers.empty() ? shogi::Move{} : answers.front().edge->move;
  }

  book::Entry entry_of(const BookGraph::Node& node) const {
    book::Entry entry;
    for (const Ranked& each : ranked(node)) {
      if (!entry.empty() && each.value < entry.front().value - options_.margin) break;
      entry.push_back({.move = each.edge->move,
                       .reply = reply_to(*each.edge),
                       .value = each.value,
                       .depth = depth_of(*each.edge),
                       .count = options_.counts ? each.edge->games : 1});
    }
    return entry;
  }

  const BookGraph& graph_;
  ExportOptions options_;
  std::vector<NodeValue> values_;
  std::vector<int> depths_;
};

}  // namespace

std::vector<book::BookPosition> book_of(const BookGraph& graph, const ExportOptions& options) {
  return Exporter(graph, options).run();
}

}  // namespace fuhyo::learn
