// The tree of one search. It is a graph: transpositions of equal length share a node. Bounded by bytes. One thread at a
// time (search_threads.h has a lock for several).
//
// A shared node never holds a value that depends on the path. A repetition makes a cycle; all nodes inside of the cycle
// (below its first position, on this path) become path-dependent: nodes that other paths share are copied.
//
// Nodes without references (the tree of the former move, and evicted nodes) are garbage. Their memory is released one
// by one when it is needed, so that no move waits for it. Until then their evaluations are copied to new nodes of the
// same position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engines/mcts/tree/arena.h"
#include "engines/mcts/tree/index.h"
#include "engines/mcts/tree/node.h"

namespace fuhyo::mcts {

class Tree;

// The path of a playout, from the root to a leaf. The tree knows it as long as it exists.
class Path {
 public:
  struct Step {
    NodeId node;
    std::uint16_t child;
  };

  explicit Path(Tree& tree);
  ~Path();
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

  void clear() {
    steps.clear();
    leaf = 0;
  }

  std::vector<Step> steps;
  NodeId leaf = 0;  // 0: the last step leads to no node

 private:
  Tree& tree_;
};

class Tree {
 public:
  // Throws std::bad_alloc. At least a few kilobytes.
  explicit Tree(std::size_t bytes);
  // Removes all nodes. There must be no playout in flight.
  void clear();

  Node& operator[](NodeId id) { return *arena_.at<Node>(id); }
  const Node& operator[](NodeId id) const { return *arena_.at<Node>(id); }
  std::span<Edge> edges(const Node& node) const { return {arena_.at<Edge>(node.edges), node.edge_count}; }
  std::span<Child> children(const Node& node) const { return {arena_.at<Child>(node.children), node.child_count}; }

  // 0 before the first set_root().
  NodeId root() const { return root_; }
  // Releases all nodes that the new root does not lead to. There must be no playout in flight. 0: no root.
  void set_root(NodeId id);

  // The shared node of that position at that ply; 0 if there is none.
  NodeId find(std::uint64_t key, int ply);
  // A new node without references; 0 if there is no memory.
  NodeId create(std::uint64_t key, int ply);
  // Removes a node without references.
  void discard(NodeId id);
  // Copies moves and evaluation from any node of the same position. False: there is none, or no memory.
  bool copy_evaluation(NodeId id);
  // Adds the moves, before evaluate(). False: no memory.
  bool add_edges(NodeId id, std::span<const LabelledMove> moves);
  // Stores the network's output: logits by label. `sharpness`: their factor before the softmax.
  void evaluate(NodeId id, std::span<const float> logits, float value, float sharpness);
  // Adds the next child, or all of them, in the order of the edges. False: no memory.
  bool add_child(NodeId id) { return add_children(id, (*this)[id].child_count + 1U); }
  bool add_all_children(NodeId id) { return add_children(id, (*this)[id].edge_count); }
  void link(NodeId parent, std::uint16_t child, NodeId to);
  void prefetch(std::uint64_t key) const { index_.prefetch(key); }

  // Makes the nodes of the path below ply `since` path-dependent; copies shared ones. False: no memory; then nothing
  // that depends on this path may be stored.
  bool unshare(Path& path, int since);
  // Evicts the children of a little visited node. False: there is none that no playout in flight uses.
  bool evict();

  std::size_t used() const { return arena_.used() + index_bytes_; }
  std::size_t capacity() const { return arena_.capacity() + index_bytes_; }

 private:
  friend class Path;

  Handle allocate(std::uint32_t units);
  bool add_children(NodeId id, std::uint32_t count);
  void add_reference(NodeId id);
  void drop_reference(NodeId id);
  void collect_one();
  void drop_children(Node& node);
  NodeId copy(NodeId id);
  void redirect(Path& path, std::size_t i, NodeId shared, NodeId own, Path::Step from);
  bool in_use(NodeId id) const;

  static std::uint32_t units_of_edges(std::uint32_t count) { return Arena::units(count * sizeof(Edge)); }
  static std::uint32_t units_of_room(std::uint32_t room) { return Arena::units(room * sizeof(Child)); }

  std::size_t index_bytes_;
  Index index_;
  Arena arena_;
  NodeId root_ = 0;
  NodeId garbage_ = 0;  // the first node of a list (next_garbage)
  std::vector<Path*> paths_;
};

}  // namespace fuhyo::mcts
