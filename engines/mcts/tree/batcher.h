// Collects the positions that tasks wait for, and evaluates them in one batch. Belongs to one thread; has no lock.
//
//   const auto pending = batcher.add(game);         writes the inputs at once: the game may go on
//   const Evaluation said = co_await pending;       resumed by resume_all(), after evaluate()
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

// Valid until the task waits or adds again.
struct Evaluation {
  std::span<const float> logits;
  float value;
};

class Batcher {
 public:
  struct Counts {
    std::uint64_t evaluated = 0, batches = 0;
    std::uint64_t room = 0;  // the sum of the capacities of these batches
    std::uint64_t hits = 0;  // of the cache
  };

  // `capacity`: the most tasks; each waits for one position at a time. `cache`, if there is one, must outlive the
  // batcher. `multiple`: batches are filled up with empty positions to multiples of this, so that
  // rounding, which may depend on how many are computed together, does not depend on who else plays.
  Batcher(std::unique_ptr<nn::Backend> backend, std::uint32_t capacity, EvaluationCache* cache = nullptr,
          std::uint32_t multiple = 1)
      : backend_(std::move(backend)),
        multiple_(multiple),
        room_((capacity + multiple - 1) / multiple * multiple),
        batch_(backend_->shape(), room_),
        out_(backend_->shape(), room_),
        cache_(cache) {
    if (cache_ == nullptr) return;
    pending_keys_.resize(room_);
    cached_logits_.resize(backend_->shape().policy_size());
  }

  class PendingEvaluation {
   public:
    bool await_ready() const noexcept { return index_ == kCached; }
    void await_suspend(std::coroutine_handle<> task) const { batcher_.waiting_.push_back(task); }
    Evaluation await_resume() const {
      if (index_ == kCached) return {batcher_.cached_logits_, value_};
      return {batcher_.out_.logits(index_), batcher_.out_.value(index_)};
    }

   private:
    friend class Batcher;
    static constexpr std::uint32_t kCached = UINT32_MAX;
    PendingEvaluation(Batcher& batcher, std::uint32_t index, float value = 0)
        : batcher_(batcher), index_(index), value_(value) {}
    Batcher& batcher_;
    std::uint32_t index_;
    float value_;  // of a cached evaluation
  };
  template <Game G>
  PendingEvaluation add(const G& game) {
    if (cache_ != nullptr) {
      if (const auto value = cache_->find(game.key(), cached_logits_)) {
        ++counts_.hits;
        return {*this, PendingEvaluation::kCached, *value};
      }
    }
    const std::uint32_t i = batch_.add();
    game.write(batch_.planes(i), batch_.scalars(i));
    if (cache_ != nullptr) {
      std::array<LabelledMove, G::kMostMoves> moves;
      const std::size_t count = game.moves(moves);
      pending_keys_[i].key = game.key();
      pending_keys_[i].moves.assign(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(count));
    }
    return {*this, i};
  }

  // Awaited by a task without a position: it is resumed with the others.
  class NextBatch {
   public:
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> task) const { batcher_.waiting_.push_back(task); }
    void await_resume() const noexcept {}

   private:
    friend class Batcher;
    explicit NextBatch(Batcher& batcher) : batcher_(batcher) {}
    Batcher& batcher_;
  };
  NextBatch next_batch() { return NextBatch(*this); }

  std::uint32_t size() const { return batch_.size(); }
  bool has_waiting() const { return !waiting_.empty(); }

  // Evaluates all added positions. After an error the tasks must not be resumed.
  std::expected<void, std::string> evaluate() {
    const std::uint32_t size = batch_.size();
    if (size == 0) return {};
    while (batch_.size() % multiple_ != 0) batch_.add();
    ++counts_.batches;
    counts_.evaluated += size;
    counts_.room += room_;
    if (auto done = backend_->evaluate(batch_, out_); !done || cache_ == nullptr) return done;
    for (std::uint32_t i = 0; i < size; ++i) {
      cache_->store(pending_keys_[i].key, pending_keys_[i].moves, out_.logits(i), out_.value(i));
    }
    return {};
  }
  const Counts& counts() const { return counts_; }
  // Resumes all waiting tasks, in the order in which they began to wait.
  void resume_all() {
    batch_.clear();
    waiting_.swap(resumed_);
    for (const std::coroutine_handle<> task : resumed_) task.resume();
    resumed_.clear();
  }
  // Drops the waiting tasks: they are never resumed.
  void drop_waiting() {
    batch_.clear();
    waiting_.clear();
  }

 private:
  struct PendingKey {
    std::uint64_t key = 0;
    std::vector<LabelledMove> moves;
  };

  std::unique_ptr<nn::Backend> backend_;
  std::uint32_t multiple_, room_;
  nn::Batch batch_;
  nn::Evaluations out_;
  EvaluationCache* cache_;
  std::vector<PendingKey> pending_keys_;  // by place in the batch
  std::vector<float> cached_logits_;      // logits out of the cache
  Counts counts_;
  std::vector<std::coroutine_handle<>> waiting_, resumed_;
};

}  // namespace fuhyo::mcts
