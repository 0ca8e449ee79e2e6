// Evaluates the positions of a search with a network, by a stack of accumulators with one entry for each move.
// push() only stores which pieces the move changed. raw() computes the accumulators that it needs (lazy update): from
// the nearest computed entry below, over the moves between; and those of the parent, which its other children need
// next. After a move of the own king (where inputs depend on its square) the update starts from the cached accumulator
// of that square (refresh).
// One thread at a time; the network and the kernels may be shared.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engines/nnue/net/network.h"
#include "engines/shogi/position.h"

namespace fuhyo::nnue {

class Evaluator {
 public:
  // push() and push_null() after reset() that have not been undone; more is a programmer's error and aborts.
  static constexpr std::size_t kMaxPlies = 256;

  Evaluator(std::shared_ptr<const Network> network, const Kernels& kernels);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  // A new root, of any pieces.
  void reset(const shogi::Position& root);
  // After position.do_move(move): `position` as it then is; `captured` is what stood on the target, or NO_PIECE.
  void push(const shogi::Position& position, shogi::Move move, shogi::Piece captured);
  void push_null();
  void pop() { --top_; }

  // The network's output for the side to move of the newest position, which must be `position`.
  std::int32_t raw(const shogi::Position& position);

  const Network& network() const { return *network_; }

 private:
  // The pieces that a move changed, seen from Black.
  struct AccumulatorState {
    std::array<Number, 2> added, removed;
    std::uint8_t count;                           // of each
    std::array<bool, 2> needs_refresh, computed;  // by colour
  };
  struct Changes;
  struct Cache;

  std::int16_t* accumulator(std::size_t ply, shogi::Color side) {
    return accumulators_.get() + (2 * ply + side) * network_->width();
  }
  bool requires_refresh(shogi::Color side, shogi::Move move) const;
  void compute(const shogi::Position& position, shogi::Color side);
  void update(const shogi::Position& position, shogi::Color side, std::size_t from, std::size_t to);
  void update_by_one(const shogi::Position& position, shogi::Color side, std::size_t from, std::size_t to);
  void refresh(const shogi::Position& position, shogi::Color side);
  void collect(const shogi::Position& position, Cache& cache, Changes& changes) const;
  void collect_attacked(const shogi::Position& position, shogi::Color side, Cache& cache, Changes& changes) const;
  Cache& cache_of(const shogi::Position& position, shogi::Color side);
  void clear_cache(Cache& cache, std::int16_t* into, std::uint32_t bucket) const;

  struct Release {
    void operator()(std::int16_t* memory) const;
  };
  using Accumulators = std::unique_ptr<std::int16_t[], Release>;
  static Accumulators allocate(std::size_t values);

  std::shared_ptr<const Network> network_;
  const Kernels& kernels_;
  bool kings_are_inputs_;
  bool follows_king_;
  std::size_t top_ = 0;
  std::array<AccumulatorState, kMaxPlies + 1> states_;
  Accumulators accumulators_;
  int missing_ = 0;  // pieces of a set that the root does not have
  std::vector<Cache> caches_;
  Accumulators cached_accumulators_;
};

}  // namespace fuhyo::nnue
