// The tree of one search, which is a graph: nodes are shared by all lines with as many moves that lead to the same
// position. Bounded by bytes. One thread at a time (search_threads.h has a lock for several).
//
// Sharing never mixes what depends on the path. A repetition makes a cycle; all nodes inside of the cycle (below its
// first position, on this line) become nodes of this line alone: those that other lines have too are copied. So what a
// shared node holds is true of it however it was reached.
//
// What is cut off (the tree of the former move, and what was forgotten) dies at once, but keeps its memory until that
// is wanted: until then its evaluations serve whoever comes to the same position. No move waits for it.
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

// A line from the root that is being looked at: known to its tree as long as it exists.
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
  // Forgets everything. There must be no path under way.
  void clear();

  Node& operator[](NodeId id) { return *arena_.at<Node>(id); }
  const Node& operator[](NodeId id) const { return *arena_.at<Node>(id); }
  std::span<Edge> edges(const Node& node) const { return {arena_.at<Edge>(node.edges), node.edge_count}; }
  std::span<Child> children(const Node& node) const { return {arena_.at<Child>(node.children), node.child_count}; }

  // 0 before the first set_root().
  NodeId root() const { return root_; }
  // What the new root does not lead to dies. There must be no path under way. 0: there is none any more.
  void set_root(NodeId id);

  // The node of that position at that ply that every line may come to; 0 if there is none.
  NodeId find(std::uint64_t key, int ply);
  // A new one, which nothing leads to; 0 if there is no memory.
  NodeId create(std::uint64_t key, int ply);
  // Takes it back.
  void discard(NodeId id);
  // Takes moves and evaluation over from any node of the same position. False: there is none, or no memory.
  bool copy_evaluation(NodeId id);
  // The moves, to be evaluated. False: there is no memory.
  bool add_edges(NodeId id, std::span<const LabelledMove> moves);
  // What the network said: logits by label. `sharpness`: what they are multiplied by before the softmax.
  void evaluate(NodeId id, std::span<const float> logits, float value, float sharpness);
  // One child more, or all of them, for the edges that come next. False: there is no memory.
  bool add_child(NodeId id) { return add_children(id, (*this)[id].child_count + 1U); }
  bool add_all_children(NodeId id) { return add_children(id, (*this)[id].edge_count); }
  void link(NodeId parent, std::uint16_t child, NodeId to);
  void prefetch(std::uint64_t key) const { index_.prefetch(key); }

  // Makes what the path leads through below that ply its own. False: there is no memory; then nothing that depends on
  // this path may be written down.
  bool make_private(Path& path, int since);
  // Makes room by forgetting what was looked at least. False: there was nothing that nobody uses at the moment.
  bool forget_some();

  std::size_t used() const { return arena_.used() + index_bytes_; }
  std::size_t capacity() const { return arena_.capacity() + index_bytes_; }

 private:
  friend class Path;

  Handle allocate(std::uint32_t units);
  bool add_children(NodeId id, std::uint32_t count);
  void refer(NodeId id);
  void unlink(NodeId id);
  void bury();
  void drop_children(Node& node);
  NodeId copy(NodeId id);
  void part(Path& path, std::size_t i, NodeId shared, NodeId own, Path::Step from);
  bool in_use(NodeId id) const;

  static std::uint32_t units_of_edges(std::uint32_t count) { return Arena::units(count * sizeof(Edge)); }
  static std::uint32_t units_of_room(std::uint32_t room) { return Arena::units(room * sizeof(Child)); }

  std::size_t index_bytes_;
  Index index_;
  Arena arena_;
  NodeId root_ = 0;
  NodeId dead_ = 0;  // the first of the dead, each of which names the next
  std::vector<Path*> paths_;
};

}  // namespace fuhyo::mcts
