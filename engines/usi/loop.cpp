#include "engines/usi/loop.h"

#include <condition_variable>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "engines/record/csa_move.h"
#include "engines/shogi/perft.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/bench.h"
#include "engines/usi/text.h"

namespace fuhyo::usi {
namespace {

using namespace std::chrono_literals;

constexpr int kDeepestPerft = 12;
// While "isready" takes long, an empty line now and then keeps impatient GUIs from giving up (YaneuraOu does so).
constexpr auto kSignOfLife = 5s;

// One line at a time from either thread.
class Output {
 public:
  explicit Output(std::ostream& stream) : stream_(stream) {}
  void line(std::string_view text) {
    const std::lock_guard lock(mutex_);
    stream_ << text << '\n' << std::flush;
  }
  void note(std::string_view text) { line("info string " + std::string(text)); }

 private:
  std::ostream& stream_;
  std::mutex mutex_;
};

// The thread that thinks. It runs one task at a time; the reader hands tasks over and may wait for the end.
class Worker {
 public:
  Worker() : thread_([this] { run(); }) {}
  ~Worker() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void start(std::function<void()> task) {
    wait();
    {
      const std::lock_guard lock(mutex_);
      task_ = std::move(task);
    }
    changed_.notify_all();
  }
  bool busy() {
    const std::lock_guard lock(mutex_);
    return task_ != nullptr;
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return task_ == nullptr; });
  }
  // False if it is still busy after that time.
  bool wait_for(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return task_ == nullptr; });
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return closing_ || task_ != nullptr; });
      if (task_ == nullptr) return;
      lock.unlock();
      task_();
      lock.lock();
      task_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> task_;
  bool closing_ = false;
  std::thread thread_;  // last: it uses the members above
};

class Loop {
 public:
  Loop(Engine& engine, std::ostream& out) : engine_(engine), out_(out) {}
  ~Loop() { finish_search(); }

  // False: quit.
  bool command(std::string_view line);
  // Waits for the search in progress, without stopping it unless it would never end.
  void finish() { worker_.wait(); }

 private:
  struct Search {
    explicit Search(const GoLimits& limits) : control(limits.ponder), endless(limits.infinite) {}
    SearchControl control;
    const bool endless;
    std::mutex mutex;
    std::condition_variable released;
  };

  void usi();
  void isready();
  void setoption(std::string_view rest);
  void position(std::string_view rest);
  void go(std::string_view rest);
  void think(const Game& game, const GoLimits& limits, Search& search);
  void solve_mate(const Game& game, const GoLimits& limits, Search& search);
  void stop();
  void ponderhit();
  void finish_search();
  void perft(std::string_view rest);
  void display();
  void eval();
  void run_bench(std::string_view rest);
  bool extra(std::string_view word, std::string_view rest);

  Engine& engine_;
  Output out_;
  Worker worker_;
  std::expected<Game, std::string> game_ = Game{};
  std::unique_ptr<Search> search_;  // of the newest "go"
  bool ready_ = false;
};

bool Loop::command(std::string_view line) {
  std::string_view rest = line;
  const std::string_view word = next_word(rest);
  if (word.empty()) return true;
  if (word == "quit") return false;
  if (word == "usi") {
    usi();
  } else if (word == "isready") {
    isready();
  } else if (word == "setoption") {
    setoption(rest);
  } else if (word == "usinewgame") {
    finish_search();
    engine_.new_game();
  } else if (word == "position") {
    position(rest);
  } else if (word == "go") {
    go(rest);
  } else if (word == "stop" || word == "gameover") {
    stop();  // some GUIs send "gameover" to a pondering engine without "stop"
  } else if (word == "ponderhit") {
    ponderhit();
  } else if (!extra(word, rest)) {
    out_.note("unknown command '" + std::string(word.substr(0, 80)) + "'");
  }
  return true;
}

void Loop::usi() {
  out_.line("id name " + engine_.name());
  out_.line("id author " + engine_.author());
  for (const std::string& declaration : engine_.options().declarations()) out_.line(declaration);
  out_.line("usiok");
}

void Loop::isready() {
  finish_search();
  std::expected<void, std::string> result;
  worker_.start([&] { result = engine_.get_ready(); });
  while (!worker_.wait_for(kSignOfLife)) out_.line("");
  if (!result) {
    out_.note("Error! " + result.error());
    return;
  }
  ready_ = true;
  for (const std::string& note : engine_.ready_notes()) out_.note(note);
  out_.line("readyok");
}

void Loop::setoption(std::string_view rest) {
  if (worker_.busy()) {
    out_.note("setoption is ignored while a search runs");
    return;
  }
  if (peek_word(rest) == "name") next_word(rest);
  const std::string_view name = next_word(rest);
  if (peek_word(rest) == "value") next_word(rest);
  const auto changed = engine_.options().set(name, trim(rest));
  // GUIs send USI_Ponder and USI_Hash to every engine, declared or not.
  if (!changed && !name.starts_with("USI_")) out_.note(changed.error());
  ready_ = false;
}

void Loop::position(std::string_view rest) {
  game_ = parse_position(rest);
  if (!game_) out_.note("Error! " + game_.error());
}

void Loop::go(std::string_view rest) {
  finish_search();
  const auto limits = parse_go(rest);
  if (!limits) out_.note("Error! " + limits.error());
  const bool mate = limits && limits->mate_ms;
  if (!limits || !game_) {
    out_.line(mate ? to_text(Checkmate{.kind = Checkmate::Kind::timeout}) : "bestmove resign");
    return;
  }
  search_ = std::make_unique<Search>(*limits);
  worker_.start([this, mate, game = *game_, given = *limits, &search = *search_] {
    if (mate) {
      solve_mate(game, given, search);
    } else {
      think(game, given, search);
    }
  });
}

void Loop::solve_mate(const Game& game, const GoLimits& limits, Search& search) {
  const auto report = [this](const Info& info) { out_.line(to_text(info)); };
  out_.line(to_text(engine_.solve_mate(game, limits, search.control, report)));
}

void Loop::think(const Game& game, const GoLimits& limits, Search& search) {
  if (!ready_) {
    if (const auto result = engine_.get_ready(); !result) {
      out_.note("Error! " + result.error());
      out_.line("bestmove resign");
      return;
    }
    ready_ = true;
  }
  const auto report = [this](const Info& info) { out_.line(to_text(info)); };
  SearchResult result{.best = engine_.book_move(game, limits, report)};
  if (result.best.kind == BestMove::Kind::resign) result = engine_.search(game, limits, search.control, report);
  std::unique_lock lock(search.mutex);
  search.released.wait(lock,
                       [&] { return search.control.stopped() || (!search.endless && !search.control.pondering()); });
  out_.line(to_text(result.best));
}

void Loop::stop() {
  if (!search_) return;
  {
    const std::lock_guard lock(search_->mutex);
    search_->control.stop();
  }
  search_->released.notify_all();
}

void Loop::ponderhit() {
  if (!search_ || !search_->control.pondering()) return;
  {
    const std::lock_guard lock(search_->mutex);
    search_->control.ponderhit();
  }
  search_->released.notify_all();
}

void Loop::finish_search() {
  stop();
  worker_.wait();
}

bool Loop::extra(std::string_view word, std::string_view rest) {
  if (word != "perft" && word != "d" && word != "eval" && word != "bench") return false;
  finish_search();
  if (word == "bench") {
    run_bench(rest);
  } else if (!game_) {
    out_.note("Error! " + game_.error());
  } else if (word == "perft") {
    perft(rest);
  } else if (word == "d") {
    display();
  } else {
    eval();
  }
  return true;
}

void Loop::perft(std::string_view rest) {
  const auto depth = to_integer(next_word(rest));
  if (!depth || *depth < 1 || *depth > kDeepestPerft) {
    out_.note("perft: a depth from 1 to " + std::to_string(kDeepestPerft) + " expected");
    return;
  }
  const SearchControl watch;
  std::uint64_t total = 0;
  shogi::Position root = game_->current();
  for (const auto& [move, nodes] : shogi::perft_divide(root, static_cast<int>(*depth))) {
    out_.line(shogi::to_usi(move) + ": " + std::to_string(nodes));
    total += nodes;
  }
  const std::int64_t time_ms = watch.elapsed_ms();
  out_.line("nodes: " + std::to_string(total));
  out_.line("time: " + std::to_string(time_ms) + " ms");
}

void Loop::display() {
  const shogi::Position position = game_->current();
  std::string board = record::csa_board(position);
  if (board.ends_with('\n')) board.pop_back();
  out_.line(board);
  out_.line("sfen " + position.sfen());
  if (position.in_check()) out_.line("in check");
}

void Loop::eval() {
  if (const auto result = engine_.get_ready(); !result) {
    out_.note("Error! " + result.error());
    return;
  }
  for (const std::string& line : engine_.eval_lines(game_->current())) out_.line(line);
}

void Loop::run_bench(std::string_view rest) {
  if (const auto result = engine_.get_ready(); !result) {
    out_.note("Error! " + result.error());
    return;
  }
  GoLimits limits = engine_.bench_limits();
  if (const auto depth = to_integer(next_word(rest)); depth && *depth > 0)
    limits = GoLimits{.depth = static_cast<int>(*depth)};
  const BenchResult total = bench(engine_, limits, [this](std::string_view line) { out_.line(line); });
  out_.line("nodes: " + std::to_string(total.nodes));
  out_.line("time: " + std::to_string(total.time_ms) + " ms");
  out_.line("nps: " + std::to_string(total.nodes * 1000 / std::max<std::int64_t>(total.time_ms, 1)));
}

}  // namespace

void run_loop(Engine& engine, std::istream& in, std::ostream& out) {
  Loop loop(engine, out);
  std::string line;
  while (std::getline(in, line) && loop.command(line)) {
  }
}

int run_program(Engine& engine, std::span<const std::string> arguments) {
  if (arguments.empty()) {
    run_loop(engine, std::cin, std::cout);
    return 0;
  }
  std::string line;
  for (const std::string& argument : arguments) line += argument + " ";
  Loop loop(engine, std::cout);
  loop.command(line);
  loop.finish();
  return 0;
}

}  // namespace fuhyo::usi
