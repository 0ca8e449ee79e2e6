#include "engines/nnue/search/move_picker.h"

#include <algorithm>

#include "engines/nnue/search/parameters.h"
#include "engines/shogi/checks.h"
#include "engines/shogi/exchange.h"

namespace fuhyo::nnue {
namespace {

using shogi::GenKind;

// Puts an evasion that captures before every other one.
constexpr std::int32_t kCaptureFirst = 1 << 19;
constexpr std::int32_t kCheckBonus = 16'000;

// What the material changes by.
int gain(const shogi::Position& position, shogi::Move move) {
  const int value = kPieceValues[victim_type(position, move)];
  if (!move.is_promotion()) return value;
  const shogi::PieceType type = shogi::type_of(position.piece_on(move.from()));
  return value + kPieceValues[shogi::promoted(type)] - kPieceValues[type];
}

}  // namespace

MovePicker::MovePicker(const OrderingContext& context, const shogi::CheckInfo& checks, shogi::Move tt_move,
                       Purpose purpose, int threshold)
    : context_(context),
      checks_(checks),
      tt_move_(tt_move),
      purpose_(purpose),
      stage_(tt_move ? Stage::tt_move : Stage::start),
      threshold_(threshold) {}

MovePicker::MovePicker(const OrderingContext& context, const shogi::CheckInfo& checks, shogi::Move tt_move)
    : MovePicker(context, checks, tt_move, Purpose::main, 0) {}

MovePicker MovePicker::for_quiescence(const OrderingContext& context, const shogi::CheckInfo& checks,
                                      shogi::Move tt_move, bool with_checks) {
  const shogi::Position& position = context.position;
  const bool fits = tt_move && (position.in_check() || is_tactical(position, tt_move) ||
                                (with_checks && checks.gives_check(position, tt_move)));
  const Purpose purpose = with_checks ? Purpose::quiescence_with_checks : Purpose::quiescence;
  return MovePicker(context, checks, fits ? tt_move : shogi::Move{}, purpose, 0);
}

MovePicker MovePicker::for_probcut(const OrderingContext& context, const shogi::CheckInfo& checks, shogi::Move tt_move,
                                   int threshold) {
  const shogi::Position& position = context.position;
  const bool fits =
      tt_move && is_tactical(position, tt_move) && shogi::exchange_reaches(position, tt_move, threshold, kPieceValues);
  return MovePicker(context, checks, fits ? tt_move : shogi::Move{}, Purpose::probcut, threshold);
}

template <GenKind Kind>
void MovePicker::generate() {
  count_ = static_cast<std::size_t>(shogi::generate<Kind>(context_.position, moves_) - moves_);
}

void MovePicker::score_captures() {
  const shogi::Position& position = context_.position;
  for (std::size_t i = 0; i < count_; ++i) {
    const shogi::Move move = moves_[i];
    std::int32_t score = 7 * gain(position, move);
    if (use::capture_history) {
      score +=
          context_.history
              .capture[moved_piece(position, move)][static_cast<std::size_t>(move.to())][victim_type(position, move)];
    }
    rank(i, score);
  }
  arrange();
}

void MovePicker::score_quiets() {
  const shogi::Position& position = context_.position;
  const auto& main = context_.history.main[position.side_to_move()];
  const auto& pawn = context_.shared.pawn[context_.pawns % SharedHistory::kPawnSlots];
  const auto& before = context_.continuations;
  const bool low_ply = use::low_ply_history && context_.ply < LowPlyHistory::kPlies;
  for (std::size_t i = 0; i < count_; ++i) {
    const shogi::Move move = moves_[i];
    const shogi::Piece piece = moved_piece(position, move);
    const auto to = static_cast<std::size_t>(move.to());
    std::int32_t score = 2 * main[move.bits()];
    if (use::pawn_history) score += 2 * pawn[piece][to];
    if (use::continuation_history) {
      score += (*before[0])[piece][to] + (*before[1])[piece][to] + (*before[2])[piece][to] + (*before[3])[piece][to] +
               (*before[5])[piece][to];
    }
    if (checks_.squares(shogi::type_of(piece)).test(move.to()) &&
        shogi::exchange_reaches(position, move, -75, kPieceValues)) {
      score += kCheckBonus;
    }
    if (low_ply) score += 8 * context_.history.low_ply.at(context_.ply, move) / (1 + context_.ply);
    rank(i, score);
  }
  arrange();
}

void MovePicker::generate_quiet_checks() {
  const shogi::Position& position = context_.position;
  const auto& main = context_.history.main[position.side_to_move()];
  const shogi::Move* const end = shogi::generate_checks(position, moves_);
  count_ = 0;
  for (const shogi::Move* m = moves_; m != end; ++m) {
    if (is_tactical(position, *m) || declines_promotion(position, *m)) continue;
    const auto to = static_cast<std::size_t>(m->to());
    const std::int32_t score = main[m->bits()] + (*context_.continuations[0])[moved_piece(position, *m)][to];
    moves_[count_] = *m;
    rank(count_, score);
    ++count_;
  }
  arrange();
}

void MovePicker::score_evasions() {
  const shogi::Position& position = context_.position;
  const auto& main = context_.history.main[position.side_to_move()];
  for (std::size_t i = 0; i < count_; ++i) {
    const shogi::Move move = moves_[i];
    const shogi::Piece piece = moved_piece(position, move);
    if (!move.is_drop() && position.piece_on(move.to()) != shogi::NO_PIECE) {
      rank(i, kCaptureFirst + gain(position, move) - shogi::type_of(piece));
    } else {
      rank(i, main[move.bits()] + (*context_.continuations[0])[piece][static_cast<std::size_t>(move.to())]);
    }
  }
  arrange();
}

void MovePicker::find_most(std::size_t block) {
  const std::int32_t* const keys = keys_ + block * kBlock;
  std::int32_t most = keys[0];
  for (std::size_t i = 1; i < kBlock; ++i) most = std::max(most, keys[i]);
  most_[block] = most;
}

// After the last rank().
void MovePicker::arrange() {
  blocks_ = (count_ + kBlock - 1) / kBlock;
  std::fill(keys_ + count_, keys_ + blocks_ * kBlock, kTaken);
  for (std::size_t block = 0; block < blocks_; ++block) find_most(block);
}

bool MovePicker::take(std::int32_t limit) {
  while (true) {
    std::int32_t most = kTaken;
    for (std::size_t block = 0; block < blocks_; ++block) most = std::max(most, most_[block]);
    const std::int32_t score = most >> 10;
    if (most == kTaken || score <= limit) return false;
    const std::size_t slot = kSlots - 1 - (static_cast<std::uint32_t>(most) & (kSlots - 1));
    keys_[slot] = kTaken;
    find_most(slot / kBlock);
    taken_ = moves_[slot];
    taken_score_ = score;
    if (taken_ != tt_move_) return true;
  }
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
  stage_ = purpose_ == Purpose::main      ? Stage::good_captures
           : purpose_ == Purpose::probcut ? Stage::winning
                                          : Stage::captures;
  return next();
}

shogi::Move MovePicker::next() {
  const shogi::Position& position = context_.position;
  switch (stage_) {
    case Stage::tt_move:
      stage_ = Stage::start;
      return tt_move_;
    case Stage::start:
      return next_of_start();
    case Stage::captures:
      if (take()) return taken_;
      if (purpose_ != Purpose::quiescence_with_checks) return {};
      generate_quiet_checks();
      stage_ = Stage::checks;
      [[fallthrough]];
    case Stage::checks:
    case Stage::evasions:
      return take() ? taken_ : shogi::Move{};
    case Stage::winning:
      while (take()) {
        if (shogi::exchange_reaches(position, taken_, threshold_, kPieceValues)) return taken_;
      }
      return {};
    case Stage::good_captures:
      while (take()) {
        if (shogi::exchange_reaches(position, taken_, -taken_score_ / 18, kPieceValues)) return taken_;
        losing_[losing_count_++] = taken_;
      }
      stage_ = Stage::start_quiets;
      [[fallthrough]];
    case Stage::start_quiets:
      if (!skip_quiets_) {
        generate<GenKind::QUIETS>();
        score_quiets();
      }
      stage_ = Stage::good_quiets;
      [[fallthrough]];
    case Stage::good_quiets:
      if (!skip_quiets_ && take(parameter::good_quiet)) return taken_;
      stage_ = Stage::bad_captures;
      [[fallthrough]];
    case Stage::bad_captures:
      if (losing_next_ < losing_count_) return losing_[losing_next_++];
      stage_ = Stage::bad_quiets;
      [[fallthrough]];
    case Stage::bad_quiets:
      if (!skip_quiets_ && take()) return taken_;
      stage_ = Stage::done;
      [[fallthrough]];
    case Stage::done:
      break;
  }
  return {};
}

}  // namespace fuhyo::nnue
