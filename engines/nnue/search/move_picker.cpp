#include "engines/nnue/search/move_picker.h"

#include <utility>

#include "engines/nnue/search/parameters.h"
#include "engines/shogi/exchange.h"

namespace fuhyo::nnue {
namespace {

using shogi::GenKind;

// Puts an evasion that captures before every other one.
constexpr std::int32_t kCaptureFirst = 1 << 28;
constexpr std::int32_t kCheckBonus = 16'000;
// Quiet moves scored below this times the depth stay unsorted: they are hardly reached.
constexpr std::int32_t kSortSlope = 3'400;

int victim_value(const shogi::Position& position, shogi::Move move) {
  const shogi::Piece victim = position.piece_on(move.to());
  const int value = victim == shogi::NO_PIECE ? 0 : kPieceValues[shogi::type_of(victim)];
  if (!move.is_promotion()) return value;
  const shogi::PieceType type = shogi::type_of(position.piece_on(move.from()));
  return value + kPieceValues[shogi::promoted(type)] - kPieceValues[type];
}

}  // namespace

MovePicker::MovePicker(const OrderingContext& context, const shogi::CheckInfo& checks, shogi::Move from_table,
                       int depth, Purpose purpose, int threshold)
    : context_(context),
      checks_(checks),
      from_table_(from_table),
      depth_(depth),
      purpose_(purpose),
      stage_(from_table ? Stage::from_table : Stage::start),
      threshold_(threshold),
      current_(moves_),
      end_(moves_),
      bad_(moves_),
      bad_end_(moves_),
      bad_quiets_(moves_) {}

MovePicker::MovePicker(const OrderingContext& context, const shogi::CheckInfo& checks, shogi::Move from_table,
                       int depth)
    : MovePicker(context, checks, from_table, depth, Purpose::main, 0) {}

MovePicker MovePicker::for_quiescence(const OrderingContext& context, const shogi::CheckInfo& checks,
                                      shogi::Move from_table) {
  const shogi::Position& position = context.position;
  const bool fits = from_table && (position.in_check() || is_tactical(position, from_table));
  return MovePicker(context, checks, fits ? from_table : shogi::Move{}, 0, Purpose::quiescence, 0);
}

MovePicker MovePicker::for_probcut(const OrderingContext& context, const shogi::CheckInfo& checks,
                                   shogi::Move from_table, int threshold) {
  const shogi::Position& position = context.position;
  const bool fits = from_table && is_tactical(position, from_table) &&
                    shogi::exchange_reaches(position, from_table, threshold, kPieceValues);
  return MovePicker(context, checks, fits ? from_table : shogi::Move{}, 0, Purpose::probcut, threshold);
}

template <GenKind Kind>
void MovePicker::generate() {
  const shogi::MoveList<Kind> list(context_.position);
  current_ = end_;
  for (const shogi::Move move : list) {
    if (move != from_table_) (end_++)->move = move;
  }
}

void MovePicker::score_captures() {
  const shogi::Position& position = context_.position;
  for (ScoredMove* m = current_; m != end_; ++m) {
    m->score = 7 * victim_value(position, m->move);
    const shogi::Piece victim = position.piece_on(m->move.to());
    if (use::capture_history) {
      m->score +=
          context_.history
              .capture[moved_piece(position, m->move)][static_cast<std::size_t>(m->move.to())][shogi::type_of(victim)];
    }
  }
}

void MovePicker::score_quiets() {
  const shogi::Position& position = context_.position;
  const auto& main = context_.history.main[position.side_to_move()];
  const auto& pawn = context_.history.pawn[context_.pawns % History::kPawnSlots];
  const auto& before = context_.continuations;
  const bool low_ply = use::low_ply_history && context_.ply < History::kLowPlies;
  for (ScoredMove* m = current_; m != end_; ++m) {
    const shogi::Move move = m->move;
    const shogi::Piece piece = moved_piece(position, move);
    const auto to = static_cast<std::size_t>(move.to());
    const std::size_t shape = move_shape(move);
    std::int32_t score = 2 * main[shape];
    if (use::pawn_history) score += 2 * pawn[piece][to];
    if (use::continuation_history) {
      score += (*before[0])[piece][to] + (*before[1])[piece][to] + (*before[2])[piece][to] + (*before[3])[piece][to] +
               (*before[5])[piece][to];
    }
    const shogi::PieceType type = shogi::type_of(piece);
    if (checks_.squares(type).test(move.to()) && shogi::exchange_reaches(position, move, -75, kPieceValues)) {
      score += kCheckBonus;
    }
    if (low_ply) {
      score += 8 * context_.history.low_ply[static_cast<std::size_t>(context_.ply)][shape] / (1 + context_.ply);
    }
    m->score = score;
  }
}

void MovePicker::score_evasions() {
  const shogi::Position& position = context_.position;
  const auto& main = context_.history.main[position.side_to_move()];
  for (ScoredMove* m = current_; m != end_; ++m) {
    const shogi::Move move = m->move;
    const shogi::Piece piece = moved_piece(position, move);
    if (!move.is_drop() && position.piece_on(move.to()) != shogi::NO_PIECE) {
      m->score = kCaptureFirst + victim_value(position, move) - shogi::type_of(piece);
    } else {
      m->score = main[move_shape(move)] + (*context_.continuations[0])[piece][static_cast<std::size_t>(move.to())];
    }
  }
}

// Insertion sort of everything scored at least `limit`, which comes to the front in descending order.
void MovePicker::sort(std::int32_t limit) {
  ScoredMove* sorted = current_;
  for (ScoredMove* m = current_ + 1; m < end_; ++m) {
    if (m->score < limit) continue;
    const ScoredMove moved = *m;
    *m = *++sorted;
    ScoredMove* place = sorted;
    for (; place != current_ && (place - 1)->score < moved.score; --place) *place = *(place - 1);
    *place = moved;
  }
}

// The best of what is left, to be handed out.
ScoredMove* MovePicker::best() {
  ScoredMove* found = current_;
  for (ScoredMove* m = current_ + 1; m < end_; ++m) {
    if (m->score > found->score) found = m;
  }
  std::swap(*current_, *found);
  return current_++;
}

shogi::Move MovePicker::next_of_start() {
  if (context_.position.in_check()) {
    generate<GenKind::SEARCH>();
    score_evasions();
    stage_ = Stage::evasions;
    return next();
  }
  generate<GenKind::CAPTURES>();
  score_captures();
  stage_ = purpose_ == Purpose::main         ? Stage::good_captures
           : purpose_ == Purpose::quiescence ? Stage::captures
                                             : Stage::winning;
  return next();
}

shogi::Move MovePicker::next() {
  const shogi::Position& position = context_.position;
  switch (stage_) {
    case Stage::from_table:
      stage_ = Stage::start;
      return from_table_;
    case Stage::start:
      return next_of_start();
    case Stage::evasions:
    case Stage::captures:
      return current_ < end_ ? best()->move : shogi::Move{};
    case Stage::winning:
      while (current_ < end_) {
        const shogi::Move move = best()->move;
        if (shogi::exchange_reaches(position, move, threshold_, kPieceValues)) return move;
      }
      return {};
    case Stage::good_captures:
      while (current_ < end_) {
        const ScoredMove m = *best();
        if (shogi::exchange_reaches(position, m.move, -m.score / 18, kPieceValues)) return m.move;
        *bad_end_++ = m;  // overwrites what has been handed out
      }
      stage_ = Stage::start_quiets;
      [[fallthrough]];
    case Stage::start_quiets:
      if (!skip_quiets_) {
        generate<GenKind::QUIETS>();
        score_quiets();
        sort(-kSortSlope * depth_);
      }
      stage_ = Stage::good_quiets;
      [[fallthrough]];
    case Stage::good_quiets:
      if (!skip_quiets_ && current_ < end_ && current_->score > parameter::good_quiet) return (current_++)->move;
      bad_quiets_ = current_;
      stage_ = Stage::bad_captures;
      [[fallthrough]];
    case Stage::bad_captures:
      if (bad_ < bad_end_) return (bad_++)->move;
      current_ = bad_quiets_;
      stage_ = Stage::bad_quiets;
      [[fallthrough]];
    case Stage::bad_quiets:
      if (!skip_quiets_ && current_ < end_) return (current_++)->move;
      stage_ = Stage::done;
      [[fallthrough]];
    case Stage::done:
      break;
  }
  return {};
}

}  // namespace fuhyo::nnue
