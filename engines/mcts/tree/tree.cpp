#include "engines/mcts/tree/tree.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "engines/mcts/tree/order.h"
#include "engines/mcts/tree/softmax.h"

namespace fuhyo::mcts {
namespace {

constexpr std::size_t kIndexShare = 32;  // of the memory: two entries for a node of the usual size
static_assert(Arena::units(kMostEdges * sizeof(Child)) < Arena::kMostUnits);
constexpr std::uint32_t kNodeUnits = Arena::units(sizeof(Node));

}  // namespace

Path::Path(Tree& tree) : tree_(tree) { tree_.paths_.push_back(this); }
Path::~Path() { std::erase(tree_.paths_, this); }

Tree::Tree(std::size_t bytes)
    : index_bytes_(std::bit_floor(std::max<std::size_t>(bytes / kIndexShare, 64))),
      index_(index_bytes_),
      arena_(bytes - std::min(index_bytes_, bytes)) {}

// A game clears it when it is announced and when it begins: the second time costs nothing.
void Tree::clear() {
  if (arena_.untouched()) return;
  index_.clear();
  arena_.clear();
  root_ = garbage_ = 0;
}

void Tree::set_root(NodeId id) {
  const NodeId former = root_;
  root_ = id;
  if (id != 0) add_reference(id);
  if (former != 0) drop_reference(former);
}

// Releases garbage, one node at a time, until there is room.
Handle Tree::allocate(std::uint32_t units) {
  Handle block = arena_.allocate(units);
  while (block == 0 && garbage_ != 0) {
    collect_one();
    block = arena_.allocate(units);
  }
  return block;
}

void Tree::add_reference(NodeId id) {
  Node& node = (*this)[id];
  if (node.references != kMostReferences) ++node.references;
}

void Tree::drop_reference(NodeId id) {
  Node& node = (*this)[id];
  if (node.references == kMostReferences) return;  // the count is not known any more
  if (--node.references > 0) return;
  node.garbage = 1;
  node.next_garbage = garbage_;
  garbage_ = id;
}

void Tree::collect_one() {
  const NodeId id = garbage_;
  garbage_ = (*this)[id].next_garbage;
  discard(id);
}

void Tree::discard(NodeId id) {
  Node& node = (*this)[id];
  drop_children(node);
  if (node.edges != 0) arena_.release(node.edges, units_of_edges(node.edge_count));
  index_.remove(node.key, id);
  arena_.release(id, kNodeUnits);
}

void Tree::drop_children(Node& node) {
  for (const Child& child : children(node)) {
    if (child.node != 0) drop_reference(child.node);
  }
  if (node.children != 0) arena_.release(node.children, units_of_room(node.room()));
  node.children = 0;
  node.child_count = node.child_room = 0;
}

NodeId Tree::find(std::uint64_t key, int ply) {
  NodeId found = 0;
  index_.find(key, [&](NodeId id) {
    const Node& node = (*this)[id];
    if (node.key != key || node.ply != ply || node.path_dependent || node.garbage ||
        node.references == kMostReferences) {
      return false;
    }
    found = id;
    return true;
  });
  return found;
}

NodeId Tree::create(std::uint64_t key, int ply) {
  const NodeId id = allocate(kNodeUnits);
  if (id == 0) return 0;
  new (&(*this)[id]) Node{.key = key, .ply = static_cast<std::uint16_t>(ply)};
  index_.add(key, id);
  return id;
}

bool Tree::copy_evaluation(NodeId id) {
  const std::uint64_t key = (*this)[id].key;
  const auto find_source = [&] {
    const Node* found = nullptr;
    index_.find(key, [&](NodeId other) {
      const Node& node = (*this)[other];
      if (node.key != key || node.state != Node::expanded || node.edge_count == 0) return false;
      found = &node;
      return true;
    });
    return found;
  };
  const Node* source = find_source();
  if (source == nullptr) return false;
  const std::uint16_t count = source->edge_count;
  const Handle edges = allocate(units_of_edges(count));
  if (edges == 0) return false;
  source = find_source();  // it may have been garbage, and released by allocate()
  if (source == nullptr || source->edge_count != count) {
    arena_.release(edges, units_of_edges(count));
    return false;
  }
  std::memcpy(arena_.at<Edge>(edges), arena_.at<Edge>(source->edges), count * sizeof(Edge));
  Node& node = (*this)[id];
  node.edges = edges;
  node.edge_count = count;
  node.value = source->value;
  node.state = Node::expanded;
  return true;
}

bool Tree::add_edges(NodeId id, std::span<const LabelledMove> moves) {
  const Handle block = allocate(units_of_edges(static_cast<std::uint32_t>(moves.size())));
  if (block == 0) return false;
  Edge* out = arena_.at<Edge>(block);
  for (const LabelledMove& move : moves) *out++ = Edge::of(move.move, move.label);
  Node& node = (*this)[id];
  node.edges = block;
  node.edge_count = static_cast<std::uint16_t>(moves.size());
  node.state = Node::evaluating;
  return true;
}

void Tree::evaluate(NodeId id, std::span<const float> logits, float value, float sharpness) {
  Node& node = (*this)[id];
  const std::span<Edge> all = edges(node);
  std::array<float, kMostEdges> room;
  const std::span<float> priors(room.data(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) priors[i] = logits[all[i].label()] * sharpness;
  softmax(priors);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = Edge::of(all[i].move(), to_code(priors[i]));
  sort_by_prior(all);
  node.value = value;
  node.state = Node::expanded;
}

bool Tree::add_children(NodeId id, std::uint32_t count) {
  const Node& node = (*this)[id];
  std::uint8_t log = std::max<std::uint8_t>(node.child_room, 1);
  while ((1U << log) < count) ++log;
  if (log != node.child_room) {
    const Handle block = allocate(units_of_room(1U << log));
    if (block == 0) return false;
    Node& grown = (*this)[id];
    std::ranges::copy(children(grown), arena_.at<Child>(block));
    if (grown.children != 0) arena_.release(grown.children, units_of_room(grown.room()));
    grown.children = block;
    grown.child_room = log;
  }
  Node& grown = (*this)[id];
  const std::uint16_t had = std::exchange(grown.child_count, static_cast<std::uint16_t>(count));
  std::ranges::fill(children(grown).subspan(had), Child{});
  return true;
}

void Tree::link(NodeId parent, std::uint16_t child, NodeId to) {
  children((*this)[parent])[child].node = to;
  add_reference(to);
}

}  // namespace fuhyo::mcts
