#include "engines/mcts/tree/puct.h"

#include <cmath>
#include <utility>

namespace fuhyo::mcts {
namespace {

// What all moves of a node are weighed with.
struct Scales {
  float exploration;  // c times the square root of the visits
  float untried;      // value of a move that was not tried
  float draw;
};

Scales scales_of(const Node& node, float tried, const Parameters& parameters, const Parameters::Exploration& how,
                 float reduction) {
  const auto visits = static_cast<float>(node.visits);
  const float c = std::log((visits + how.base + 1) / how.base) + how.init;
  const float value = node.visits == 0 ? node.value : static_cast<float>(to_mean(node.sum, node.visits));
  return {.exploration = c * std::sqrt(visits),
          .untried = std::max(value - reduction * std::sqrt(tried), 0.F),
          .draw = static_cast<float>(parameters.value_of_draw(node.ply))};
}

float score_of(const Edge& edge, const Child& child, const Scales& scales) {
  const std::uint32_t visits = child.visits;
  float value = scales.untried;
  if (child.known() == Result::draw) {
    value = scales.draw;
  } else if (visits > 0) {
    value = static_cast<float>(child.sum) / (static_cast<float>(kOne) * static_cast<float>(visits));
  }
  return value + scales.exploration * edge.prior() / (1 + static_cast<float>(visits));
}

}  // namespace

std::optional<std::uint16_t> choose_edge(const Tree& tree, const Node& node, const Parameters& parameters) {
  const auto edges = tree.edges(node);
  const auto children = tree.children(node);
  float tried = 0;
  for (std::size_t i = 0; i < children.size(); ++i) tried += children[i].visits > 0 ? edges[i].prior() : 0;
  const Scales scales = scales_of(node, tried, parameters, parameters.exploration, parameters.first_play_reduction);
  std::optional<std::uint16_t> best;
  float highest = 0;
  const auto consider = [&](std::size_t i, float score) {
    if (best && score <= highest) return;
    best = static_cast<std::uint16_t>(i);
    highest = score;
  };
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (children[i].known() != Result::loss) consider(i, score_of(edges[i], children[i], scales));
  }
  if (children.size() < edges.size()) {
    consider(children.size(), scales.untried + scales.exploration * edges[children.size()].prior());
  }
  return best;
}

std::optional<std::uint16_t> choose_root_edge(const Tree& tree, const Parameters& parameters,
                                              const std::vector<std::uint8_t>& allowed) {
  const Node& root = tree[tree.root()];
  const auto edges = tree.edges(root);
  const auto children = tree.children(root);
  float tried = 0;
  for (std::size_t i = 0; i < children.size(); ++i) tried += children[i].visits > 0 ? edges[i].prior() : 0;
  const Scales scales =
      scales_of(root, tried, parameters, parameters.root_exploration, parameters.root_first_play_reduction);
  std::optional<std::uint16_t> best;
  float highest = 0;
  bool first_untried = true;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (allowed[i] == 0 || children[i].known() == Result::loss) continue;
    // Of the untried ones no other can be better than the first.
    if (children[i].visits == 0 && children[i].known() == Result::unknown && !std::exchange(first_untried, false)) {
      continue;
    }
    const float score = score_of(edges[i], children[i], scales);
    if (best && score <= highest) continue;
    best = static_cast<std::uint16_t>(i);
    highest = score;
  }
  return best;
}

std::optional<double> value_of(const Child& child, const Parameters& parameters, int ply) {
  if (child.known() != Result::unknown) return value_of(child.known(), parameters, ply);
  if (child.visits == 0) return std::nullopt;
  return to_mean(child.sum, child.visits);
}

}  // namespace fuhyo::mcts
