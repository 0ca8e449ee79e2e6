// Evaluates the positions of a search with a network. A stack of sums runs parallel to the moves of the search: a move
// only notes which pieces it changed; sums are computed when a value is asked for, from the nearest ones below that
// are known, over as many moves as lie between, and with them those of the parent, whose other children come next.
// Where the own king has moved (for sets that count inputs by its place), the sums start from the last ones computed
// for a king there.
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
  // What a move changed, as Black sees it.
  struct Frame {
    std::array<Number, 2> added, removed;
    std::uint8_t count;                        // of each
    std::array<bool, 2> place_left, computed;  // by colour; the king's place, by which its side's inputs are counted
  };
  struct Changes;
  struct Cache;

  std::int16_t* sums(std::size_t ply, shogi::Color side) { return sums_.get() + (2 * ply + side) * network_->width(); }
  bool leaves_place(shogi::Color side, shogi::Move move) const;
  void ensure(const shogi::Position& position, shogi::Color side);
  void advance(const shogi::Position& position, shogi::Color side, std::size_t from, std::size_t to);
  void step(const shogi::Position& position, shogi::Color side, std::size_t from, std::size_t to);
  void refresh(const shogi::Position& position, shogi::Color side);
  void collect(const shogi::Position& position, Cache& cache, Changes& changes) const;
  void collect_attacked(const shogi::Position& position, shogi::Color side, Cache& cache, Changes& changes) const;
  Cache& cache_of(const shogi::Position& position, shogi::Color side);
  void clear_cache(Cache& cache, std::int16_t* into, std::uint32_t bucket) const;

  struct Release {
    void operator()(std::int16_t* memory) const;
  };
  using Sums = std::unique_ptr<std::int16_t[], Release>;
  static Sums allocate(std::size_t values);

  std::shared_ptr<const Network> network_;
  const Kernels& kernels_;
  bool kings_are_inputs_;
  bool follows_king_;
  std::size_t top_ = 0;
  std::array<Frame, kMaxPlies + 1> frames_;
  Sums sums_;
  int missing_ = 0;  // pieces of a set that the root does not have
  std::vector<Cache> caches_;
  Sums cached_sums_;
};

}  // namespace fuhyo::nnue
