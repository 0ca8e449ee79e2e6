// Multi ponder and split trees: a short search with MultiPV says which positions are worth nodes of their own.
#include <algorithm>

#include "engines/cluster/cluster.h"
#include "engines/cluster/shares.h"
#include "engines/shogi/movegen.h"

namespace fuhyo::cluster {
namespace {

using members::Value;

constexpr std::int64_t kListPatienceMs = 200;
constexpr int kMostSplit = 8;  // moves

std::vector<Value> values_of(const std::vector<std::pair<shogi::Move, Value>>& moves) {
  std::vector<Value> values;
  for (const auto& [move, value] : moves) values.push_back(value);
  return values;
}

}  // namespace

// The others search the position of the request meanwhile.
void Cluster::begin_list(std::int64_t now) {
  const auto idle = [](const Post& post) { return post.free() && post.role != Role::mate; };
  const auto first = std::ranges::find_if(posts_, idle);
  if (first == posts_.end() || searchers() < 2) return;
  usi::Game game = request_.game;
  if (pondering_) game.moves.pop_back();
  lister_ = &*first;
  lister_->task = Task::list;
  lister_->target = target_of(std::move(game), 0);
  lister_->begun = now;
  lister_->endless = false;
  list_ends_ = now + modes_.list_ms;
  const int lines = pondering_ ? modes_.ponder_replies : kMostSplit;
  lister_->member->ask(lister_->target.game, {.movetime_ms = modes_.list_ms}, now, {.lines = lines});
}

void Cluster::look_at_list(std::int64_t now) {
  if (lister_ == nullptr) return;
  const bool gone = lister_->task != Task::list;
  if (!gone && !lister_->member->answered() && now < list_ends_ + kListPatienceMs) {
    if (now >= list_ends_) lister_->member->hurry(now);
    return;
  }
  const Post lister = *std::exchange(lister_, nullptr);
  if (pondering_) {
    deal_replies(lister.target.game, *lister.member);
  } else {
    deal_moves(*lister.member);
  }
  redistribute(now);
}

// The reply that is expected first, whatever the list says of it.
void Cluster::deal_replies(const usi::Game& before, const members::Member& lister) {
  const shogi::Position position = before.current();
  const shogi::Move expected = request_.game.moves.back();
  auto replies = lister.values();
  std::erase_if(replies, [&](const auto& reply) { return !position.is_legal(reply.first); });
  auto own = std::ranges::find(replies, expected, [](const auto& reply) { return reply.first; });
  if (own == replies.end()) own = replies.insert(own, {expected, replies.empty() ? Value{} : replies.back().second});
  std::rotate(replies.begin(), own, own + 1);
  replies.resize(std::min(replies.size(), static_cast<std::size_t>(modes_.ponder_replies)));
  const std::size_t all = searchers();
  std::vector<std::size_t> counts = allot(softmax(values_of(replies)), all);
  for (std::size_t i = 1; i < replies.size(); ++i) {
    usi::Game game = before;
    game.moves.push_back(replies[i].first);
    if (counts[i] == 0 || shogi::count_legal_moves(game.current()) == 0) continue;
    targets_.push_back(target_of(std::move(game), ++last_search_));
    targets_.back().wanted = counts[i];
    targets_.back().rank = i + 1;
  }
}

void Cluster::deal_moves(const members::Member& lister) {
  auto moves = lister.values();
  std::erase_if(moves, [&](const auto& move) { return !playable(move.first); });
  if (moves.size() < 2) return;
  const std::vector<double> shares = softmax(values_of(moves));
  const std::vector<std::size_t> counts = allot(shares, splitters(shares, searchers()));
  for (std::size_t i = 0; i < moves.size(); ++i) {
    usi::Game game = request_.game;
    game.moves.push_back(moves[i].first);
    if (counts[i] == 0 || shogi::count_legal_moves(game.current()) == 0) continue;
    targets_.push_back(target_of(std::move(game), root().search, moves[i].first));
    targets_.back().wanted = counts[i];
  }
}

// The last nodes to the other positions: the first ones, which lead, stay where they are. One at least does.
void Cluster::redistribute(std::int64_t now) {
  std::size_t left = searchers();
  auto post = posts_.rbegin();
  for (auto target = targets_.begin() + 1; target != targets_.end(); ++target) {
    for (std::size_t i = 0; i < target->wanted && left > 1; ++post) {
      if (post->role == Role::mate || post->member->state() != members::Member::State::ready) continue;
      assign(*post, *target, Task::search, now);
      ++i, --left;
    }
  }
  for (; post != posts_.rend(); ++post) {
    if (post->task == Task::list) assign(*post, root(), Task::search, now);
  }
}

}  // namespace fuhyo::cluster
