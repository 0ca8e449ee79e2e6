#include "engines/learn/book/propagate.h"

#include <algorithm>
#include <cstdlib>
#include <queue>
#include <tuple>

namespace fuhyo::learn {
namespace {

// Retrograde analysis from the largest value down, whosever it is. When a value comes up, all larger ones are settled:
// so it is the best that the side for which it is good can have, and where all moves of a position are bad, the last of
// them to come up is the least bad one. What never comes up is not forced by anybody.
class Retrograde {
 public:
  explicit Retrograde(const ValueGraph& graph) : graph_(graph), values_(graph.first.size() - 1) {
    link();
    open_.resize(values_.size());
    for (std::uint32_t node = 0; node < values_.size(); ++node) {
      open_[node] = graph.first[node + 1] - graph.first[node];
      for (std::uint32_t i = graph.first[node]; i < graph.first[node + 1]; ++i) {
        if (graph.moves[i].to == kNoNode) push(node, graph.moves[i].value);
      }
    }
  }

  std::vector<NodeValue> run() {
    while (!queue_.empty()) {
      const Known known = queue_.top();
      queue_.pop();
      if (values_[known.node].order != NodeValue::kDrawn) continue;
      if (known.value > 0 || --open_[known.node] == 0) settle(known);
    }
    return std::move(values_);
  }

 private:
  // A move whose value is known, of `node`.
  struct Known {
    int value;
    std::uint32_t node;
    std::uint64_t number;  // of equals the first one, so that ways to them are short
    bool operator<(const Known& other) const {
      return std::tuple(std::abs(value), other.number) < std::tuple(std::abs(other.value), number);
    }
  };

  // The moves that lead to each position.
  void link() {
    from_first_.assign(values_.size() + 1, 0);
    for (const ValueGraph::Move& move : graph_.moves) from_first_[move.to == kNoNode ? 0 : move.to + 1] += 1;
    from_first_[0] = 0;
    for (std::size_t i = 1; i < from_first_.size(); ++i) from_first_[i] += from_first_[i - 1];
    from_.resize(from_first_.back());
    std::vector<std::uint32_t> next(from_first_.begin(), from_first_.end() - 1);
    for (std::uint32_t node = 0; node < values_.size(); ++node) {
      for (std::uint32_t i = graph_.first[node]; i < graph_.first[node + 1]; ++i) {
        if (const std::uint32_t to = graph_.moves[i].to; to != kNoNode) from_[next[to]++] = node;
      }
    }
  }

  void push(std::uint32_t node, int value) {
    if (value != 0) queue_.push({.value = value, .node = node, .number = pushed_++});
  }

  void settle(const Known& known) {
    values_[known.node] = {.value = known.value, .order = settled_++};
    for (std::uint32_t i = from_first_[known.node]; i < from_first_[known.node + 1]; ++i) {
      push(from_[i], before_move(known.value));
    }
  }

  const ValueGraph& graph_;
  std::vector<NodeValue> values_;
  std::vector<std::uint32_t> from_first_, from_;
  std::vector<std::uint32_t> open_;  // moves that may still be worth more than what has come up
  std::priority_queue<Known> queue_;
  std::uint64_t pushed_ = 0;
  std::uint32_t settled_ = 0;
};

}  // namespace

std::vector<NodeValue> propagate(const ValueGraph& graph) { return Retrograde(graph).run(); }

}  // namespace fuhyo::learn
