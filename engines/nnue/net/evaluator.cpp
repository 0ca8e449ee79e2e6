#include "engines/nnue/net/evaluator.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>

namespace fuhyo::nnue {
namespace {

using shogi::Bitboard;
using shogi::Color;
using shogi::PieceType;
using shogi::Square;

constexpr std::align_val_t kAlignment{64};
constexpr int kSetSize = 38;  // without kings
// With more moves than this since the last computed accumulator, the cached one of the king's square is nearer.
constexpr std::size_t kMostUpdates = 8;
// A list of changes: at most every piece of an odd position away, and every one of another back.
constexpr std::size_t kMostChanges = 512;

int pieces_without_kings(const shogi::Position& position) {
  int count = position.occupied().count() - position.pieces(shogi::KING).count();
  for (const Color side : {shogi::BLACK, shogi::WHITE}) {
    for (int type = shogi::PAWN; type <= shogi::GOLD; ++type) {
      count += position.hand(side).count(static_cast<PieceType>(type));
    }
  }
  return count;
}

int numbered(shogi::Hand hand, PieceType type) { return std::min(hand.count(type), numbered_in_hand(type)); }

}  // namespace

// Rows to add and to take away.
struct Evaluator::Changes {
  std::array<std::uint32_t, kMostChanges> added, removed;
  std::uint32_t added_count = 0, removed_count = 0;

  void add(std::uint32_t input) { added[added_count++] = input; }
  void remove(std::uint32_t input) { removed[removed_count++] = input; }
};

// The board of a cached accumulator, one for each square of the king.
struct Evaluator::Cache {
  std::array<std::array<Bitboard, 16>, 2> pieces{};
  std::array<shogi::Hand, 2> hands{};
  // With attacks: the input of each number plus one, 0 if it is off.
  std::vector<std::uint32_t> inputs;
  std::vector<Number> listed;
  bool filled = false;
};

void Evaluator::Release::operator()(std::int16_t* memory) const { ::operator delete(memory, kAlignment); }

Evaluator::Accumulators Evaluator::allocate(std::size_t values) {
  return Accumulators(static_cast<std::int16_t*>(::operator new(values * sizeof(std::int16_t), kAlignment)));
}

Evaluator::Evaluator(std::shared_ptr<const Network> network, const Kernels& kernels)
    : network_(std::move(network)),
      kernels_(kernels),
      kings_are_inputs_(network_->features().kings != FeatureSet::Kings::none),
      follows_king_(network_->features().by_king),
      accumulators_(allocate(2 * (kMaxPlies + 1) * network_->width())),
      // A place for no king, too.
      caches_(std::size_t{2} * (follows_king_ ? shogi::SQUARE_NB + 1 : 1)),
      cached_accumulators_(allocate(caches_.size() * network_->width())) {
  reset(shogi::Position());
}

Evaluator::~Evaluator() = default;

void Evaluator::reset(const shogi::Position& root) {
  top_ = 0;
  states_[0] = {};
  // A piece that is not there has the number 0, once for each (as in a handicap game).
  const int missing = std::max(0, kSetSize - pieces_without_kings(root));
  if (missing == missing_) return;
  missing_ = missing;
  for (Cache& cache : caches_) cache.filled = false;
}

void Evaluator::push(const shogi::Position& position, shogi::Move move, shogi::Piece captured) {
  if (++top_ > kMaxPlies) std::abort();
  AccumulatorState& state = states_[top_];
  state.computed = {};
  state.needs_refresh = {};
  state.count = 0;
  const Color mover = ~position.side_to_move();
  const Square to = move.to();
  const shogi::Piece piece = position.piece_on(to);
  const PieceType type = shogi::type_of(piece);
  if (move.is_drop()) {
    state.removed[0] = hand_number(mover, type, std::min(position.hand(mover).count(type) + 1, numbered_in_hand(type)));
    state.added[0] = board_number(piece, to);
    state.count = 1;
    return;
  }
  const bool king = type == shogi::KING;
  state.needs_refresh[mover] = king && requires_refresh(mover, move);
  if (!king || kings_are_inputs_) {
    const PieceType before = move.is_promotion() ? shogi::unpromoted(type) : type;
    state.removed[0] = board_number(shogi::make_piece(mover, before), move.from());
    state.added[0] = board_number(piece, to);
    state.count = 1;
  }
  if (captured == shogi::NO_PIECE) return;
  const PieceType kind = shogi::unpromoted(shogi::type_of(captured));
  state.removed[state.count] = board_number(captured, to);
  state.added[state.count] = hand_number(mover, kind, numbered(position.hand(mover), kind));
  ++state.count;
}

// Whether the king's move changes all other inputs of its side.
bool Evaluator::requires_refresh(Color side, shogi::Move move) const {
  const FeatureSet& set = network_->features();
  return set.bucket(side, move.from()) != set.bucket(side, move.to()) ||
         set.view(side, move.from()) != set.view(side, move.to());
}

void Evaluator::push_null() {
  if (++top_ > kMaxPlies) std::abort();
  states_[top_] = {};
}

std::int32_t Evaluator::raw(const shogi::Position& position) {
  compute(position, shogi::BLACK);
  compute(position, shogi::WHITE);
  const Color us = position.side_to_move();
  const LayerStack& stack = network_->stack(us, position.king_square(shogi::BLACK), position.king_square(shogi::WHITE));
  const auto propagate = network_->architecture().pairwise ? kernels_.pairwise : kernels_.classic;
  return propagate(stack, network_->width(), accumulator(top_, us), accumulator(top_, ~us));
}

void Evaluator::compute(const shogi::Position& position, Color side) {
  if (states_[top_].computed[side]) return;
  states_[top_].computed[side] = true;
  // A move changes attacks everywhere: there is no update by one move.
  if (network_->features().attacks) return refresh(position, side);
  // Whether the parent has the same square of the king: the next position is probably another child of it.
  const bool parent = top_ > 0 && !(follows_king_ && states_[top_].needs_refresh[side]);
  for (std::size_t ply = top_, steps = 0; ply > 0 && steps < kMostUpdates; ++steps) {
    if (follows_king_ && states_[ply].needs_refresh[side]) break;
    if (!states_[--ply].computed[side]) continue;
    if (ply + 1 < top_) {
      states_[top_ - 1].computed[side] = true;
      update(position, side, ply, top_ - 1);
    }
    return update(position, side, top_ - 1, top_);
  }
  refresh(position, side);
  if (!parent) return;
  states_[top_ - 1].computed[side] = true;
  update(position, side, top_, top_ - 1);
}

// The most frequent update by far: over one move, up or down the stack.
void Evaluator::update_by_one(const shogi::Position& position, Color side, std::size_t from, std::size_t to) {
  const FeatureSet& set = network_->features();
  const Square king = position.king_square(side);
  const View view = set.view(side, king);
  const std::int16_t* const rows = network_->row(set.bucket(side, king) * set.stride);
  const AccumulatorState& state = states_[std::max(from, to)];
  const std::size_t width = network_->width();
  std::array<const std::int16_t*, 2> added, removed;
  for (std::size_t i = 0; i < state.count; ++i) {
    added[i] = rows + set.row(renumber(view, state.added[i])) * width;
    removed[i] = rows + set.row(renumber(view, state.removed[i])) * width;
  }
  const bool up = from < to;
  kernels_.update(accumulator(from, side), accumulator(to, side), network_->width(), up ? added.data() : removed.data(),
                  state.count, up ? removed.data() : added.data(), state.count);
}

// Computes the accumulator of ply `to` from that of ply `from`, above or below it. Changes that cancel out are dropped.
void Evaluator::update(const shogi::Position& position, Color side, std::size_t from, std::size_t to) {
  if (std::max(from, to) - std::min(from, to) == 1 && network_->features().kings != FeatureSet::Kings::twice) {
    return update_by_one(position, side, from, to);
  }
  std::array<Number, 2 * kMostUpdates> added, removed;
  std::size_t added_count = 0, removed_count = 0;
  const auto note = [](Number number, auto& list, std::size_t& count, auto& opposite, std::size_t& opposite_count) {
    for (std::size_t i = 0; i < opposite_count; ++i) {
      if (opposite[i] == number) {
        opposite[i] = opposite[--opposite_count];
        return;
      }
    }
    list[count++] = number;
  };
  for (std::size_t ply = std::min(from, to) + 1; ply <= std::max(from, to); ++ply) {
    const AccumulatorState& state = states_[ply];
    for (std::size_t i = 0; i < state.count; ++i) {
      note(state.removed[i], removed, removed_count, added, added_count);
      note(state.added[i], added, added_count, removed, removed_count);
    }
  }
  const FeatureSet& set = network_->features();
  const Square king = position.king_square(side);
  const View view = set.view(side, king);
  const std::uint32_t base = set.bucket(side, king) * set.stride;
  std::array<const std::int16_t*, 4 * kMostUpdates> add, sub;
  std::uint32_t add_count = 0, sub_count = 0;
  const auto rows = [&](Number number, auto& list, std::uint32_t& count) {
    const Number seen = renumber(view, number);
    list[count++] = network_->row(base + set.row(seen));
    if (set.kings == FeatureSet::Kings::twice && seen >= kOwnKing) {
      list[count++] = network_->row(FeatureSet::second_row(seen));
    }
  };
  for (std::size_t i = 0; i < added_count; ++i) rows(added[i], add, add_count);
  for (std::size_t i = 0; i < removed_count; ++i) rows(removed[i], sub, sub_count);
  const bool forward = from < to;
  kernels_.update(accumulator(from, side), accumulator(to, side), network_->width(), forward ? add.data() : sub.data(),
                  forward ? add_count : sub_count, forward ? sub.data() : add.data(), forward ? sub_count : add_count);
}

Evaluator::Cache& Evaluator::cache_of(const shogi::Position& position, Color side) {
  const std::size_t places = caches_.size() / 2;
  const std::size_t place = places == 1 ? 0 : static_cast<std::size_t>(position.king_square(side));
  return caches_[side * places + place];
}

// The accumulator of an empty board, with the pieces that are missing at the root.
void Evaluator::clear_cache(Cache& cache, std::int16_t* into, std::uint32_t bucket) const {
  cache = {};
  cache.filled = true;
  if (network_->features().attacks) cache.inputs.resize(kOwnKing);
  const std::vector missing(static_cast<std::size_t>(missing_), network_->row(bucket * network_->features().stride));
  kernels_.update(network_->biases(), into, network_->width(), missing.data(),
                  static_cast<std::uint32_t>(missing.size()), nullptr, 0);
}

void Evaluator::refresh(const shogi::Position& position, Color side) {
  const FeatureSet& set = network_->features();
  Cache& cache = cache_of(position, side);
  std::int16_t* const kept =
      cached_accumulators_.get() + static_cast<std::size_t>(&cache - caches_.data()) * network_->width();
  const Square king = position.king_square(side);
  const std::uint32_t bucket = set.bucket(side, king);
  if (!cache.filled) clear_cache(cache, kept, bucket);
  Changes changes;
  if (set.attacks) {
    collect_attacked(position, side, cache, changes);
  } else {
    collect(position, cache, changes);
  }
  std::array<const std::int16_t*, 2 * kMostChanges> add, sub;
  std::uint32_t add_count = 0, sub_count = 0;
  const View view = set.view(side, king);
  const auto rows = [&](std::uint32_t change, auto& list, std::uint32_t& count) {
    if (set.attacks) {
      list[count++] = network_->row(bucket * set.stride + change);
      return;
    }
    const Number seen = renumber(view, static_cast<Number>(change));
    list[count++] = network_->row(bucket * set.stride + set.row(seen));
    if (set.kings == FeatureSet::Kings::twice && seen >= kOwnKing) {
      list[count++] = network_->row(FeatureSet::second_row(seen));
    }
  };
  for (std::uint32_t i = 0; i < changes.added_count; ++i) rows(changes.added[i], add, add_count);
  for (std::uint32_t i = 0; i < changes.removed_count; ++i) rows(changes.removed[i], sub, sub_count);
  kernels_.update(kept, kept, network_->width(), add.data(), add_count, sub.data(), sub_count);
  std::copy_n(kept, network_->width(), accumulator(top_, side));
}

// The difference between the board and the one that the cache knows, as numbers that Black sees.
void Evaluator::collect(const shogi::Position& position, Cache& cache, Changes& changes) const {
  for (const Color side : {shogi::BLACK, shogi::WHITE}) {
    for (int index = shogi::PAWN; index < shogi::PIECE_TYPE_NB; ++index) {
      const auto type = static_cast<PieceType>(index);
      if (type == shogi::KING && !kings_are_inputs_) continue;
      Bitboard& known = cache.pieces[side][type];
      const Bitboard now = position.pieces(side, type);
      if (now == known) continue;
      const shogi::Piece piece = shogi::make_piece(side, type);
      (now - known).for_each([&](Square square) { changes.add(board_number(piece, square)); });
      (known - now).for_each([&](Square square) { changes.remove(board_number(piece, square)); });
      known = now;
    }
    const shogi::Hand hand = position.hand(side), before = cache.hands[side];
    if (hand == before) continue;
    for (int index = shogi::PAWN; index <= shogi::GOLD; ++index) {
      const auto type = static_cast<PieceType>(index);
      const int now = numbered(hand, type), was = numbered(before, type);
      for (int nth = was + 1; nth <= now; ++nth) changes.add(hand_number(side, type, nth));
      for (int nth = now + 1; nth <= was; ++nth) changes.remove(hand_number(side, type, nth));
    }
    cache.hands[side] = hand;
  }
}

// The same where attacks count: every piece of the position is looked up; changes are inputs of the king's place.
void Evaluator::collect_attacked(const shogi::Position& position, Color side, Cache& cache, Changes& changes) const {
  const FeatureSet& set = network_->features();
  const View view = set.view(side, position.king_square(side));
  std::vector<Number> now;
  std::vector<std::uint32_t> inputs(kOwnKing);
  const auto note = [&](Number number, std::uint32_t offset) {
    const Number seen = renumber(view, number);
    inputs[seen] = offset + set.row(seen) + 1;
    now.push_back(seen);
  };
  const Bitboard occupied = position.occupied();
  (occupied - position.pieces(shogi::KING)).for_each([&](Square square) {
    const int own = std::min(position.attackers(side, square, occupied).count(), 2);
    const int other = std::min(position.attackers(~side, square, occupied).count(), 2);
    note(board_number(position.piece_on(square), square), set.attack_offset(own, other));
  });
  for (const Color owner : {shogi::BLACK, shogi::WHITE}) {
    for (int index = shogi::PAWN; index <= shogi::GOLD; ++index) {
      const auto type = static_cast<PieceType>(index);
      for (int nth = 1; nth <= numbered(position.hand(owner), type); ++nth) note(hand_number(owner, type, nth), 0);
    }
  }
  for (const Number number : cache.listed) {
    if (cache.inputs[number] != inputs[number]) changes.remove(cache.inputs[number] - 1);
  }
  for (const Number number : now) {
    if (cache.inputs[number] != inputs[number]) changes.add(inputs[number] - 1);
  }
  cache.inputs = std::move(inputs);
  cache.listed = std::move(now);
}

}  // namespace fuhyo::nnue
