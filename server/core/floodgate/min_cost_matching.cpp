#include "server/core/floodgate/min_cost_matching.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <utility>

namespace fuhyo::core::floodgate {
namespace {

// Nodes are vertices 1..n and, above n, blossoms: odd cycles of nodes that act as one. 0 is nobody.
using Node = std::size_t;

enum class Mark : std::uint8_t { free, outer, inner };  // outside of the trees that are grown; at even, at odd depth

// The best edge between two nodes: its ends are vertices. from == 0: there is none.
struct Edge {
  Node from = 0, to = 0;
};

// Grows alternating trees from all unmatched nodes at once and changes the duals until an edge joins two trees; each
// such stage matches two more vertices. A vertex's dual and the duals of the blossoms around it keep every edge's slack
// at 0 or more, and matched edges at 0: that makes the matching the heaviest when all are matched.
//
// A gain is what a cost becomes: the graph is turned round, the heaviest matching of gains = the cheapest of costs.
template <class Gain>
class Matcher {
 public:
  Matcher(std::span<const Gain> cost, std::size_t n)
      : n_(n),
        last_(n),
        size_(n + n / 2 + 2),
        gain_((n + 1) * (n + 1)),
        best_(size_ * size_),
        inside_(size_ * (n + 1)),
        dual_(size_),
        mate_(size_),
        top_(size_),
        parent_(size_),
        closest_(size_),
        least_(size_),
        seen_(size_),
        mark_(size_),
        cycle_(size_) {
    const Gain most = n == 0 ? 0 : *std::ranges::max_element(cost);
    Gain heaviest = 0;
    for (Node u = 1; u <= n; ++u) {
      top_[u] = u;
      inside(u, u) = u;
      for (Node v = 1; v <= n; ++v) {
        if (u == v) continue;
        gain_[u * (n + 1) + v] = 2 * (most + 1 - cost[(u - 1) * n + v - 1]);  // even, so that duals stay whole
        heaviest = std::max(heaviest, gain_[u * (n + 1) + v]);
        best(u, v) = {u, v};
      }
    }
    for (Node u = 1; u <= n; ++u) dual_[u] = heaviest / 2;
  }

  std::vector<std::size_t> run() {
    for (std::size_t pairs = 0; pairs < n_ / 2; ++pairs) match_two_more();
    std::vector<std::size_t> partner;
    for (Node u = 1; u <= n_; ++u) partner.push_back(mate_[u] - 1);
    return partner;
  }

 private:
  // More than any slack: numeric_limits does not know the wide type.
  static constexpr Gain kNoStep = static_cast<Gain>((static_cast<unsigned __int128>(1) << (8 * sizeof(Gain) - 1)) - 1);

  Edge& best(Node a, Node b) { return best_[a * size_ + b]; }
  Node& inside(Node blossom, Node vertex) { return inside_[blossom * (n_ + 1) + vertex]; }  // its member that holds it
  Gain slack(Edge e) const { return dual_[e.from] + dual_[e.to] - gain_[e.from * (n_ + 1) + e.to]; }
  bool is_top(Node x) const { return top_[x] == x; }

  void consider(Node vertex, Node x, Gain left) {
    if (closest_[x] != 0 && left >= least_[x]) return;
    closest_[x] = vertex;
    least_[x] = left;
  }
  void find_closest(Node x) {
    closest_[x] = 0;
    for (Node u = 1; u <= n_; ++u) {
      if (best(u, x).from != 0 && top_[u] != x && mark_[top_[u]] == Mark::outer) consider(u, x, slack(best(u, x)));
    }
  }
  void scan_later(Node x) {
    if (x <= n_)
      scan_.push_back(x);
    else
      for (const Node member : cycle_[x]) scan_later(member);
  }
  void set_top(Node x, Node top) {
    top_[x] = top;
    if (x > n_)
      for (const Node member : cycle_[x]) set_top(member, top);
  }

  // The place of a member in its blossom's cycle, which is turned so that the even way round leads there from the base.
  std::size_t even_place(Node blossom, Node member) {
    std::vector<Node>& cycle = cycle_[blossom];
    const auto place = static_cast<std::size_t>(std::ranges::find(cycle, member) - cycle.begin());
    if (place % 2 == 0) return place;
    std::reverse(cycle.begin() + 1, cycle.end());
    return cycle.size() - place;
  }
  // Matches node u by its best edge to v; within a blossom the member at that edge becomes the base.
  void match(Node u, Node v) {
    const Edge edge = best(u, v);
    mate_[u] = edge.to;
    if (u <= n_) return;
    const Node base = inside(u, edge.from);
    const std::size_t place = even_place(u, base);
    for (std::size_t i = 0; i < place; ++i) match(cycle_[u][i], cycle_[u][i ^ 1]);
    match(base, v);
    std::rotate(cycle_[u].begin(), cycle_[u].begin() + static_cast<std::ptrdiff_t>(place), cycle_[u].end());
  }
  // Swaps matched and unmatched edges from u up to the root of its tree; u itself is matched to v.
  void augment(Node u, Node v) {
    for (;;) {
      const Node was = top_[mate_[u]];
      match(u, v);
      if (was == 0) return;
      const Node above = top_[parent_[was]];
      match(was, above);
      u = above;
      v = was;
    }
  }
  Node common_ancestor(Node u, Node v) {
    ++visit_;
    while (u != 0 || v != 0) {
      if (u != 0) {
        if (seen_[u] == visit_) return u;
        seen_[u] = visit_;
        u = top_[mate_[u]];
        if (u != 0) u = top_[parent_[u]];
      }
      std::swap(u, v);
    }
    return 0;
  }

  // From `from` up to, not including, `base`: outer and inner nodes by turns. The inner ones become outer.
  void collect(std::vector<Node>& cycle, Node from, Node base) {
    for (Node x = from; x != base;) {
      const Node y = top_[mate_[x]];
      cycle.push_back(x);
      cycle.push_back(y);
      scan_later(y);
      x = top_[parent_[y]];
    }
  }
  void shrink(Node u, Node base, Node v) {
    Node b = n_ + 1;
    while (b <= last_ && top_[b] != 0) ++b;
    last_ = std::max(last_, b);
    dual_[b] = 0;
    mark_[b] = Mark::outer;
    mate_[b] = mate_[base];
    std::vector<Node>& cycle = cycle_[b];
    cycle.assign(1, base);
    collect(cycle, u, base);
    std::reverse(cycle.begin() + 1, cycle.end());
    collect(cycle, v, base);
    set_top(b, b);
    adopt_edges(b);
    find_closest(b);
  }
  void adopt_edges(Node b) {
    for (Node x = 1; x <= last_; ++x) best(b, x) = best(x, b) = Edge{};
    for (Node u = 1; u <= n_; ++u) inside(b, u) = 0;
    for (const Node member : cycle_[b]) {
      for (Node x = 1; x <= last_; ++x) {
        const Edge edge = best(member, x);
        if (edge.from == 0 || (best(b, x).from != 0 && slack(edge) >= slack(best(b, x)))) continue;
        best(b, x) = edge;
        best(x, b) = best(x, member);
      }
      for (Node u = 1; u <= n_; ++u) {
        if (inside(member, u) != 0) inside(b, u) = member;
      }
    }
  }
  // An inner blossom whose dual came to 0 falls apart: the even way from where the tree enters to its base stays in the
  // tree, the other members become free.
  void expand(Node b) {
    for (const Node member : cycle_[b]) set_top(member, member);
    const Node entry = inside(b, best(b, parent_[b]).from);
    const std::size_t place = even_place(b, entry);
    const std::vector<Node>& cycle = cycle_[b];
    for (std::size_t i = 0; i < place; i += 2) {
      const Node inner = cycle[i], outer = cycle[i + 1];
      parent_[inner] = best(outer, inner).from;
      mark_[inner] = Mark::inner;
      mark_[outer] = Mark::outer;
      closest_[inner] = 0;
      find_closest(outer);
      scan_later(outer);
    }
    mark_[entry] = Mark::inner;
    parent_[entry] = parent_[b];
    for (std::size_t i = place + 1; i < cycle.size(); ++i) {
      mark_[cycle[i]] = Mark::free;
      find_closest(cycle[i]);
    }
    top_[b] = 0;
  }

  // An edge without slack: the tree takes in a free pair, or closes a cycle, or meets another tree (true: augmented).
  bool use(Edge edge) {
    const Node u = top_[edge.from], v = top_[edge.to];
    if (mark_[v] == Mark::free) {
      const Node beyond = top_[mate_[v]];
      parent_[v] = edge.from;
      mark_[v] = Mark::inner;
      mark_[beyond] = Mark::outer;
      closest_[v] = closest_[beyond] = 0;
      scan_later(beyond);
    } else if (mark_[v] == Mark::outer) {
      const Node base = common_ancestor(u, v);
      if (base == 0) {
        augment(u, v);
        augment(v, u);
        return true;
      }
      shrink(u, base, v);
    }
    return false;
  }
  bool scan() {
    while (!scan_.empty()) {
      const Node u = scan_.front();
      scan_.pop_front();
      if (mark_[top_[u]] == Mark::inner) continue;
      for (Node v = 1; v <= n_; ++v) {
        if (u == v || top_[u] == top_[v]) continue;
        const Gain left = slack({u, v});
        const Node x = top_[v];
        if (left != 0)
          consider(u, x, x == v ? left : slack(best(u, x)));
        else if (use({u, v}))
          return true;
      }
    }
    return false;
  }
  // By how much duals can move until an edge loses its slack or a blossom its dual.
  Gain step() {
    Gain step = kNoStep;
    for (Node b = n_ + 1; b <= last_; ++b) {
      if (is_top(b) && mark_[b] == Mark::inner) step = std::min(step, dual_[b] / 2);
    }
    for (Node x = 1; x <= last_; ++x) {
      if (!is_top(x) || closest_[x] == 0 || mark_[x] == Mark::inner) continue;
      const Gain left = least_[x];
      step = std::min(step, mark_[x] == Mark::free ? left : left / 2);
    }
    return step;
  }
  void move_duals(Gain by) {
    for (Node u = 1; u <= n_; ++u) {
      const Mark mark = mark_[top_[u]];
      if (mark != Mark::free) dual_[u] += mark == Mark::outer ? -by : by;
    }
    for (Node b = n_ + 1; b <= last_; ++b) {
      if (is_top(b) && mark_[b] != Mark::free) dual_[b] += mark_[b] == Mark::outer ? 2 * by : -2 * by;
    }
    for (Node x = 1; x <= last_; ++x) {
      if (is_top(x) && closest_[x] != 0) least_[x] = slack(best(closest_[x], x));
    }
  }
  bool use_new_edges() {
    for (Node x = 1; x <= last_; ++x) {
      if (!is_top(x) || closest_[x] == 0 || top_[closest_[x]] == x) continue;
      const Edge edge = best(closest_[x], x);
      if (slack(edge) == 0 && use(edge)) return true;
    }
    for (Node b = n_ + 1; b <= last_; ++b) {
      if (is_top(b) && mark_[b] == Mark::inner && dual_[b] == 0) expand(b);
    }
    return false;
  }
  void match_two_more() {
    std::ranges::fill(mark_, Mark::free);
    std::ranges::fill(closest_, Node{0});
    scan_.clear();
    for (Node x = 1; x <= last_; ++x) {
      if (!is_top(x) || mate_[x] != 0) continue;
      parent_[x] = 0;
      mark_[x] = Mark::outer;
      scan_later(x);
    }
    while (!scan()) {
      move_duals(step());
      if (use_new_edges()) return;
    }
  }

  std::size_t n_, last_, size_;  // `last_`: the highest node in use
  std::vector<Gain> gain_;
  std::vector<Edge> best_;  // between any two nodes
  std::vector<Node> inside_;
  std::vector<Gain> dual_;
  std::vector<Node> mate_;     // of a node: the vertex at the other end of its matched edge
  std::vector<Node> top_;      // the outermost blossom around a node; 0: a blossom that is not in use
  std::vector<Node> parent_;   // of an inner node: the outer vertex through which the tree came
  std::vector<Node> closest_;  // of a node: the outer vertex with the least slack to it
  std::vector<Gain> least_;    // ... and that slack
  std::vector<std::size_t> seen_;
  std::vector<Mark> mark_;
  std::vector<std::vector<Node>> cycle_;  // of a blossom: its members in order, the base first
  std::deque<Node> scan_;                 // outer vertices whose edges are still to be looked at
  std::size_t visit_ = 0;
};

}  // namespace

std::vector<std::size_t> min_cost_matching(std::span<const std::int64_t> cost, std::size_t n) {
  assert(n % 2 == 0 && cost.size() == n * n);
  return Matcher(cost, n).run();
}

std::vector<std::size_t> min_wide_cost_matching(std::span<const WideCost> cost, std::size_t n) {
  assert(n % 2 == 0 && cost.size() == n * n);
  return Matcher(cost, n).run();
}

}  // namespace fuhyo::core::floodgate
