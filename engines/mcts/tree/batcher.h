// Gathers the positions that tasks wait for, and has them evaluated together. One thread's; nothing is locked.
//
//   const auto turn = batcher.add(game);           the inputs are written at once: the game may go on
//   const Evaluation said = co_await turn;         resumed by go_on(), after evaluate()
#pragma once

#include <coroutine>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "engines/mcts/tree/game.h"
#include "engines/nn/backend.h"

namespace fuhyo::mcts {

// Valid until the task waits again.
struct Evaluation {
  std::span<const float> logits;
  float value;
};

class Batcher {
 public:
  // `capacity`: how many tasks there are at most, each of which waits for one position at a time.
  Batcher(std::unique_ptr<nn::Backend> backend, std::uint32_t capacity)
      : backend_(std::move(backend)), batch_(backend_->shape(), capacity), out_(backend_->shape(), capacity) {}

  class Turn {
   public:
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> task) const { batcher_.waiting_.push_back(task); }
    Evaluation await_resume() const { return {batcher_.out_.logits(index_), batcher_.out_.value(index_)}; }

   private:
    friend class Batcher;
    Turn(Batcher& batcher, std::uint32_t index) : batcher_(batcher), index_(index) {}
    Batcher& batcher_;
    std::uint32_t index_;
  };
  template <Game G>
  Turn add(const G& game) {
    const std::uint32_t i = batch_.add();
    game.write(batch_.planes(i), batch_.scalars(i));
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
    if (batch_.size() == 0) return {};
    return backend_->evaluate(batch_, out_);
  }
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
  std::unique_ptr<nn::Backend> backend_;
  nn::Batch batch_;
  nn::Evaluations out_;
  std::vector<std::coroutine_handle<>> waiting_, resumed_;
};

}  // namespace fuhyo::mcts
