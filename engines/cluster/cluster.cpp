#include "engines/cluster/cluster.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

#include "engines/members/own_checks.h"
#include "engines/record/counted.h"

namespace fuhyo::cluster {
namespace {

constexpr std::int64_t kStopPatienceMs = 500;

}  // namespace

Cluster::Cluster(const Modes& modes, const std::vector<Node>& nodes)
    : modes_(modes), exchange_(modes.exchange_bytes, modes.lockstep > 0), targets_(1) {
  for (const bool leads : {true, false}) {
    for (const Node& node : nodes) {
      if ((node.role == Role::root) == leads) posts_.push_back({.member = node.member, .role = node.role});
    }
  }
  for (const Post& post : posts_) exchange_nodes_.push_back({.member = post.member});
}

Cluster::Target Cluster::target_of(usi::Game game, std::int64_t search, shogi::Move move) const {
  std::string text = usi::position_text(game.start, game.moves);
  const std::size_t position = std::hash<std::string>()(text);
  return {.game = std::move(game), .text = std::move(text), .position = position, .move = move, .search = search};
}

// ---- a move ----

void Cluster::begin(Request request, std::int64_t now, std::int64_t clock_began) {
  request_ = std::move(request);
  outcome_.reset();
  notes_.clear();
  stopped_ = false;
  patience_ends_ = usi::kForever;
  begun_ = now;
  lister_ = nullptr;
  schedule_ = {};
  pondering_ = request_.pondering;
  targets_ = {target_of(request_.game, ++last_search_)};
  if (!pondering_) return begin_own_turn(now, clock_began);
  clock_began_ = now;
  rest(now);
  forget_mates();
  // Stochastic_Ponder ponders the position before the reply, and without an end.
  const bool expects_reply = !request_.game.moves.empty() && !request_.limits.infinite;
  if (modes_.ponder_replies > 1 && expects_reply) begin_list(now);
  look(now);
}

void Cluster::ponderhit(std::int64_t now, std::int64_t clock_began) {
  if (!pondering_ || outcome_) return;
  pondering_ = false;
  begin_own_turn(now, clock_began);
}

void Cluster::stop(std::int64_t now) {
  if (stopped_ || outcome_) return;
  stopped_ = true;
  if (pondering_) return conclude_from_lines(now, true);
  patience_ends_ = now + kStopPatienceMs;
  look(now);
}

void Cluster::rest(std::int64_t now) {
  for (Post& post : posts_) release(post, now);
}

void Cluster::begin_own_turn(std::int64_t now, std::int64_t clock_began) {
  clock_began_ = clock_began;
  lister_ = nullptr;
  targets_.resize(1);
  const std::int64_t pondered_ms = keep_what_was_pondered(now);
  forget_mates();
  schedule_ = members::Schedule::make(request_.plan, 0, pondered_ms);
  if (decide_without_asking(now)) return;
  const bool long_enough = schedule_.limited() && schedule_.end_ms >= 10 * modes_.list_ms;
  if (modes_.split && long_enough && request_.lines == 1 && !request_.analysis) begin_list(now);
  look(now);
}

// How long. All other nodes stop.
std::int64_t Cluster::keep_what_was_pondered(std::int64_t now) {
  const bool keeps = request_.plan.limited() && request_.limits.searchmoves.empty();
  std::int64_t longest = 0;
  std::size_t rank = 0;
  int nodes = 0;
  for (Post& post : posts_) {
    const bool kept = keeps && post.task != Task::list && post.working() && post.endless && is_on(post, root());
    if (!kept) {
      release(post, now);
    } else if (post.task == Task::search) {
      root().search = post.target.search;
      rank = post.target.rank;
      longest = std::max(longest, now - post.begun);
      ++nodes;
    }
  }
  if (nodes > 0) {
    notes_.push_back(fmt::format("{} had pondered this reply, candidate {}", record::counted(nodes, "node"), rank));
  }
  return longest;
}

bool Cluster::decide_without_asking(std::int64_t now) {
  if (request_.analysis) return false;
  if (request_.moves.size() == 1) {
    finish({.move = request_.moves.front(), .reason = Reason::only}, now);
    return true;
  }
  const auto found = mates_.find(root().position);
  if (found != mates_.end() && wins(found->second)) {
    finish({.move = found->second.front(), .reason = Reason::mate}, now);
    return true;
  }
  const shogi::Move mate = members::short_mate(request_.game, request_.max_moves);
  if (!mate || !playable(mate)) return false;
  finish({.move = mate, .reason = Reason::mate}, now);
  return true;
}

void Cluster::look(std::int64_t now) {
  if (outcome_) return;
  notice_deaths();
  if (exchanges()) exchange_.pass_on(exchange_nodes(), now);
  look_for_mates(now);
  if (outcome_) return;
  look_at_list(now);
  keep_root_searched(now);
  if (may_begin(now)) give_work(now);
  if (!pondering_) look_for_end(now);
}

// Of other positions.
void Cluster::forget_mates() {
  std::erase_if(mates_asked_, [&](std::size_t position) { return position != root().position; });
  std::erase_if(mates_, [&](const auto& found) { return found.first != root().position; });
}

// ---- giving out work ----

usi::GoLimits Cluster::limits_of(const Target& target) const {
  const bool of_request = !pondering_ && target.position == root().position;
  usi::GoLimits limits = {.infinite = true};
  if (!of_request) return limits;
  limits.searchmoves = request_.limits.searchmoves;
  const bool bounded = request_.limits.nodes || request_.limits.depth;
  if (request_.plan.limited() || request_.limits.infinite || !bounded) return limits;
  limits.infinite = false;
  limits.nodes = request_.limits.nodes;
  limits.depth = request_.limits.depth;
  return limits;
}

void Cluster::assign(Post& post, const Target& target, Task task, std::int64_t now) {
  const usi::GoLimits limits = task == Task::mate ? usi::GoLimits{.mate_ms = usi::kForever} : limits_of(target);
  post.task = task;
  post.target = target;
  post.claim = {};
  post.begun = now;
  post.endless = limits.infinite || task == Task::mate;
  const bool in_position = is_on(post, root());
  members::Terms terms;
  if (task == Task::search)
    terms = {
        .lines = in_position ? request_.lines : 1, .search = exchanges() ? target.search : 0, .slice = modes_.lockstep};
  post.member->ask(target.text, limits, now, terms);
}

void Cluster::release(Post& post, std::int64_t now) {
  if (post.task == Task::mate) mates_asked_.erase(post.target.position);
  if (post.task != Task::none) post.member->abandon(now);
  post.task = Task::none;
}

// Half of the time is enough to have something to say.
bool Cluster::may_begin(std::int64_t now) const {
  return !stopped_ && (pondering_ || !schedule_.limited() || now < at(schedule_.first_ms / 2));
}

void Cluster::give_work(std::int64_t now) {
  for (Post& post : posts_) {
    if (post.free() && post.role != Role::mate) assign(post, root(), Task::search, now);
  }
  give_mates(now);
}

// Each position once, that of the request first.
void Cluster::give_mates(std::int64_t now) {
  for (Post& post : posts_) {
    if (!post.free() || post.role != Role::mate || !post.knows_mates) continue;
    const auto asked = [&](const Target& target) { return mates_asked_.contains(target.position); };
    const auto next = std::ranges::find_if_not(targets_, asked);
    if (next == targets_.end()) return;
    mates_asked_.insert(next->position);
    assign(post, *next, Task::mate, now);
  }
}

// If all who searched it are gone, another one does, whatever it has searched.
void Cluster::keep_root_searched(std::int64_t now) {
  if (stopped_ || std::ranges::any_of(posts_, [&](const Post& post) { return is_voter(post); })) return;
  const auto searches = [](const Post& post) { return post.role != Role::mate && (post.free() || post.working()); };
  const auto next = std::ranges::find_if(posts_, searches);
  if (next == posts_.end() || &*next == lister_) return;
  assign(*next, root(), Task::search, now);
}

std::size_t Cluster::searchers() const {
  return static_cast<std::size_t>(std::ranges::count_if(posts_, [](const Post& post) {
    return post.role != Role::mate && post.member->state() == members::Member::State::ready;
  }));
}

void Cluster::notice_deaths() {
  for (Post& post : posts_) {
    if (post.task == Task::none || post.member->asked()) continue;
    if (post.task == Task::mate) mates_asked_.erase(post.target.position);
    post.task = Task::none;
  }
}

const std::vector<Exchange::Node>& Cluster::exchange_nodes() {
  auto node = exchange_nodes_.begin();
  for (const Post& post : posts_) (node++)->search = post.task == Task::search ? post.target.search : 0;
  return exchange_nodes_;
}

// ---- what is known ----

bool Cluster::playable(shogi::Move move) const {
  return std::ranges::find(request_.moves, move) != request_.moves.end();
}

std::int64_t Cluster::nodes() const {
  std::int64_t sum = 0;
  for (const Post& post : posts_) {
    if (post.task == Task::search) sum += post.member->nodes();
  }
  return sum;
}

std::vector<usi::Info> Cluster::lines(std::int64_t now) const {
  std::vector<usi::Info> lines;
  const auto speaks = [&](const Post& post) { return is_voter(post) && !post.member->lines().empty(); };
  const auto first = std::ranges::find_if(posts_, speaks);
  if (first == posts_.end()) return lines;
  for (const usi::Info& said : first->member->lines()) {
    if (lines.size() == static_cast<std::size_t>(request_.lines)) break;
    usi::Info& info = lines.emplace_back(said);
    info.text.clear();
    info.time_ms = now - begun_;
    info.nodes = nodes();
    info.nps = *info.nodes * 1'000 / std::max<std::int64_t>(*info.time_ms, 1);
  }
  return lines;
}

}  // namespace fuhyo::cluster
