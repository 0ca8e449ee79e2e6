// Unsharing of nodes that become path-dependent, and eviction of little visited ones.
#include <algorithm>

#include "engines/mcts/tree/tree.h"

namespace fuhyo::mcts {

bool Tree::unshare(Path& path, int since) {
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    const NodeId id = path.steps[i].node;
    Node& node = (*this)[id];
    if (node.ply <= since || node.path_dependent) continue;
    // To the root leads but one line: that of the game.
    if (i == 0 || node.references <= 1) {
      node.path_dependent = 1;
      continue;
    }
    const NodeId own = copy(id);
    if (own == 0) return false;
    const Path::Step from = path.steps[i - 1];
    children((*this)[from.node])[from.child].node = own;
    add_reference(own);
    drop_reference(id);
    for (Path* other : paths_) redirect(*other, i, id, own, from);
  }
  return true;
}

NodeId Tree::copy(NodeId id) {
  const Node& known = (*this)[id];
  const auto edge_units = units_of_edges(known.edge_count), child_units = units_of_room(known.room());
  const NodeId made = allocate(Arena::units(sizeof(Node)));
  const Handle edge_block = made == 0 ? 0 : allocate(edge_units);
  const Handle child_block = edge_block == 0 ? 0 : allocate(child_units);
  if (child_block == 0) {
    if (edge_block != 0) arena_.release(edge_block, edge_units);
    if (made != 0) arena_.release(made, Arena::units(sizeof(Node)));
    return 0;
  }
  const Node& from = (*this)[id];
  std::ranges::copy(edges(from), arena_.at<Edge>(edge_block));
  std::ranges::copy(children(from), arena_.at<Child>(child_block));
  Node& node = *new (&(*this)[made]) Node(from);
  node.edges = edge_block;
  node.children = child_block;
  node.references = 0;
  node.path_dependent = 1;
  for (const Child& child : children(node)) {
    if (child.node != 0) add_reference(child.node);
  }
  return made;
}

// A node has become two. A path that leads through it goes on through one of them, and its visit, which is not over
// yet, counts there only.
void Tree::redirect(Path& path, std::size_t i, NodeId shared, NodeId own, Path::Step from) {
  if (path.steps.size() < i || i == 0) return;
  const bool at_leaf = path.steps.size() == i;
  NodeId& here = at_leaf ? path.leaf : path.steps[i].node;
  if (here != shared) return;
  const bool ours = path.steps[i - 1].node == from.node && path.steps[i - 1].child == from.child;
  Node& other = (*this)[ours ? shared : own];
  --other.visits;
  if (!at_leaf) {
    Child& child = children(other)[path.steps[i].child];
    child.visits = (child.visits - 1) & kMostVisits;
  }
  if (ours) here = own;
}

bool Tree::in_use(NodeId id) const {
  return std::ranges::any_of(paths_, [&](const Path* path) {
    return path->leaf == id ||
           std::ranges::any_of(path->steps, [&](const Path::Step& step) { return step.node == id; });
  });
}

// Goes down where the fewest visits went and no line is under way, to the last node there that has children, and
// forgets these.
bool Tree::evict() {
  NodeId id = root_;
  NodeId found = 0;
  while (id != 0) {
    const Node& node = (*this)[id];
    NodeId next = 0;
    std::uint32_t fewest = kMostVisits;
    bool has_nodes = false;
    for (const Child& child : children(node)) {
      if (child.node == 0) continue;
      has_nodes = true;
      if ((*this)[child.node].child_count == 0 || child.visits >= fewest || in_use(child.node)) continue;
      fewest = child.visits;
      next = child.node;
    }
    if (has_nodes && id != root_) found = id;
    id = next;
  }
  if (found == 0) return false;
  drop_children((*this)[found]);
  return true;
}

}  // namespace fuhyo::mcts
