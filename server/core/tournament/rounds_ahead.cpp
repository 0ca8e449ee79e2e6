#include "server/core/tournament/rounds_ahead.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace fuhyo::core::tournament {
namespace {

using floodgate::WideCost;

// What a call may cost, about 50 ms: steps of the search, each of places squared; matchings, each of places cubed.
constexpr std::int64_t kSearchWork = 20'000'000;
constexpr std::int64_t kMatchingWork = 20'000'000;

using Edge = std::pair<std::size_t, std::size_t>;

// Who may still meet whom.
class Graph {
 public:
  // With `second_byes` everybody may have the bye, however often; the field is of odd number then.
  Graph(const PairingProblem& problem, bool second_byes)
      : may_(problem.may), kept_(second_byes ? problem.places - 1 : problem.places) {
    if (kept_ < places()) {
      for (std::size_t a = 0; a < kept_; ++a) may_[a][kept_] = may_[kept_][a] = true;
    }
  }

  std::size_t places() const { return may_.size(); }
  bool may(std::size_t a, std::size_t b) const { return may_[a][b]; }
  bool holds(const Partners& partners) const {
    for (std::size_t a = 0; a < places(); ++a) {
      if (!may_[a][partners[a]]) return false;
    }
    return true;
  }
  void set(const Partners& partners, bool may) {
    for (std::size_t a = 0; a < places(); ++a) {
      if (a != kept_ && partners[a] != kept_) may_[a][partners[a]] = may;
    }
  }
  std::size_t degree(std::size_t a) const { return static_cast<std::size_t>(std::ranges::count(may_[a], true)); }
  std::size_t least_degree() const {
    std::size_t least = places();
    for (std::size_t a = 0; a < places(); ++a) least = std::min(least, degree(a));
    return least;
  }

 private:
  std::vector<std::vector<bool>> may_;
  std::size_t kept_;  // a place whose meetings are not used up
};

// Finds rounds that follow one another without a rematch, by trying out.
class RoundSearch {
 public:
  explicit RoundSearch(std::size_t places) : steps_(kSearchWork / static_cast<std::int64_t>(places * places)) {}

  // The rounds; nullopt: there are none, or none were found within half of the steps that are left.
  std::optional<std::vector<Partners>> find(Graph graph, int rounds) {
    const std::int64_t kept = steps_ / 2;
    steps_ -= kept;
    found_.clear();
    const bool found = go_on(graph, rounds);
    gave_up_ = !found && steps_ < 0;
    steps_ = std::max<std::int64_t>(steps_, 0) + kept;
    if (!found) return std::nullopt;
    return found_;
  }

  bool gave_up() const { return gave_up_; }  // the last time

 private:
  bool go_on(Graph& graph, int rounds) {
    if (rounds == 0) return true;
    if (graph.least_degree() < static_cast<std::size_t>(rounds)) return false;
    Partners open(graph.places(), graph.places());
    return pair(graph, open, rounds);
  }

  bool pair(Graph& graph, Partners& partners, int rounds) {
    if (--steps_ < 0) return false;
    const std::size_t open = partners.size();
    std::optional<std::size_t> next;  // who has the fewest left to meet
    std::vector<std::size_t> choices;
    const auto look_at = [&](std::size_t a, std::size_t from) {
      std::vector<std::size_t> free;
      for (std::size_t b = from; b < open; ++b) {
        if (partners[b] == open && graph.may(a, b)) free.push_back(b);
      }
      if (next && free.size() >= choices.size()) return;
      next = a;
      choices = std::move(free);
    };
    if (partners[0] == open) {
      look_at(0, found_.empty() ? 0 : found_.back()[0]);  // the order of rounds does not matter: one of all is tried
    } else {
      for (std::size_t a = 1; a < open; ++a) {
        if (partners[a] == open) look_at(a, 0);
      }
      // Who can spare a meeting the best comes first.
      std::ranges::sort(choices, {}, [&](std::size_t b) { return std::pair(graph.places() - graph.degree(b), b); });
    }
    if (!next) {
      graph.set(partners, false);
      found_.push_back(partners);
      if (go_on(graph, rounds - 1)) return true;
      found_.pop_back();
      graph.set(partners, true);
      return false;
    }
    for (const std::size_t b : choices) {
      partners[*next] = b;
      partners[b] = *next;
      if (pair(graph, partners, rounds)) return true;
      partners[*next] = partners[b] = open;
      if (steps_ < 0) return false;
    }
    return false;
  }

  std::int64_t steps_;
  bool gave_up_ = false;
  std::vector<Partners> found_;
};

// The pairings of a graph from the cheapest on, each once (Murty 1968).
class CheapestFirst {
 public:
  CheapestFirst(const PairingProblem& problem, const Graph& graph) : problem_(problem), graph_(graph) { add({}); }

  // nullopt: there is no further one, or too many were asked for.
  std::optional<Partners> next() {
    if (parts_.empty() || work_ < 0) return std::nullopt;
    const Part part = std::move(parts_.extract(parts_.begin()).mapped());
    std::vector<Edge> forced = part.limits.forced;
    for (const Edge& edge : free_edges(part)) {
      Limits limits{.forced = forced, .forbidden = part.limits.forbidden};
      limits.forbidden.push_back(edge);
      add(std::move(limits));
      forced.push_back(edge);
    }
    return part.best;
  }

  WideCost cost_of(const Partners& partners) const {
    WideCost sum = 0;
    for (std::size_t a = 0; a < partners.size(); ++a) {
      if (a < partners[a]) sum += problem_.cost[a * partners.size() + partners[a]];
    }
    return sum;
  }

 private:
  struct Limits {
    std::vector<Edge> forced, forbidden;
  };
  // All pairings within limits, by the cheapest of them.
  struct Part {
    Limits limits;
    Partners best;
  };

  std::vector<Edge> free_edges(const Part& part) const {
    std::vector<Edge> edges;
    for (std::size_t a = 0; a < part.best.size(); ++a) {
      const Edge edge{a, part.best[a]};
      if (edge.first < edge.second && std::ranges::find(part.limits.forced, edge) == part.limits.forced.end()) {
        edges.push_back(edge);
      }
    }
    return edges;
  }

  void add(Limits limits) {
    const std::size_t n = problem_.places;
    work_ -= static_cast<std::int64_t>(n * n * n);
    std::vector<bool> closed(n * n);
    const auto close = [&](std::size_t a, std::size_t b) { closed[a * n + b] = closed[b * n + a] = true; };
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        if (!graph_.may(a, b)) close(a, b);
      }
    }
    for (const Edge& edge : limits.forced) {
      for (std::size_t other = 0; other < n; ++other) {
        if (other != edge.second) close(edge.first, other);
        if (other != edge.first) close(edge.second, other);
      }
    }
    for (const Edge& edge : limits.forbidden) close(edge.first, edge.second);
    std::vector<WideCost> cost = problem_.cost;
    for (std::size_t i = 0; i < cost.size(); ++i) {
      if (closed[i]) cost[i] = floodgate::kMostWideCost;
    }
    Partners best = floodgate::min_wide_cost_matching(cost, n);
    for (std::size_t a = 0; a < n; ++a) {
      if (closed[a * n + best[a]]) return;  // there is none within the limits
    }
    const WideCost sum = cost_of(best);
    parts_.emplace(sum, Part{.limits = std::move(limits), .best = std::move(best)});
  }

  const PairingProblem& problem_;
  const Graph& graph_;
  std::int64_t work_ = kMatchingWork;
  std::multimap<WideCost, Part> parts_;
};

// Whether `rounds` rounds can follow this one.
bool lasts(const Graph& graph, const Partners& partners, int rounds, RoundSearch& search) {
  if (!graph.holds(partners)) return false;
  Graph after = graph;
  after.set(partners, false);
  // Each round takes one meeting from everybody. Who may meet half of all the others can be paired (Dirac 1952).
  const std::size_t least = after.least_degree(), needed = static_cast<std::size_t>(rounds) - 1;
  if (least >= needed && least - needed >= graph.places() / 2) return true;
  return search.find(std::move(after), rounds).has_value();
}

// `witness`: rounds that can follow one another. Each of them may be the first.
Partners cheapest_that_lasts(const PairingProblem& problem, const Graph& graph, int rounds,
                             const std::vector<Partners>& witness, RoundSearch& search) {
  CheapestFirst pairings(problem, graph);
  while (const auto partners = pairings.next()) {
    if (lasts(graph, *partners, rounds, search)) return *partners;
  }
  return std::ranges::min(witness, {}, [&](const Partners& one) { return pairings.cost_of(one); });
}

}  // namespace

Partners pair_for_rounds_ahead(const PairingProblem& problem, int ahead) {
  Partners best = floodgate::min_wide_cost_matching(problem.cost, problem.places);
  std::vector<Graph> graphs{Graph(problem, false)};
  if (problem.bye) graphs.emplace_back(problem, true);
  if (!graphs.back().holds(best)) return best;
  RoundSearch search(problem.places);
  for (int rounds = ahead; rounds > 0; --rounds) {
    for (const Graph& graph : graphs) {
      if (lasts(graph, best, rounds, search)) return best;
      if (const auto witness = search.find(graph, rounds + 1)) {
        return cheapest_that_lasts(problem, graph, rounds, *witness, search);
      }
    }
  }
  return best;
}

std::optional<bool> can_pair(const PairingProblem& problem, int rounds) {
  RoundSearch search(problem.places);
  bool gave_up = false;
  for (const bool second_byes : {false, true}) {
    if (second_byes && !problem.bye) break;
    const Graph graph(problem, second_byes);
    const std::size_t least = graph.least_degree(), more = static_cast<std::size_t>(rounds) - 1;
    if (least >= more && least - more >= graph.places() / 2) return true;  // Dirac, as above
    if (search.find(graph, rounds)) return true;
    gave_up |= search.gave_up();
  }
  return gave_up ? std::nullopt : std::optional(false);
}

}  // namespace fuhyo::core::tournament
