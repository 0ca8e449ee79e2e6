// Gathers the positions that tasks wait for, and has them evaluated together. One thread's; nothing is locked.
//
//   const auto turn = batcher.add(game);           the inputs are written at once: the game may go on
//   const Evaluation said = co_await turn;         resumed by go_on(), after evaluate()
#pragma once

#include <array>
#include <coroutine>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "engines/mcts/tree/evaluation_cache.h"
#include "engines/mcts/tree/game.h"
#include "engines/nn/backend.h"

namespace fuhyo::mcts {

// Valid until the task waits again, or asks again.
struct Evaluation {
  std::span<const float> logits;
  float value;
};

class Batcher {
 public:
  struct Counts {
    std::uint64_t evaluated = 0, batches = 0;
    std::uint64_t room = 0;  // positions that these batches could have had
    std::uint64_t hits = 0;  // of the cache
  };

  // `capacity`: how many tasks there are at most, each of which waits for one position at a time. `cache`, if there is
  // one, must outlive the batcher. `whole`: batches are filled up with empty positions to multiples of this, so that
  // rounding, which may depend on how many are computed together, does not depend on who else plays.
  Batcher(std::unique_ptr<nn::Backend> backend, std::uint32_t capacity, EvaluationCache* cache = nullptr,
          std::uint32_t whole = 1)
      : backend_(std::move(backend)),
        whole_(whole),
        room_((capacity + whole - 1) / whole * whole),
        batch_(backend_->shape(), room_),
        out_(backend_->shape(), room_),
        cache_(cache) {
    if (cache_ == nullptr) return;
    asked_.resize(room_);
    known_.resize(backend_->shape().policy_size());
  }

  class Turn {
   public:
    bool await_ready() const noexcept { return index_ == kKnown; }
    void await_suspend(std::coroutine_handle<> task) const { batcher_.waiting_.push_back(task); }
    Evaluation await_resume() const {
      if (index_ == kKnown) return {batcher_.known_, value_};
      return {batcher_.out_.logits(index_), batcher_.out_.value(index_)};
    }

   private:
    friend class Batcher;
    static constexpr std::uint32_t kKnown = UINT32_MAX;
    Turn(Batcher& batcher, std::uint32_t index, float value = 0) : batcher_(batcher), index_(index), value_(value) {}
    Batcher& batcher_;
    std::uint32_t index_;
    float value_;  // of what is known already
  };
  template <Game G>
  Turn add(const G& game) {
    if (cache_ != nullptr) {
      if (const auto value = cache_->find(game.key(), known_)) {
        ++counts_.hits;
        return {*this, Turn::kKnown, *value};
      }
    }
    const std::uint32_t i = batch_.add();
    game.write(batch_.planes(i), batch_.scalars(i));
    if (cache_ != nullptr) {
      std::array<LabelledMove, G::kMostMoves> moves;
      const std::size_t count = game.moves(moves);
      asked_[i].key = game.key();
      asked_[i].moves.assign(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(count));
    }
    return {*this, i};
  }

  // For who waits for others: resumed with them.
  class Round {
   public:
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> task) const { batcher_.waiting_.push_back(task); }
    void await_resume() const noexcept {}

   private:
    friend class Batcher;
    explicit Round(Batcher& batcher) : batcher_(batcher) {}
    Batcher& batcher_;
  };
  Round next_round() { return Round(*this); }

  std::uint32_t size() const { return batch_.size(); }
  bool anybody_waits() const { return !waiting_.empty(); }

  // Has everything evaluated that was added; after an error the tasks must not go on.
  std::expected<void, std::string> evaluate() {
    const std::uint32_t size = batch_.size();
    if (size == 0) return {};
    while (batch_.size() % whole_ != 0) batch_.add();
    ++counts_.batches;
    counts_.evaluated += size;
    counts_.room += room_;
    if (auto done = backend_->evaluate(batch_, out_); !done || cache_ == nullptr) return done;
    for (std::uint32_t i = 0; i < size; ++i) {
      cache_->store(asked_[i].key, asked_[i].moves, out_.logits(i), out_.value(i));
    }
    return {};
  }
  const Counts& counts() const { return counts_; }
  // Resumes all who wait, in the order in which they came.
  void go_on() {
    batch_.clear();
    waiting_.swap(resumed_);
    for (const std::coroutine_handle<> task : resumed_) task.resume();
    resumed_.clear();
  }
  // Whoever waits is not to go on any more.
  void forget() {
    batch_.clear();
    waiting_.clear();
  }

 private:
  struct Asked {
    std::uint64_t key = 0;
    std::vector<LabelledMove> moves;
  };

  std::unique_ptr<nn::Backend> backend_;
  std::uint32_t whole_, room_;
  nn::Batch batch_;
  nn::Evaluations out_;
  EvaluationCache* cache_;
  std::vector<Asked> asked_;  // by place in the batch
  std::vector<float> known_;  // logits out of the cache
  Counts counts_;
  std::vector<std::coroutine_handle<>> waiting_, resumed_;
};

}  // namespace fuhyo::mcts
