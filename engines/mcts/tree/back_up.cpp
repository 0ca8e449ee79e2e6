#include "engines/mcts/tree/back_up.h"

#include <ranges>

namespace fuhyo::mcts {
namespace {

// Unless it is known, the value is left as it is.
void set_value(BackupValue& backup, const Parameters& parameters, int ply) {
  if (backup.result != Result::unknown) backup.value = value_of(backup.result, parameters, ply);
}

// What follows for a node from a result that one of its children has got.
void conclude(Tree& tree, Node& node) {
  const auto children = tree.children(node);
  Result best = Result::loss;
  bool all = children.size() == node.edge_count;
  int shortest_win = 0xffff, longest_loss = 0;
  for (const Child& child : children) {
    const int distance = 1 + (child.node == 0 ? 0 : tree[child.node].distance);
    if (child.known() == Result::win) shortest_win = std::min(shortest_win, distance);
    if (child.known() == Result::loss) longest_loss = std::max(longest_loss, distance);
    best = std::max(best, child.known());
    all = all && child.known() != Result::unknown;
  }
  if (best == Result::win) return node.know(Result::win, shortest_win);
  if (all) node.know(best, best == Result::loss ? longest_loss : 0);
}

}  // namespace

void back_up(Tree& tree, const Parameters& parameters, const Path& path, BackupValue backup) {
  if (path.leaf != 0) {
    Node& leaf = tree[path.leaf];
    set_value(backup, parameters, leaf.ply);
    leaf.sum += to_fixed(backup.value);
    if (backup.result != Result::unknown) leaf.know(backup.result, backup.distance);
  } else if (!path.steps.empty()) {
    set_value(backup, parameters, tree[path.steps.back().node].ply + 1);
  }
  for (const Path::Step& step : std::views::reverse(path.steps)) {
    Node& node = tree[step.node];
    Child& child = tree.children(node)[step.child];
    backup.value = 1 - backup.value;
    backup.result = reversed(backup.result);
    const std::uint64_t value = to_fixed(backup.value);
    child.sum += value;
    node.sum += value;
    if (backup.result == Result::unknown) continue;
    child.know(backup.result);
    conclude(tree, node);
    backup.result = node.known();
    set_value(backup, parameters, node.ply);
  }
}

void take_back(Tree& tree, const Path& path) {
  if (path.leaf != 0) --tree[path.leaf].visits;
  for (const Path::Step& step : path.steps) {
    Node& node = tree[step.node];
    --node.visits;
    Child& child = tree.children(node)[step.child];
    child.visits = (child.visits - 1) & kMostVisits;
  }
}

}  // namespace fuhyo::mcts
