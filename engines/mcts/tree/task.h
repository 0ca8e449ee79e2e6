// A coroutine of the tree search. The object owns it; one thread at a time resumes it.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace fuhyo::mcts {

class [[nodiscard]] Task {
 public:
  struct promise_type {
    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct GoOn {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> done) noexcept {
          return done.promise().waiting;
        }
        void await_resume() noexcept {}
      };
      return GoOn{};
    }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); }

    std::coroutine_handle<> waiting = std::noop_coroutine();
    std::exception_ptr error;
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  // Runs it up to where it first waits. It must not have begun.
  void start() { handle_.resume(); }
  bool done() const { return handle_.done(); }
  // Of a task that is done: throws what it has thrown.
  void check() const {
    if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
  }

  // co_await: runs it to its end.
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) noexcept {
    handle_.promise().waiting = waiting;
    return handle_;
  }
  void await_resume() const { check(); }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}

  std::coroutine_handle<promise_type> handle_;
};

}  // namespace fuhyo::mcts
