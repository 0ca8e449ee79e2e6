// The interface between an engine and the USI loop (loop.h).
// The loop calls everything from one thread at a time; only SearchControl and TableExchange are shared with the
// reader's thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engines/shogi/position.h"
#include "engines/usi/game.h"
#include "engines/usi/options.h"
#include "engines/usi/values.h"

namespace fuhyo::usi {

// Controls a running search from outside. Setters: the reader's thread; getters: any.
class SearchControl {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = std::function<Clock::time_point()>;  // called from any thread

  explicit SearchControl(bool ponder = false, Now now = &Clock::now)
      : now_(std::move(now)), pondering_(ponder), begun_(now_()), clock_begun_(begun_) {}

  void stop() { stopped_ = true; }
  // The opponent played the expected move: from now on our clock runs.
  void ponderhit() {
    clock_begun_ = now_();
    pondering_ = false;
  }

  // Our clock runs, but the position searched is not the one to play from: ends the search; another one follows.
  void restart() {
    clock_begun_ = now_();
    restarting_ = true;
    pondering_ = false;
  }
  bool restarting() const { return restarting_; }
  // Call before the search that follows a restart(), on the thread that searches.
  void begin_again() {
    begun_ = now_();
    restarting_ = false;
  }

  bool stopped() const {
    return stopped_.load(std::memory_order_relaxed) || restarting_.load(std::memory_order_relaxed);
  }
  bool pondering() const { return pondering_.load(std::memory_order_acquire); }
  std::int64_t elapsed_ms() const { return since(begun_); }
  // Time on our own clock; call it only when not pondering().
  std::int64_t clock_ms() const { return since(clock_begun_.load()); }

 private:
  std::int64_t since(Clock::time_point from) const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(now_() - from).count();
  }

  const Now now_;
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> restarting_ = false;
  std::atomic<bool> pondering_;
  Clock::time_point begun_;
  std::atomic<Clock::time_point> clock_begun_;
};

class TableExchange;  // table_exchange.h

struct SearchResult {
  BestMove best;
  std::int64_t nodes = 0;
  std::optional<Score> score{};  // of that move, as reported last; none without a search
  // A number that changes with the behaviour of the search, for engines whose node count does not; else 0.
  std::int64_t trace = 0;
  std::vector<Info> lines{};  // of a MultiPV search: the last completed iteration, best first
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string name() const = 0;
  virtual std::string author() const = 0;
  // Must contain the common options (common_options.h).
  virtual OptionTable& options() = 0;

  // Loads and allocates by the options ("isready"). May be slow.
  virtual std::expected<void, std::string> get_ready() = 0;
  // Describes what was loaded, for people, line by line. Only after a successful get_ready().
  virtual std::vector<std::string> ready_notes() const { return {}; }
  // Clears what was learnt in the last game ("isready", "usinewgame"). Costs nothing where nothing was learnt since.
  virtual void new_game() = 0;
  // The book move in the current position; none (resign) if the engine must search. Called before each search for a
  // move to play. After get_ready().
  virtual BestMove book_move(const Game& game, const GoLimits& limits, const std::function<void(const Info&)>& report) {
    static_cast<void>(game), static_cast<void>(limits), static_cast<void>(report);
    return {};
  }
  // Searches until a limit is reached or control.stopped(). Always answers.
  virtual SearchResult search(const Game& game, const GoLimits& limits, const SearchControl& control,
                              const std::function<void(const Info&)>& report) = 0;
  // Looks for a forced mate by checks ("go mate"), for limits.mate_ms at most. Answers as soon as it knows; "timeout"
  // at the limit or when control.stopped(). Needs no get_ready().
  virtual Checkmate solve_mate(const Game& game, const GoLimits& limits, const SearchControl& control,
                               const std::function<void(const Info&)>& report) {
    static_cast<void>(game), static_cast<void>(limits), static_cast<void>(control), static_cast<void>(report);
    return {};
  }
  // Of an engine that exchanges table entries with others; null: it does not.
  virtual TableExchange* table_exchange() { return nullptr; }
  // Centipawns for the side to move, without search.
  virtual int evaluate(const shogi::Position& position) = 0;
  // What "eval" prints, line by line.
  virtual std::vector<std::string> eval_lines(const shogi::Position& position) {
    return {"eval: " + std::to_string(evaluate(position)) + " (centipawns, side to move)"};
  }
  // The default limits of "bench", for each position.
  virtual GoLimits bench_limits() const = 0;
};

}  // namespace fuhyo::usi
