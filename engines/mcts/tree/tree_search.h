// The search of one position as coroutines: a task makes one playout after the other, and waits while its leaf is
// evaluated. A thread that has several tasks, of one search or of hundreds of games, evaluates their leaves together
// (batcher.h); analysis, play and self-play are the same code. One thread at a time per tree.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engines/mcts/tree/back_up.h"
#include "engines/mcts/tree/batcher.h"
#include "engines/mcts/tree/halving.h"
#include "engines/mcts/tree/puct.h"
#include "engines/mcts/tree/task.h"

namespace fuhyo::mcts {

// The playouts that a search may still begin; shared by all its tasks.
struct Allowance {
  std::int64_t playouts = 0;  // to begin
  bool stopped = false;

  bool take() {
    if (stopped || playouts <= 0) return false;
    --playouts;
    return true;
  }
};

// The moves of a game since the position that was searched before; nothing if that was of another game.
using Played = std::optional<std::span<const MoveCode>>;

struct SearchCounts {
  std::int64_t playouts = 0;     // completed
  std::int64_t evaluations = 0;  // positions that were given to the network
  std::int64_t collisions = 0;   // playouts given up: another one had their leaf evaluated
  std::int64_t plies = 0;        // of all lines together
  int deepest = 0;               // plies of the longest line
};

template <Game G>
class TreeSearch {
  static_assert(G::kMostMoves <= kMostEdges);

 public:
  // `game` stands at the root.
  TreeSearch(Tree& tree, const Parameters& parameters, const G& game)
      : tree_(tree), parameters_(parameters), root_game_(game) {}

  // Makes the position the root: what the tree knows of it is kept. To be awaited before anything else. There must be
  // a move.
  Task prepare(Batcher& batcher, Played played) {
    while (!place_root(played)) tree_.clear();
    if (tree_[tree_.root()].state != Node::expanded) {
      const auto pending = batcher.add(root_game_);
      const Evaluation said = co_await pending;
      ++counts_.evaluations;
      tree_.evaluate(tree_.root(), said.logits, said.value, 1 / parameters_.temperature);
    }
    while (!tree_.add_all_children(tree_.root())) {
      if (!tree_.evict()) break;
    }
    allowed_.assign(tree_[tree_.root()].edge_count, 1);
    allowed_count_ = allowed_.size();
  }

  // After prepare(): only these moves are looked at. Those that are none are passed over.
  void restrict_to(std::span<const MoveCode> moves) {
    const auto edges = tree_.edges(tree_[tree_.root()]);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      allowed_[i] = std::ranges::count(moves, edges[i].move()) > 0 ? 1 : 0;
    }
    allowed_count_ = static_cast<std::size_t>(std::ranges::count(allowed_, 1));
  }
  // ... as many of the moves as this are looked at once at least, the likeliest first.
  void spread_over(int moves) { spread_ = moves; }
  // ... the moves of the root are chosen by sequential halving, which makes the most of few playouts.
  void halve(const Halving::Settings& settings) { halving_.emplace(tree_, allowed_, settings); }

  // Plays out while it is allowed to, and there is anything left to look at.
  Task play_out(Batcher& batcher, Allowance& allowance) {
    Path path(tree_);
    G walker = root_game_;
    int at_once = 0;
    while (!exhausted() && allowance.take()) {
      const Leaf leaf = select(walker, path);
      const bool waits = leaf.kind == Leaf::evaluate || leaf.kind == Leaf::evaluate_only;
      if (waits) {
        const auto pending = batcher.add(walker);
        rewind(walker, path);
        const Evaluation said = co_await pending;
        ++counts_.evaluations;
        if (leaf.kind == Leaf::evaluate) {
          tree_.evaluate(path.leaf, said.logits, said.value, 1 / parameters_.temperature);
        }
        finish(path, {.value = said.value});
        at_once = 0;
        continue;
      }
      rewind(walker, path);
      if (leaf.kind == Leaf::evaluated) {
        finish(path, leaf.value);
        if (++at_once < kMostAtOnce) continue;
      } else if (leaf.kind == Leaf::none) {
        exhausted_ = path.steps.empty();
        take_back(tree_, path);
        if (exhausted_) break;
      }
      at_once = 0;
      co_await batcher.next_batch();
      if (leaf.kind == Leaf::collision) {
        ++counts_.collisions;
        ++allowance.playouts;
        take_back(tree_, path);
      }
      path.clear();
    }
  }

  // Everything that may be looked at is known, or nothing can be looked at.
  bool exhausted() const { return exhausted_ || root_is_known(); }
  const SearchCounts& counts() const { return counts_; }
  const std::vector<std::uint8_t>& allowed() const { return allowed_; }
  const std::optional<Halving>& halving() const { return halving_; }
  const Tree& tree() const { return tree_; }
  const Parameters& parameters() const { return parameters_; }

 private:
  // Playouts that need no evaluation follow each other without a pause, at most so many: then other tasks run.
  static constexpr int kMostAtOnce = 16;
  static constexpr int kMostForgotten = 16;

  struct Leaf {
    enum Kind : std::uint8_t {
      evaluated,      // by the rules, by a proof, or by its node's value where there is no memory for more
      evaluate,       // a new node, to be evaluated
      evaluate_only,  // ... for which there is no memory
      collision,      // another task has its node evaluated
      none,           // no move may be searched, or the line cannot be stored in the tree
    };
    Kind kind;
    BackupValue value{};
  };

  static void rewind(G& walker, const Path& path) {
    for (std::size_t i = 0; i < path.steps.size(); ++i) walker.undo_move();
  }

  void finish(Path& path, const BackupValue& value) {
    ++counts_.playouts;
    counts_.plies += static_cast<std::int64_t>(path.steps.size());
    counts_.deepest = std::max(counts_.deepest, static_cast<int>(path.steps.size()));
    back_up(tree_, parameters_, path, value);
    path.clear();
  }

  bool place_root(const Played& played) {
    NodeId id = follow(played);
    if (id == 0) id = tree_.find(root_game_.key(), root_game_.ply());
    tree_.set_root(id);
    if (id == 0) {
      id = tree_.create(root_game_.key(), root_game_.ply());
      if (id == 0) return false;
      tree_.set_root(id);
    }
    reset_unproven_root(tree_[id]);
    if (tree_[id].edge_count > 0) return true;
    std::array<LabelledMove, G::kMostMoves> moves;
    const std::size_t count = root_game_.moves(moves);
    while (!tree_.add_edges(id, std::span(moves).first(count))) {
      if (!tree_.evict()) return false;
    }
    return true;
  }

  NodeId follow(const Played& played) const {
    if (!played) return 0;
    NodeId id = tree_.root();
    for (const MoveCode move : *played) {
      if (id == 0) return 0;
      const Node& node = tree_[id];
      const auto edges = tree_.edges(node);
      const auto edge = static_cast<std::size_t>(std::ranges::find(edges, move, &Edge::move) - edges.begin());
      id = edge < node.child_count ? tree_.children(node)[edge].node : 0;
    }
    const bool there = id != 0 && tree_[id].key == root_game_.key() && tree_[id].ply == root_game_.ply();
    // What rests on a cycle that begins before the root rests on what is now the past, which proves nothing.
    return there && (played->empty() || !tree_[id].path_dependent) ? id : 0;
  }

  // A result without the moves that show it (it came from the game's own look, or they were forgotten) says nothing
  // about what to play.
  void reset_unproven_root(Node& root) const {
    const auto children = tree_.children(root);
    const bool wins = std::ranges::count(children, Result::win, &Child::known) > 0;
    const bool all = root.edge_count > 0 && children.size() == root.edge_count &&
                     std::ranges::count(children, Result::unknown, &Child::known) == 0;
    if (!wins && !all) root.know(Result::unknown, 0);
  }

  bool root_is_known() const {
    const Node& root = tree_[tree_.root()];
    if (allowed_count_ == root.edge_count) return root.known() != Result::unknown;
    const auto children = tree_.children(root);
    bool all = true;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (allowed_[i] == 0) continue;
      if (children[i].known() == Result::win) return true;
      all = all && children[i].known() != Result::unknown;
    }
    return all;
  }

  std::optional<std::uint16_t> choose_at_root() {
    const auto children = tree_.children(tree_[tree_.root()]);
    if (halving_) {
      if (const auto edge = halving_->choose(tree_)) return edge;
    }
    int left = spread_;
    for (std::size_t i = 0; i < children.size() && left > 0; ++i) {
      if (allowed_[i] == 0) continue;
      if (children[i].visits == 0 && children[i].known() == Result::unknown) return static_cast<std::uint16_t>(i);
      --left;
    }
    return choose_root_edge(tree_, parameters_, allowed_);
  }

  // Tries again after something was forgotten.
  template <class Try>
  bool with_room(const Try& attempt) {
    for (int i = 0; i < kMostForgotten; ++i) {
      if (attempt()) return true;
      if (!tree_.evict()) return false;
    }
    return attempt();
  }

  Leaf select(G& walker, Path& path) {
    path.clear();
    NodeId id = tree_.root();
    while (true) {
      path.leaf = id;
      const bool at_root = path.steps.empty();
      if (!at_root && tree_[id].known() != Result::unknown) return end_at(id);
      if (tree_[id].state != Node::expanded) return end_at(id, Leaf::collision);
      const auto edge = at_root ? choose_at_root() : choose_edge(tree_, tree_[id], parameters_);
      if (!edge || tree_[id].visits >= kMostVisits) {
        path.leaf = 0;
        return {Leaf::none};
      }
      if (*edge == tree_[id].child_count && !with_room([&] { return tree_.add_child(id); })) return end_at(id);
      path.leaf = 0;
      Node& node = tree_[id];
      Child& child = tree_.children(node)[*edge];
      ++node.visits;
      child.visits = (child.visits + 1) & kMostVisits;
      path.steps.push_back({.node = id, .child = *edge});
      walker.do_move(tree_.edges(node)[*edge].move());
      if (child.known() != Result::unknown) {
        const int distance = child.node == 0 ? 0 : tree_[child.node].distance;
        return {Leaf::evaluated, {.result = reversed(child.known()), .distance = distance}};
      }
      if (child.node == 0) {
        const Leaf leaf = expand(walker, path);
        if (leaf.kind != Leaf::none || path.steps.empty()) return leaf;
        id = tree_.children(tree_[path.steps.back().node])[*edge].node;
        if (id == 0) return leaf;
        continue;
      }
      id = child.node;
    }
  }

  Leaf end_at(NodeId id, typename Leaf::Kind kind = Leaf::evaluated) {
    Node& node = tree_[id];
    ++node.visits;
    return {kind, {.value = node.value, .result = node.known(), .distance = node.distance}};
  }

  // At a position to which the line has no node yet. Nothing, where it has found one to go on from, or where the line
  // may not be written down.
  Leaf expand(G& walker, Path& path) {
    const Verdict verdict = walker.verdict();
    if (verdict.result != Result::unknown) {
      const bool ours = verdict.since < 0 || with_room([&] { return tree_.unshare(path, verdict.since); });
      if (!ours) return {Leaf::none};
      if (verdict.proven) return {Leaf::evaluated, {.result = verdict.result}};
      return {Leaf::evaluated, {.value = value_of(verdict.result, parameters_, walker.ply())}};
    }
    const Path::Step from = path.steps.back();
    NodeId id = tree_.find(walker.key(), walker.ply());
    if (id != 0) {
      tree_.link(from.node, from.child, id);
      return {Leaf::none};
    }
    with_room([&] { return (id = tree_.create(walker.key(), walker.ply())) != 0; });
    if (id == 0) return {Leaf::evaluate_only};
    tree_.link(from.node, from.child, id);
    path.leaf = id;
    if (const int plies = walker.plies_to_win(); plies > 0) tree_[id].know(Result::win, plies);
    if (tree_[id].known() != Result::unknown || tree_.copy_evaluation(id)) return end_at(id);
    return add_node(walker, path);
  }

  Leaf add_node(G& walker, Path& path) {
    const NodeId id = path.leaf;
    std::array<LabelledMove, G::kMostMoves> moves;
    const std::size_t count = walker.moves(moves);
    if (count == 0) {
      tree_[id].know(Result::loss, 0);
      return end_at(id);
    }
    if (with_room([&] { return tree_.add_edges(id, std::span(moves).first(count)); })) {
      end_at(id);
      return {Leaf::evaluate};
    }
    const Path::Step from = path.steps.back();
    tree_.children(tree_[from.node])[from.child].node = 0;
    tree_.discard(id);
    path.leaf = 0;
    return {Leaf::evaluate_only};
  }

  Tree& tree_;
  const Parameters parameters_;
  const G root_game_;
  std::vector<std::uint8_t> allowed_;  // by edge of the root
  std::size_t allowed_count_ = 0;
  int spread_ = 0;
  std::optional<Halving> halving_;
  bool exhausted_ = false;
  SearchCounts counts_;
};

}  // namespace fuhyo::mcts
