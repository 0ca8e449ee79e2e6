#include "engines/nnue/search/worker.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engines/nnue/search/exchanged_entries.h"
#include "engines/nnue/search/node.h"
#include "engines/nnue/search/parameters.h"

namespace fuhyo::nnue {
namespace {

// Entries of the stack before the root: moves look back at the moves before them.
constexpr std::ptrdiff_t kStackBefore = 8;

// Best first; equals keep their order. Nearly sorted already, hence by insertion.
void sort_by_value(std::vector<RootMove>::iterator first, std::vector<RootMove>::iterator last) {
  for (auto i = first; i != last; ++i) {
    const auto place = std::upper_bound(first, i, *i, [](const auto& a, const auto& b) { return a.value > b.value; });
    std::rotate(place, i, i + 1);
  }
}

}  // namespace

void PvLine::set(shogi::Move first, const PvLine& rest) {
  moves[0] = first;
  size = std::min(rest.size + 1, kMaxPly + 1);
  std::copy_n(rest.moves.begin(), size - 1, moves.begin() + 1);
}

Worker::Worker(TranspositionTable& table, SharedHistory& shared, std::shared_ptr<const Network> network,
               const Kernels& kernels)
    : table_(table),
      shared_(&shared),
      evaluator_(std::move(network), kernels),
      history_storage_(1),
      history_(&history_storage_[0]),
      stack_(kStackBefore + kMaxPly + 4) {
  history_->clear();
  for (std::size_t i = 1; i < logarithms_.size(); ++i) {
    logarithms_[i] = static_cast<int>(std::lround(1024 * std::log(static_cast<double>(i))));
  }
}

// ---- the root ----

void Worker::set_up(const SearchTask& task) {
  task_ = &task;
  position_ = task.game.start;
  path_.clear();
  path_.push(position_);
  for (const shogi::Move move : task.game.moves) {
    position_.do_move(move);
    path_.push(position_);
  }
  root_ply_ = position_.ply();
  evaluator_.reset(position_);
  root_.clear();
  for (const shogi::Move move : task.root_moves) root_.emplace_back(move);

  std::ranges::fill(stack_, Stack{});
  for (std::size_t i = 0; i < stack_.size(); ++i) {
    stack_[i].ply = static_cast<int>(i) - static_cast<int>(kStackBefore);
    stack_[i].continuation = &history_->continuation[0][shogi::NO_PIECE][0];
    stack_[i].correction = &history_->correction_continuation[shogi::NO_PIECE][0];
  }
  stack_[kStackBefore].keys = PartKeys::of(position_);
  history_->low_ply.forget();
  root_depth_ = completed_depth_ = seldepth_ = 0;
  nodes_to_check_ = 0;
  best_move_changes_ = 0;
  send_from_ = task.sender != nullptr ? task.send_from.value_or(INT_MAX) : INT_MAX;
  waiting_entries_.clear();
}

void Worker::get_ready() {
  nodes_.store(0, std::memory_order_relaxed);
  waits_.store(false, std::memory_order_relaxed);
}

void Worker::lead(const SearchTask& task, std::atomic<bool>& stop, Manager& manager) {
  stop_ = &stop;
  manager_ = &manager;
  set_up(task);
  deepen();
}

void Worker::help(const SearchTask& task, std::atomic<bool>& stop, std::int64_t most_nodes) {
  stop_ = &stop;
  manager_ = nullptr;
  most_nodes_ = most_nodes;
  set_up(task);
  deepen();
  waits_.store(true, std::memory_order_release);
}

void Worker::deepen() {
  for (root_depth_ = 1; root_depth_ <= task_->depth_limit; ++root_depth_) {
    best_move_changes_ /= 2;
    for (RootMove& move : root_) move.previous = move.value;
    const int lines = std::min(task_->multi_pv, static_cast<int>(root_.size()));
    for (pv_index_ = 0; pv_index_ < lines; ++pv_index_) {
      aspiration_search(pv_index_);
      if (stop_->load(std::memory_order_relaxed)) return;
    }
    completed_depth_ = root_depth_;
    if (task_->sender != nullptr) send_iteration();
    if (manager_ != nullptr && manager_->stop_after_iteration(*this)) return;
  }
  --root_depth_;
}

// One line of MultiPV: a window around the former value, widened until the value lies inside.
void Worker::aspiration_search(int number) {
  const auto first = root_.begin() + number;
  seldepth_ = 0;
  int delta = kInfinite, alpha = -kInfinite, beta = kInfinite;
  if (use::aspiration && root_depth_ >= 4 && first->mean_square >= 0) {
    const auto spread = first->mean_square / parameter::aspiration_squares;
    delta = parameter::aspiration_delta + static_cast<int>(std::min<std::int64_t>(spread, kInfinite));
    alpha = std::max(first->average - delta, -kInfinite);
    beta = std::min(first->average + delta, kInfinite);
  }
  Stack* const root = &stack_[kStackBefore];
  int missed_high = 0;
  while (true) {
    root_delta_ = std::max(beta - alpha, 1);
    const int depth = std::max(1, root_depth_ - 3 * missed_high / 4);
    PvLine line;
    const int value = search<NodeType::root>(root, alpha, beta, depth, false, &line);
    sort_by_value(first, root_.end());
    if (stop_->load(std::memory_order_relaxed)) return;
    if (value <= alpha) {
      if (manager_ != nullptr) manager_->on_pv(*this, number);
      beta = (alpha + beta) / 2;
      alpha = std::max(value - delta, -kInfinite);
      missed_high = 0;
    } else if (value >= beta) {
      if (manager_ != nullptr) manager_->on_pv(*this, number);
      beta = std::min(value + delta, kInfinite);
      ++missed_high;
    } else {
      break;
    }
    delta += delta / 3 + 2;
    if (std::abs(value) > kMaxEvaluation) alpha = -kInfinite, beta = kInfinite;
  }
  sort_by_value(root_.begin(), first + 1);
  if (manager_ != nullptr) manager_->on_pv(*this, number);
}

// ---- moving ----

void Worker::do_move(Stack* ss, shogi::Move move) {
  table_.prefetch(position_.key_after(move));
  const auto to = static_cast<std::size_t>(move.to());
  ss->move = move;
  ss->moved = moved_piece(position_, move);
  const bool captures = !move.is_drop() && position_.piece_on(move.to()) != shogi::NO_PIECE;
  ss->continuation = &history_->continuation[captures ? 1 : 0][ss->moved][to];
  ss->correction = &history_->correction_continuation[ss->moved][to];
  ss->undo = position_.do_move(move);
  ss[1].keys = ss->keys;
  ss[1].keys.update(position_, move, ss->undo.captured);
  shared_->prefetch(position_.side_to_move(), ss[1].keys);
  path_.push(position_);
  evaluator_.push(position_, move, ss->undo.captured);
  count_nodes(1);
}

void Worker::undo_move(Stack* ss) {
  evaluator_.pop();
  path_.pop();
  position_.undo_move(ss->move, ss->undo);
}

void Worker::do_null(Stack* ss) {
  ss->move = {};
  ss->moved = shogi::NO_PIECE;
  ss->continuation = &history_->continuation[0][shogi::NO_PIECE][0];
  ss->correction = &history_->correction_continuation[shogi::NO_PIECE][0];
  ss->undo = position_.do_null_move();
  table_.prefetch(position_.key());
  ss[1].keys = ss->keys;
  path_.push_null(position_);
  evaluator_.push_null();
}

void Worker::undo_null(Stack* ss) {
  evaluator_.pop();
  path_.pop();
  position_.undo_null_move(ss->undo);
}

void Worker::store_tt(const Stack* ss, const Node& n, shogi::Move move, int value, int depth, Bound bound) {
  const TtEntry entry{.move = move,
                      .value = static_cast<std::int16_t>(value_to_table(value, ss->ply)),
                      .evaluation = static_cast<std::int16_t>(n.raw_evaluation),
                      .depth = static_cast<std::int8_t>(std::min(depth, TranspositionTable::kMaxDepth)),
                      .bound = bound,
                      .pv = ss->on_pv};
  table_.store(n.key, entry);
  if (depth >= send_from_) send_entry(ss, n.key, entry);
}

// ---- what other engines are told ----

void Worker::send_entry(const Stack* ss, shogi::Key key, const TtEntry& entry) {
  if (ss->ply == 0 && !task_->send_root) return;
  const auto told = to_exchange(key, entry);
  if (!told) return;
  waiting_entries_.push_back(*told);
  if (waiting_entries_.size() == usi::kMostTableEntries) send_waiting();
}

void Worker::send_waiting() {
  if (!waiting_entries_.empty()) task_->sender->send(std::exchange(waiting_entries_, {}));
}

void Worker::send_iteration() {
  if (!task_->send_from) {
    waiting_entries_ = entries_of_line(position_, root_.front().pv, task_->send_root, table_);
  }
  send_waiting();
}

// ---- what a position is worth by itself ----

int Worker::evaluation() {
  int value = static_cast<int>(evaluator_.raw(position_) / task_->fv_scale);
  if (task_->noise != 0) {
    // splitmix64: neighbouring keys give unrelated numbers.
    std::uint64_t mixed = position_.key() + task_->noise_seed + 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    mixed ^= mixed >> 31;
    const auto range = 2 * static_cast<std::uint64_t>(task_->noise) + 1;
    value += static_cast<int>(mixed % range) - task_->noise;
  }
  return std::clamp(value, -kMaxEvaluation, kMaxEvaluation);
}

std::optional<int> Worker::decided(const Stack* ss) {
  const auto repetition = path_.recurrence(ss->ply);
  if (repetition != shogi::Recurrence::none) {
    switch (repetition) {
      case shogi::Recurrence::draw:
        return draw_value();
      case shogi::Recurrence::superior:
        if (!use::superior_positions) break;
        [[fallthrough]];
      case shogi::Recurrence::win:
        return kRepetitionWin - ss->ply;
      case shogi::Recurrence::inferior:
        if (!use::superior_positions) break;
        [[fallthrough]];
      case shogi::Recurrence::loss:
        return -kRepetitionWin + ss->ply;
      case shogi::Recurrence::none:
        break;
    }
  }
  if (task_->max_moves > 0 && root_ply_ + ss->ply >= task_->max_moves) {
    // Mate with the last move still counts.
    const bool mated = position_.in_check() && shogi::count_legal_moves(position_) == 0;
    return mated ? mated_in(ss->ply) : draw_value();
  }
  if (ss->ply >= kMaxPly) return position_.in_check() ? draw_value() : evaluation();
  return std::nullopt;
}

bool Worker::stopping() {
  if (stop_->load(std::memory_order_relaxed)) return true;
  if (manager_ == nullptr) {
    if (nodes() < most_nodes_) return false;
    waits_.store(true, std::memory_order_release);
    stop_->wait(false, std::memory_order_relaxed);
    return true;
  }
  if (--nodes_to_check_ > 0) return false;
  nodes_to_check_ = manager_->check_time(*this);
  if (nodes_to_check_ > 0) return false;
  stop_->store(true, std::memory_order_relaxed);
  stop_->notify_all();
  return true;
}

}  // namespace fuhyo::nnue
