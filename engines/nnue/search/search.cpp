// The main search of a worker: a node step by step, from what is known before any move to what is kept at the end.
#include <algorithm>

#include "engines/mate/mate_in_few.h"
#include "engines/mate/mate_in_one.h"
#include "engines/nnue/search/node.h"
#include "engines/nnue/search/parameters.h"
#include "engines/shogi/declaration.h"

namespace fuhyo::nnue {
namespace {

constexpr int kPly = 1'024;  // reductions count in these

}  // namespace

template <Worker::NodeType Type>
int Worker::search(Stack* ss, int alpha, int beta, int depth, bool cut_node, PvLine* line) {
  constexpr bool kPv = Type != NodeType::non_pv;
  if (depth <= 0) return qsearch<kPv>(ss, alpha, beta);
  if (line != nullptr) line->size = 0;
  Node n{.alpha = alpha, .beta = beta, .depth = std::min(depth, kMaxPly - 1), .cut_node = cut_node};
  ss->in_check = position_.in_check();
  ss->move_count = 0;
  ss[1].excluded = {};
  ss[2].cutoffs = 0;
  if (kPv) seldepth_ = std::max(seldepth_, ss->ply + 1);
  if (const auto value = end_before_moves<Type>(ss, n)) return *value;
  if (const auto value = search_moves<Type>(ss, n, line)) return *value;
  return finish_node<Type>(ss, n);
}

// ---- before any move ----

template <Worker::NodeType Type>
std::optional<int> Worker::end_before_moves(Stack* ss, Node& n) {
  if (Type != NodeType::root) {
    if (stopping()) return 0;
    if (const auto value = decided(ss)) return value;
    if (use::mate_distance) {
      n.alpha = std::max(n.alpha, mated_in(ss->ply));
      n.beta = std::min(n.beta, mate_in(ss->ply + 1));
      if (n.alpha >= n.beta) return n.alpha;
    }
  }
  probe<Type>(ss, n);
  if (const auto value = tt_cutoff<Type>(ss, n)) return value;
  if (const auto value = win_at_once<Type>(ss, n)) return value;
  evaluate_node(ss, n);
  return prune_node<Type>(ss, n);
}

template <Worker::NodeType Type>
void Worker::probe(Stack* ss, Node& n) {
  n.key = position_.key();
  n.tt_entry = table_.probe(n.key);
  ss->tt_hit = n.tt_entry.has_value();
  if (n.tt_entry) {
    if (n.tt_entry->move && position_.is_legal(n.tt_entry->move)) n.tt_move = n.tt_entry->move;
    if (n.tt_entry->bound != Bound::none) n.tt_value = value_from_table(n.tt_entry->value, ss->ply);
    n.raw_evaluation = n.tt_entry->evaluation;
  }
  if (Type == NodeType::root) n.tt_move = root_[static_cast<std::size_t>(pv_index_)].move;
  n.tt_capture = n.tt_move && is_tactical(position_, n.tt_move);
  if (!ss->excluded) ss->on_pv = Type != NodeType::non_pv || (n.tt_entry && n.tt_entry->pv);
}

template <Worker::NodeType Type>
std::optional<int> Worker::tt_cutoff(Stack* ss, Node& n) {
  if (Type != NodeType::non_pv || ss->excluded || !n.has_tt_value() || n.tt_entry->depth < n.depth) return std::nullopt;
  const bool high = n.tt_value >= n.beta;
  if (high ? !n.tt_value_at_least(n.beta) : !n.tt_value_below(n.beta)) return std::nullopt;
  if (high && n.tt_move) {
    if (!n.tt_capture) {
      const int bonus = std::min(parameter::bonus_slope * n.depth - parameter::bonus_offset, 1'200);
      update_quiet_histories(ss, n.tt_move, moved_piece(position_, n.tt_move), bonus);
    }
    const Stack& before = ss[-1];
    if (before.move && before.move_count <= 3 && before.undo.captured == shogi::NO_PIECE) {
      update_continuation_histories(ss - 1, before.moved, before.move.to(), -2'000);
    }
  }
  return n.tt_value;
}

// Declaring, or mating with the next move.
template <Worker::NodeType Type>
std::optional<int> Worker::win_at_once(Stack* ss, Node& n) {
  if (Type == NodeType::root || ss->excluded) return std::nullopt;
  const int win = mate_in(ss->ply + 1);
  if (shogi::can_declare(position_, task_->declaration)) return win;
  if (!use::mate_in_one || ss->in_check || ss->tt_hit) return std::nullopt;
  if (const shogi::Move mate = mate::mate_in_one(position_)) {
    store_tt(ss, n, mate, win, n.depth + 6, Bound::exact);
    return win;
  }
  if (!use::mate_in_few || n.depth < parameter::mate_in_few_depth) return std::nullopt;
  int moves = parameter::mate_in_few_moves;
  const shogi::Move mate = mate::mate_in_few(position_, parameter::mate_in_few_plies, moves);
  count_nodes(parameter::mate_in_few_moves - moves);
  if (!mate) return std::nullopt;
  const int mates = mate_in(ss->ply + parameter::mate_in_few_plies);
  store_tt(ss, n, mate, mates, n.depth + 6, Bound::lower);
  return mates;
}

void Worker::evaluate_node(Stack* ss, Node& n) {
  if (ss->in_check) {
    ss->evaluation = ss[-2].evaluation;
    return;
  }
  if (ss->excluded) {
    n.eval = ss->evaluation;
    n.improving = ss->evaluation > ss[-2].evaluation || ss[-2].evaluation == kUnknown;
    return;
  }
  n.correction = correction(ss);
  const bool known = n.raw_evaluation != kUnknown;
  if (!known) n.raw_evaluation = evaluation();
  n.eval = ss->evaluation = corrected(n.raw_evaluation, n.correction);
  if (!n.tt_entry) {
    store_tt(ss, n, {}, 0, TranspositionTable::kNoDepth, Bound::none);
  } else if (use::table_value_as_evaluation && n.has_tt_value()) {
    if (n.tt_value > n.eval ? n.tt_value_at_least(n.eval) : n.tt_value_below(n.eval)) n.eval = n.tt_value;
  }
  n.improving = ss[-2].evaluation == kUnknown || ss->evaluation > ss[-2].evaluation;

  // A quiet move after which the evaluation fell for its opponent was a good one.
  const Stack& before = ss[-1];
  if (use::evaluation_history && before.move && !before.in_check && before.undo.captured == shogi::NO_PIECE &&
      before.evaluation != kUnknown) {
    const int bonus = std::clamp(-4 * (before.evaluation + ss->evaluation), -1'200, 1'200) / 2 + 150;
    history_->main[~position_.side_to_move()][before.move.bits()].add(bonus);
    if (!ss->tt_hit && shogi::type_of(before.moved) != shogi::PAWN) {
      shared_->pawn_entry(ss->keys.pawns, before.moved, before.move.to()).add(bonus);
    }
  }
}

template <Worker::NodeType Type>
std::optional<int> Worker::prune_node(Stack* ss, Node& n) {
  if (ss->in_check || ss->excluded) return std::nullopt;
  if (Type == NodeType::non_pv) {
    if (use::razoring && n.eval < n.alpha - parameter::razor_base - parameter::razor_slope * n.depth * n.depth) {
      return qsearch<false>(ss, n.alpha, n.beta);
    }
    const bool worsening = ss[-1].evaluation != kUnknown && ss->evaluation > -ss[-1].evaluation;
    const int margin = parameter::futility_slope * n.depth -
                       (n.improving ? parameter::futility_slope * parameter::futility_improving / 100 : 0) -
                       (worsening ? parameter::futility_slope / 3 : 0);
    if (use::reverse_futility && !ss->on_pv && n.depth < 14 && n.eval - margin >= n.beta && n.eval >= n.beta &&
        (!n.tt_move || n.tt_capture) && !is_loss(n.beta) && !is_win(n.eval)) {
      return (2 * n.beta + n.eval) / 3;
    }
    if (const auto value = null_move(ss, n)) return value;
  }
  n.improving = n.improving || ss->evaluation >= n.beta + 94;
  if (use::internal_reduction && n.depth >= 6 && !n.tt_move && (Type != NodeType::non_pv || n.cut_node)) --n.depth;
  return Type == NodeType::root ? std::nullopt : probcut(ss, n);
}

// Passing is nearly always worse than moving: a side that holds beta even so is doing well enough.
std::optional<int> Worker::null_move(Stack* ss, Node& n) {
  if (!use::null_move || !n.cut_node || !ss[-1].move || n.eval < n.beta || is_loss(n.beta)) return std::nullopt;
  if (ss->evaluation < n.beta - parameter::null_static_slope * n.depth + parameter::null_static_margin) {
    return std::nullopt;
  }
  const int reduction = parameter::null_base + n.depth / parameter::null_depth_divisor +
                        std::min((n.eval - n.beta) / parameter::null_eval_divisor, 4);
  do_null(ss);
  const int value = -search<NodeType::non_pv>(ss + 1, -n.beta, -n.beta + 1, n.depth - reduction, false, nullptr);
  undo_null(ss);
  if (stop_->load(std::memory_order_relaxed)) return 0;
  if (value < n.beta) return std::nullopt;
  return is_win(value) ? n.beta : value;
}

// A capture that wins enough, confirmed by a shallow search, is taken for a cutoff.
std::optional<int> Worker::probcut(Stack* ss, Node& n) {
  const int bound = n.beta + parameter::probcut_margin - (n.improving ? parameter::probcut_improving : 0);
  if (!use::probcut || n.depth < 3 || is_decided(n.beta) || n.tt_value_below(bound)) return std::nullopt;
  const shogi::CheckInfo checks(position_);
  const OrderingContext context{position_, *history_, *shared_, continuations(ss), ss->keys.pawns, ss->ply};
  MovePicker picker = MovePicker::for_probcut(context, checks, n.tt_move, bound - ss->evaluation);
  while (const shogi::Move move = picker.next()) {
    do_move(ss, move);
    int value = -qsearch<false>(ss + 1, -bound, -bound + 1);
    const int depth = n.depth - 4;
    if (value >= bound && depth > 0) {
      value = -search<NodeType::non_pv>(ss + 1, -bound, -bound + 1, depth, !n.cut_node, nullptr);
    }
    undo_move(ss);
    if (stop_->load(std::memory_order_relaxed)) return 0;
    if (value < bound) continue;
    store_tt(ss, n, move, value, std::max(depth + 1, 0), Bound::lower);
    return is_decided(value) ? value : value - (bound - n.beta);
  }
  return std::nullopt;
}

// ---- the moves ----

namespace {

// All moves at the root: in the order of the picker, but only those that are to be chosen from.
std::vector<shogi::Move> root_order(MovePicker& picker, std::span<const RootMove> candidates) {
  std::vector<shogi::Move> order;
  const auto wanted = [&](shogi::Move move) {
    return std::ranges::find(candidates, move, &RootMove::move) != candidates.end();
  };
  while (const shogi::Move move = picker.next()) {
    if (wanted(move)) order.push_back(move);
  }
  // Those that the picker does not generate because another move is never worse.
  for (const RootMove& root : candidates) {
    if (std::ranges::find(order, root.move) == order.end()) order.push_back(root.move);
  }
  return order;
}

}  // namespace

template <Worker::NodeType Type>
std::optional<int> Worker::search_moves(Stack* ss, Node& n, PvLine* line) {
  constexpr bool kRoot = Type == NodeType::root;
  const int small_bound = n.beta + parameter::small_probcut_margin;
  if (use::small_probcut && !kRoot && n.has_tt_value() && n.tt_entry->bound == Bound::lower &&
      n.tt_entry->depth >= n.depth - 4 && n.tt_value >= small_bound && !is_decided(n.beta) && !is_decided(n.tt_value)) {
    return small_bound;
  }
  const shogi::CheckInfo checks(position_);
  const OrderingContext context{position_, *history_, *shared_, continuations(ss), ss->keys.pawns, ss->ply};
  MovePicker picker(context, checks, n.tt_move);
  std::vector<shogi::Move> order;
  if (kRoot) order = root_order(picker, std::span(root_).subspan(static_cast<std::size_t>(pv_index_)));
  std::size_t next = 0;
  while (true) {
    n.move = kRoot ? (next < order.size() ? order[next++] : shogi::Move{}) : picker.next();
    if (!n.move) return std::nullopt;
    if (n.move == ss->excluded) continue;
    ss->move_count = ++n.move_count;
    n.capture = is_tactical(position_, n.move);
    n.check = checks.gives_check(position_, n.move);
    n.piece = moved_piece(position_, n.move);
    n.new_depth = n.depth - 1;
    n.reduction = basic_reduction(n);
    if (!kRoot && prune_move<Type>(ss, n, picker)) continue;
    if (!kRoot) {
      if (const auto value = extend<Type>(ss, n)) return value;
    }
    PvLine child;
    const std::int64_t nodes_before = nodes();
    const int value = search_move<Type>(ss, n, &child);
    if (stop_->load(std::memory_order_relaxed)) return 0;
    if (kRoot) update_root_move(n, value, child, nodes() - nodes_before);
    if (update_best<Type>(ss, n, value, line, child)) return std::nullopt;
  }
}

// Keeps what a move was worth. True: good enough, the others need not be tried.
template <Worker::NodeType Type>
bool Worker::update_best(Stack* ss, Node& n, int value, PvLine* line, const PvLine& child) {
  if (value > n.best) {
    n.best = value;
    if (value > n.alpha) {
      n.best_move = n.move;
      if (Type == NodeType::pv && line != nullptr) line->set(n.move, child);
      if (value >= n.beta) {
        ss->cutoffs += n.tt_move ? 1 : 2;
        return true;
      }
      // The rest is hardly as good: look less far for it.
      if (n.depth > 2 && n.depth < 14 && !is_decided(value)) n.depth -= 2;
      n.alpha = value;
    }
  }
  if (n.move != n.best_move) (n.capture ? n.captures : n.quiets).add(n.move);
  return false;
}

int Worker::basic_reduction(const Node& n) const {
  const auto log_of = [&](int i) { return logarithms_[static_cast<std::size_t>(std::min(i, 255))]; };
  // 1024 ln(depth) * 1024 ln(number) * scale / 100, in 1/1024 ply.
  const std::int64_t logs = std::int64_t{log_of(n.depth)} * log_of(n.move_count) / kPly;
  const auto scale = static_cast<int>(logs * parameter::reduction_scale / 5'000);
  int reduction = scale + parameter::reduction_base - (n.beta - n.alpha) * parameter::reduction_delta / root_delta_;
  if (!n.improving) reduction += scale * parameter::reduction_not_improving / 1'000;
  return reduction;
}

// Whether the move need not be searched at all. A first move always is.
template <Worker::NodeType Type>
bool Worker::prune_move(Stack* ss, Node& n, MovePicker& picker) {
  if (is_loss(n.best)) return false;
  if (use::late_move_pruning && root_depth_ >= parameter::late_moves_root_depth &&
      n.move_count >= (parameter::late_moves_base + n.depth * n.depth) / (n.improving ? 1 : 2)) {
    picker.skip_quiets();
  }
  int depth = n.new_depth - n.reduction / kPly;  // that it would be searched with
  const auto to = static_cast<std::size_t>(n.move.to());
  if (n.capture || n.check) {
    const int learnt = n.capture ? history_->capture[n.piece][to][victim_type(position_, n.move)] : 0;
    if (use::capture_pruning && !n.check && !ss->in_check && depth < 7) {
      const int hope = ss->evaluation + parameter::capture_futility_base + parameter::capture_futility_slope * depth +
                       kPieceValues[victim_type(position_, n.move)] + learnt / 8;
      if (hope <= n.alpha) return true;
    }
    const int margin = std::max(parameter::capture_exchange_slope * n.depth + learnt / 30, 0);
    return use::exchange_pruning && !shogi::exchange_reaches(position_, n.move, -margin, kPieceValues);
  }
  const int before = (*ss[-1].continuation)[n.piece][to] + (*ss[-2].continuation)[n.piece][to] +
                     shared_->pawn_entry(ss->keys.pawns, n.piece, n.move.to());
  if (use::history_pruning && before < -parameter::quiet_history_limit * n.depth) return true;
  depth += (before + 2 * history_->main[position_.side_to_move()][n.move.bits()]) / 3'400;
  if (use::futility && !ss->in_check && depth < 12) {
    const int hope = ss->evaluation + parameter::quiet_futility_base + parameter::quiet_futility_slope * depth +
                     (n.best_move ? 0 : 80);
    if (hope <= n.alpha) {
      if (n.best <= hope && !is_decided(n.best) && !is_win(hope)) n.best = hope;
      return true;
    }
  }
  depth = std::max(depth, 0);
  return use::exchange_pruning &&
         !shogi::exchange_reaches(position_, n.move, -parameter::quiet_exchange_slope * depth * depth, kPieceValues);
}

// If all other moves are clearly worse than the table's, it is worth a deeper look; if even without it the node is good
// enough, it ends (a value).
template <Worker::NodeType Type>
std::optional<int> Worker::extend(Stack* ss, Node& n) {
  if (!use::singular || ss->excluded || n.move != n.tt_move || n.depth < parameter::singular_depth ||
      !n.has_tt_value() || is_decided(n.tt_value) || n.tt_entry->bound == Bound::upper ||
      n.tt_entry->depth < n.depth - 3 || ss->ply >= 2 * root_depth_) {
    return std::nullopt;
  }
  const int slope = parameter::singular_slope + (ss->on_pv && Type == NodeType::non_pv ? 60 : 0);
  const int bound = n.tt_value - slope * n.depth / 60;
  ss->excluded = n.move;
  const int value = search<NodeType::non_pv>(ss, bound - 1, bound, n.new_depth / 2, n.cut_node, nullptr);
  ss->excluded = {};
  ss->move_count = n.move_count;
  if (stop_->load(std::memory_order_relaxed)) return 0;
  int plies = 0;
  if (value < bound) {
    plies = 1;
    if (use::multi_extension && Type == NodeType::non_pv && !n.tt_capture) {
      plies += value < bound - parameter::double_margin ? 1 : 0;
      plies += value < bound - parameter::triple_margin ? 1 : 0;
    }
    ++n.depth;
  } else if (use::multi_cut && value >= n.beta && !is_decided(value)) {
    return value;
  } else if (use::negative_extension) {
    plies = n.tt_value >= n.beta ? -3 : n.cut_node ? -2 : 0;
  }
  n.new_depth += plies;
  return std::nullopt;
}

template <Worker::NodeType Type>
int Worker::reduction_of(Stack* ss, Node& n) {
  using namespace parameter;
  int r = n.reduction;
  if (ss->on_pv) {
    r -= reduction_pv;
    if (n.has_tt_value() && n.tt_value > n.alpha) r -= reduction_pv_value;
    if (n.tt_entry && n.tt_entry->depth >= n.depth) r -= reduction_pv_depth;
  }
  if (n.cut_node) r += reduction_cut + (n.tt_move ? 0 : kPly);
  if (n.tt_capture) r += reduction_table_capture;
  if (ss[1].cutoffs > 2) r += reduction_cutoffs;
  if (n.move == n.tt_move) r -= reduction_table_move;

  const auto to = static_cast<std::size_t>(n.move.to());
  const shogi::PieceType victim = victim_type(position_, n.move);
  const int learnt = n.capture ? 6 * kPieceValues[victim] + history_->capture[n.piece][to][victim]
                               : 2 * history_->main[position_.side_to_move()][n.move.bits()] +
                                     (*ss[-1].continuation)[n.piece][to] + (*ss[-2].continuation)[n.piece][to];
  return r - (learnt - reduction_history_offset) * reduction_history / 8'192;
}

template <Worker::NodeType Type>
int Worker::search_move(Stack* ss, Node& n, PvLine* child) {
  constexpr bool kPv = Type != NodeType::non_pv;
  const int reduction = reduction_of<Type>(ss, n);
  do_move(ss, n.move);
  int value = n.best;
  bool full_window = kPv && n.move_count == 1;
  if (use::late_move_reduction && n.depth >= 2 && n.move_count > 1) {
    const int depth = std::max(1, std::min(n.new_depth - reduction / kPly, n.new_depth + (kPv ? 2 : 1)));
    value = -search<NodeType::non_pv>(ss + 1, -n.alpha - 1, -n.alpha, depth, true, nullptr);
    if (value > n.alpha && depth < n.new_depth) {
      if (use::deeper_research) {
        if (value > n.best + 40 + 2 * n.new_depth) ++n.new_depth;
        if (value < n.best + 9) --n.new_depth;
      }
      if (n.new_depth > depth) {
        value = -search<NodeType::non_pv>(ss + 1, -n.alpha - 1, -n.alpha, n.new_depth, !n.cut_node, nullptr);
      }
      update_continuation_histories(ss, n.piece, n.move.to(), 1'300);
    }
    full_window = kPv && value > n.alpha;
  } else if (!kPv || n.move_count > 1) {
    const int less = reduction + (n.tt_move ? 0 : kPly);
    const int depth = n.new_depth - (less > 3'400 ? 1 : 0) - (less > 5'400 && n.new_depth > 2 ? 1 : 0);
    value = -search<NodeType::non_pv>(ss + 1, -n.alpha - 1, -n.alpha, depth, !n.cut_node, nullptr);
    full_window = kPv && value > n.alpha;
  }
  if (full_window) {
    value = -search<NodeType::pv>(ss + 1, -n.beta, -n.alpha, n.new_depth, false, child);
  }
  undo_move(ss);
  return value;
}

void Worker::update_root_move(const Node& n, int value, const PvLine& line, std::int64_t spent) {
  RootMove& root = *std::ranges::find(root_, n.move, &RootMove::move);
  root.nodes += spent;
  const std::int64_t square = std::int64_t{value} * std::abs(value);
  root.average = root.average == -kInfinite ? value : (2 * value + root.average) / 3;
  root.mean_square = root.mean_square < 0 ? std::abs(square) : (std::abs(square) + root.mean_square) / 2;
  if (n.move_count != 1 && value <= n.alpha) {
    root.value = -kInfinite;  // a bound only: it keeps its place behind those that have a value
    return;
  }
  root.value = value;
  root.bound = value >= n.beta    ? usi::Score::Bound::lower
               : value <= n.alpha ? usi::Score::Bound::upper
                                  : usi::Score::Bound::exact;
  root.seldepth = seldepth_;
  root.pv.assign(1, n.move);
  root.pv.insert(root.pv.end(), line.moves.begin(), line.moves.begin() + line.size);
  if (n.move_count > 1 && pv_index_ == 0) best_move_changes_ += 1;
}

// ---- after the moves ----

template <Worker::NodeType Type>
int Worker::finish_node(Stack* ss, Node& n) {
  if (n.move_count == 0) return ss->excluded ? n.alpha : mated_in(ss->ply);
  if (n.best >= n.beta && !is_decided(n.best) && !is_decided(n.alpha)) {
    n.best = (n.best * n.depth + n.beta) / (n.depth + 1);
  }
  if (n.best_move) {
    update_all_stats(ss, n);
  } else {
    update_prior_move(ss, n);
    ss->on_pv = ss->on_pv || (ss[-1].on_pv && n.depth > 3);
  }
  if (!ss->excluded && !(Type == NodeType::root && pv_index_ > 0)) {
    const Bound bound = n.best >= n.beta                          ? Bound::lower
                        : Type != NodeType::non_pv && n.best_move ? Bound::exact
                                                                  : Bound::upper;
    store_tt(ss, n, n.best_move, n.best, n.depth, bound);
  }
  if (!ss->excluded) update_correction_histories(ss, n, n.best, n.best_move);
  return n.best;
}

template void Worker::probe<Worker::NodeType::non_pv>(Stack*, Node&);
template int Worker::search<Worker::NodeType::root>(Stack*, int, int, int, bool, PvLine*);
template int Worker::search<Worker::NodeType::pv>(Stack*, int, int, int, bool, PvLine*);
template int Worker::search<Worker::NodeType::non_pv>(Stack*, int, int, int, bool, PvLine*);

}  // namespace fuhyo::nnue
