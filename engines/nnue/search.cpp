#include "engines/nnue/search.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "engines/nnue/evaluate.h"
#include "engines/shogi/declaration.h"
#include "engines/shogi/movegen.h"

namespace fuhyo::nnue {
namespace {

// A repetition that wins or loses by perpetual check. No mate: nothing proves it in a number of plies.
constexpr int kPerpetual = 28'000;
constexpr int kDrawValue = 0;
constexpr int kMaxDepth = 64;
// How often the clock is looked at, in nodes: well below a millisecond's worth.
constexpr std::int64_t kClockInterval = 256;
// The first iteration is always finished, whatever the clock says, so that there is a move to play: it takes a few
// milliseconds. This bounds it where the hands are full of pieces.
constexpr std::int64_t kFirstIterationNodes = 50'000;

bool is_mate(int value) { return std::abs(value) >= kMateInMax; }

int mated_in(int ply) { return -kMate + ply; }

// Mates are stored as seen from the position itself, since it is reached at different depths.
int to_table(int value, int ply) {
  if (value >= kMateInMax) return value + ply;
  return value <= -kMateInMax ? value - ply : value;
}

int from_table(int value, int ply) {
  if (value >= kMateInMax) return value - ply;
  return value <= -kMateInMax ? value + ply : value;
}

bool decides(const TableEntry& entry, int value, int alpha, int beta) {
  if (entry.bound == Bound::exact) return true;
  return entry.bound == Bound::lower ? value >= beta : value <= alpha;
}

// Late quiet moves are searched less deep, the more so the later and the deeper.
int late_move_reduction(int depth, std::size_t index, int history) {
  const double base = std::log(depth) * std::log(static_cast<double>(index)) / 2.0;
  return std::max(0, static_cast<int>(std::lround(base)) - history / 4096);
}

}  // namespace

usi::Score to_usi_score(int value) {
  if (!is_mate(value)) return {.value = value};
  const auto kind = value > 0 ? usi::Score::Kind::win : usi::Score::Kind::lose;
  return {.kind = kind, .value = kMate - std::abs(value)};
}

void Search::Line::set(shogi::Move first, const Line& rest) {
  moves[0] = first;
  size = std::min(rest.size + 1, kMaxPly + 1);
  std::copy_n(rest.moves.begin(), size - 1, moves.begin() + 1);
}

Search::Search(Table& table, Ordering& ordering, const SearchTask& task, const usi::SearchControl& control,
               Report report)
    : table_(table), ordering_(ordering), task_(task), control_(control), report_(std::move(report)) {
  position_ = task.game.start;
  path_.push(position_);
  for (const shogi::Move move : task.game.moves) {
    position_.do_move(move);
    path_.push(position_);
  }
  path_.mark_root();
  us_ = position_.side_to_move();
  root_game_ply_ = position_.ply();
  done_.reserve(kMaxPly + 2);
}

// ---- the root ----

std::vector<shogi::Move> Search::root_moves() const {
  std::vector<shogi::Move> moves;
  const auto& wanted = task_.limits.searchmoves;
  for (const shogi::Move move : shogi::legal_moves(position_)) {
    if (wanted.empty() || std::ranges::find(wanted, move) != wanted.end()) moves.push_back(move);
  }
  return moves;
}

usi::SearchResult Search::run() {
  if (shogi::can_declare(position_)) return {.best = {.kind = usi::BestMove::Kind::win}};
  for (const shogi::Move move : root_moves()) root_.push_back({.move = move});
  if (root_.empty()) return {.best = {.kind = usi::BestMove::Kind::resign}};
  table_.age();
  target_ms_ = task_.plan.optimum_ms();
  deepen();
  usi::BestMove best{.kind = usi::BestMove::Kind::move, .move = root_.front().move};
  if (best_line_.size > 1 && best_line_.moves[0] == best.move) best.ponder = best_line_.moves[1];
  return {.best = best, .nodes = nodes_};
}

void Search::deepen() {
  const int last = std::min(task_.limits.depth.value_or(kMaxDepth), kMaxDepth);
  int value = 0;
  for (iteration_ = 1; iteration_ <= last; ++iteration_) {
    const int found = aspire(iteration_, value);
    if (stopped_) return;
    value = found;
    report(iteration_, value, usi::Score::Bound::exact);
    note_iteration();
    if (iteration_suffices(value)) return;
  }
}

// Searches with a window around the former value, widened until the value lies inside.
int Search::aspire(int depth, int previous) {
  int delta = depth < 5 ? kInfinite : 40;
  int alpha = std::max(previous - delta, -kInfinite), beta = std::min(previous + delta, kInfinite);
  while (true) {
    const int value = search_root(alpha, beta, depth);
    if (stopped_ || (value > alpha && value < beta)) return value;
    if (value <= alpha) alpha = std::max(value - delta, -kInfinite);
    if (value >= beta) beta = std::min(value + delta, kInfinite);
    delta *= 3;
    if (delta > 2000) alpha = -kInfinite, beta = kInfinite;
  }
}

int Search::search_root(int alpha, int beta, int depth) {
  int best = -kInfinite;
  for (std::size_t i = 0; i < root_.size(); ++i) {
    Line line;
    do_move(root_[i].move);
    const int value = search_child(alpha, beta, depth - 1, 1, 0, i == 0, line);
    undo_move();
    if (stopped_) return best;
    root_[i].value = value;
    if (value <= best) continue;
    best = value;
    if (value > alpha || i == 0) {
      best_line_.set(root_[i].move, line);
      // To the front, the others keep their order: also the next iteration begins with it.
      std::rotate(root_.begin(), root_.begin() + static_cast<std::ptrdiff_t>(i),
                  root_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
    alpha = std::max(alpha, value);
    if (value >= beta) break;
  }
  return best;
}

void Search::note_iteration() {
  stable_iterations_ = root_.front().move == previous_best_ ? stable_iterations_ + 1 : 0;
  previous_best_ = root_.front().move;
  // A choice that has just changed deserves more time, one that has stood for long less.
  const std::int64_t percent = stable_iterations_ == 0  ? 150
                               : stable_iterations_ < 3 ? 110
                               : stable_iterations_ < 6 ? 85
                                                        : 65;
  if (task_.plan.limited() && !task_.limits.movetime_ms) target_ms_ = task_.plan.optimum_ms() * percent / 100;
}

bool Search::iteration_suffices(int value) const {
  if (!task_.plan.limited() || task_.limits.movetime_ms || control_.pondering()) return false;
  if (root_.size() == 1 && iteration_ >= 4) return true;
  // A mate that was seen in full needs no deeper look.
  return is_mate(value) && kMate - std::abs(value) <= iteration_;
}

// ---- inside the tree ----

int Search::static_value() const {
  const int value = evaluate(position_);
  if (task_.noise == 0) return value;
  // splitmix64: neighbouring keys give unrelated numbers.
  std::uint64_t mixed = position_.key() + task_.noise_seed + 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  mixed ^= mixed >> 31;
  const auto range = 2 * static_cast<std::uint64_t>(task_.noise) + 1;
  return value + static_cast<int>(mixed % range) - task_.noise;
}

// What is decided without looking at moves: repetition, the move limit, the end of the arrays.
std::optional<int> Search::terminal(int ply) const {
  switch (path_.repetition()) {
    case Repetition::draw:
      return kDrawValue;
    case Repetition::win:
      return kPerpetual - ply;
    case Repetition::loss:
      return -kPerpetual + ply;
    case Repetition::none:
      break;
  }
  if (task_.max_moves > 0 && root_game_ply_ + ply >= task_.max_moves) return kDrawValue;
  if (ply >= kMaxPly) return static_value();
  return std::nullopt;
}

int Search::search(int alpha, int beta, int depth, int ply, bool null_allowed, Line& line) {
  line.size = 0;
  if (depth <= 0) return quiesce(alpha, beta, ply, 0);
  if (out_of_time()) return 0;
  ++nodes_;
  deepest_ = std::max(deepest_, ply);
  if (const auto value = terminal(ply)) return *value;
  alpha = std::max(alpha, mated_in(ply));
  beta = std::min(beta, -mated_in(ply + 1));
  if (alpha >= beta) return alpha;

  const bool open_window = beta - alpha > 1;
  const TableEntry* entry = table_.probe(position_.key());
  const shogi::Move from_memory = entry != nullptr ? entry->move : shogi::Move{};
  if (entry != nullptr && entry->depth >= depth && !open_window) {
    const int value = from_table(entry->value, ply);
    if (decides(*entry, value, alpha, beta)) return value;
  }
  if (shogi::can_declare(position_)) return -mated_in(ply + 1);

  if (!position_.in_check() && !open_window && !is_mate(beta)) {
    const int evaluation = static_value();
    if (depth <= 6 && evaluation - 110 * depth >= beta) return evaluation;
    if (null_allowed && null_move_refutes(beta, depth, ply, evaluation)) return beta;
  }
  if (!from_memory && depth >= 5) --depth;  // without an idea where to begin, a first look is enough

  std::array<ScoredMove, shogi::MAX_LEGAL_MOVES> buffer;
  std::size_t count = 0;
  for (const shogi::Move move : shogi::MoveList<shogi::GenKind::SEARCH>(position_)) buffer[count++].move = move;
  if (count == 0) return mated_in(ply);
  const std::span moves(buffer.data(), count);
  ordering_.score(position_, moves, from_memory, ply);
  return search_moves(moves, alpha, beta, depth, ply, line);
}

int Search::search_moves(std::span<ScoredMove> moves, int alpha, int beta, int depth, int ply, Line& line) {
  const int alpha_before = alpha;
  const bool in_check = position_.in_check();
  const bool open_window = beta - alpha > 1;
  const shogi::Color us = position_.side_to_move();
  const int extension = in_check && ply < 2 * iteration_ ? 1 : 0;
  const auto plies = static_cast<std::size_t>(depth);
  const std::size_t quiet_limit = 8 + 4 * plies * plies;
  std::array<shogi::Move, 64> quiets;
  std::size_t quiet_count = 0;
  int best = -kInfinite;
  shogi::Move best_move;

  for (std::size_t i = 0; i < moves.size(); ++i) {
    const shogi::Move move = Ordering::pick(moves, i).move;
    const bool quiet = !is_tactical(position_, move);
    // Near the leaves, a quiet move this far down the list is hardly ever the one.
    if (quiet && !open_window && !in_check && depth <= 4 && i >= quiet_limit && best > -kMateInMax) continue;
    int reduction = 0;
    if (quiet && !in_check && depth >= 3 && i >= 3) {
      reduction = late_move_reduction(depth, i, ordering_.history(us, move)) - (open_window ? 1 : 0);
    }
    Line child;
    do_move(move);
    if (position_.in_check()) reduction = 0;
    const int value = search_child(alpha, beta, depth - 1 + extension, ply + 1, reduction, i == 0, child);
    undo_move();
    if (stopped_) return 0;
    if (value > best) {
      best = value;
      if (value > alpha) {
        alpha = value;
        best_move = move;
        line.set(move, child);
      }
    }
    if (alpha >= beta) {
      if (quiet) ordering_.reward(us, move, std::span(quiets.data(), quiet_count), depth, ply);
      break;
    }
    if (quiet && quiet_count < quiets.size()) quiets[quiet_count++] = move;
  }
  const Bound bound = best >= beta ? Bound::lower : best > alpha_before ? Bound::exact : Bound::upper;
  table_.store(position_.key(), best_move, to_table(best, ply), depth, bound);
  return best;
}

// The move to the child is made already. First with an empty window, unless it is the first child.
int Search::search_child(int alpha, int beta, int depth, int ply, int reduction, bool first, Line& line) {
  if (first) return -search(-beta, -alpha, depth, ply, true, line);
  reduction = std::clamp(reduction, 0, std::max(depth - 1, 0));
  int value = -search(-alpha - 1, -alpha, depth - reduction, ply, true, line);
  if (value > alpha && reduction > 0) value = -search(-alpha - 1, -alpha, depth, ply, true, line);
  if (value > alpha && value < beta) value = -search(-beta, -alpha, depth, ply, true, line);
  return value;
}

// Passing is nearly always worse than moving: a side that holds beta even so is doing well enough.
bool Search::null_move_refutes(int beta, int depth, int ply, int evaluation) {
  if (depth < 3 || evaluation < beta) return false;
  const shogi::Position::Undo undo = position_.do_null_move();
  path_.push(position_);
  Line ignored;
  const int value = -search(-beta, -beta + 1, depth - 3 - depth / 4, ply + 1, false, ignored);
  path_.pop();
  position_.undo_null_move(undo);
  return !stopped_ && value >= beta;
}

// Captures until the position is quiet; all evasions while in check.
int Search::quiesce(int alpha, int beta, int ply, int depth) {
  if (out_of_time()) return 0;
  ++nodes_;
  deepest_ = std::max(deepest_, ply);
  if (ply >= kMaxPly) return static_value();
  const bool in_check = position_.in_check();
  int best = mated_in(ply);
  if (in_check) {
    if (const auto value = terminal(ply)) return *value;
  }
  // Checks could go on for ever: deep in the quiescence only captures count.
  const bool all_moves = in_check && depth < 6;
  int evaluation = 0;
  if (!all_moves) {
    best = evaluation = static_value();
    if (best >= beta) return best;
    alpha = std::max(alpha, best);
  }
  std::array<ScoredMove, shogi::MAX_LEGAL_MOVES> buffer;
  std::size_t count = 0;
  if (all_moves) {
    for (const shogi::Move move : shogi::MoveList<shogi::GenKind::SEARCH>(position_)) buffer[count++].move = move;
  } else {
    for (const shogi::Move move : shogi::MoveList<shogi::GenKind::CAPTURES>(position_)) buffer[count++].move = move;
  }
  const std::span moves(buffer.data(), count);
  ordering_.score(position_, moves, {}, ply);
  for (std::size_t i = 0; i < count; ++i) {
    const shogi::Move move = Ordering::pick(moves, i).move;
    if (!all_moves) {
      // What it can win at most does not reach alpha.
      const shogi::Piece victim = position_.piece_on(move.to());
      const int gain = victim == shogi::NO_PIECE ? 0 : piece_value(shogi::type_of(victim));
      if (evaluation + 2 * gain + 500 * (move.is_promotion() ? 1 : 0) + 150 <= alpha) continue;
    }
    do_move(move);
    const int value = -quiesce(-beta, -alpha, ply + 1, depth + 1);
    undo_move();
    if (stopped_) return 0;
    best = std::max(best, value);
    alpha = std::max(alpha, value);
    if (alpha >= beta) break;
  }
  return best;
}

void Search::do_move(shogi::Move move) {
  done_.push_back({.move = move, .undo = position_.do_move(move)});
  path_.push(position_);
}

void Search::undo_move() {
  path_.pop();
  position_.undo_move(done_.back().move, done_.back().undo);
  done_.pop_back();
}

// ---- limits ----

bool Search::out_of_time() {
  if (stopped_) return true;
  if (task_.limits.nodes && nodes_ >= *task_.limits.nodes) return stopped_ = true;
  if (nodes_ % kClockInterval != 0) return false;
  if (iteration_ == 1 && nodes_ < kFirstIterationNodes) return false;
  if (control_.stopped()) return stopped_ = true;
  if (!task_.plan.limited() || control_.pondering()) return false;
  const std::int64_t elapsed = control_.clock_ms();
  if (elapsed >= target_ms_ && stop_at_ms_ == usi::kForever) stop_at_ms_ = task_.plan.stop_at_ms(elapsed);
  return stopped_ = elapsed >= std::min(stop_at_ms_, task_.plan.maximum_ms());
}

void Search::report(int depth, int value, usi::Score::Bound bound) {
  const std::int64_t time_ms = control_.elapsed_ms();
  usi::Info info;
  info.depth = depth;
  info.seldepth = std::max(deepest_, depth);
  info.time_ms = time_ms;
  info.nodes = nodes_;
  info.nps = nodes_ * 1000 / std::max<std::int64_t>(time_ms, 1);
  info.hashfull = table_.full_permille();
  info.score = to_usi_score(value);
  info.score->bound = bound;
  info.pv.assign(best_line_.moves.begin(), best_line_.moves.begin() + best_line_.size);
  report_(info);
}

}  // namespace fuhyo::nnue
