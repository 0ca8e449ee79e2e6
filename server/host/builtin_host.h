// Built-in players: USI engines in child processes. A built-in player is an ordinary CSA client (bridge.h) whose
// connection is in memory instead of a socket.
//
// Threads: the public functions belong to the core's thread; bridges and engines live on a thread of the host's own, so
// that nothing an engine does can hold the core up. The two meet in queues of values.
// Promises: an engine that crashes, hangs, floods or lies harms its own game only; it is logged and restarted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <made/admin_answers.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engines/usi/process_sandbox.h"
#include "server/core/transport.h"
#include "server/host/bridge.h"
#include "server/host/cpu_scheduler.h"
#include "server/host/engine_runner.h"
#include "server/host/thinking_times.h"

namespace fuhyo::host {

// One hosted engine: a line of configuration.
struct BuiltinPlayer {
  std::string name;
  std::string password;  // its trip
  std::string room = "main";
  std::string game = "default-1500-0";  // what it waits for, again after every game; empty: nothing
  std::vector<std::string> serves;      // games that it also plays on request: core::Serves
  char turn = '*';
  std::vector<std::string> command;  // the engine and its arguments
  std::vector<std::pair<std::string, std::string>> options;
  int threads = 1;             // of its engine: so many CPU threads are taken for its games
  int count = 1;               // so many of them: NAME-1, NAME-2 ...
  std::string greeting;        // the comment of the first move of each game
  bool level_by_game = false;  // Bridge::Config
  std::string working_dir;
  bool sandboxed = false;
  usi::Sandbox sandbox;
  // Patience with its start: Driver::Config.
  std::int64_t usiok_ms = usi::Driver::Config{}.usiok_ms, readyok_ms = usi::Driver::Config{}.readyok_ms;
  bool ponder = false;
  bool comments = true;  // evaluations and lines, as floodgate has them, behind its moves
  int nice = 0;
  usi::GoLimits unlimited{.movetime_ms = 10'000};               // what the engine is told in a game without clocks
  std::int64_t min_move_ms = 0, more_move_ms = 0, rest_ms = 0;  // its pace: Bridge::Config
  bool gives_way = false;  // begins no game while real games run, and takes no CPU threads
  std::int64_t restart_ms = EngineRunner::kFirstDelay_ms;
  // How its engine is started, where that is not by `command` on this machine.
  EngineRunner::Spawn spawn{};
};

// NAME-1 to NAME-count; the player itself if it is one.
std::vector<BuiltinPlayer> each_of(const BuiltinPlayer& player);

// The players of `--builtin demo`: two a board, a board a core, at most four boards. They play in room "demo" with
// clocks, at a level that uses little of a core and makes each game a new one. `nnue` and `mcts` are the paths of
// fuhyo-nnue and fuhyo-mcts; without the latter (empty), fuhyo-nnue plays itself. `secret`: their trip, so that nobody
// else can log in as them.
std::vector<BuiltinPlayer> demo_players(const std::string& nnue, const std::string& mcts, const std::string& secret,
                                        std::size_t cores);

class BuiltinHost final : public core::Transport {
 public:
  struct Hooks {
    std::function<void(std::function<void()>)> post_to_core;  // runs it on the core's thread; callable from any thread
    std::function<core::Instant()> clock;                     // of ClientLine::arrived; callable from any thread
    std::function<void(bool warning, const std::string& text)> log;  // callable from any thread
  };

  // `sink` must outlive the host. `seats`: shared with the other hosts; null: CPU threads are not limited.
  BuiltinHost(core::InputSink& sink, std::vector<BuiltinPlayer> players, Hooks hooks,
              std::shared_ptr<CpuScheduler> seats = nullptr);
  // Kills the engines. Connections that are still open are not reported any more.
  ~BuiltinHost() override;

  // Starts the engines; each logs in once it is ready.
  void start();
  // Of all its players together.
  ThinkingTimes::Summary thinking_times() const;
  struct State {
    core::EngineState is = core::EngineState::away;
    std::string fault;  // why it is away where no engine starts
  };
  State state() const;  // of the only player of a host
  // Games of real players that run now: a player with `gives_way` begins none while there are any.
  void set_real_games(std::size_t count);

  void write(core::ConnId conn, std::string bytes) override;
  void when_written(core::ConnId conn, std::function<void()> done) override;
  void close(core::ConnId conn, std::string_view why) override;
  void read_pass(core::ConnId conn, std::uint64_t token) override;
  // Limits for strangers: a built-in player sends what the bridge writes, which is bounded already.
  void limit_lines(core::ConnId, std::size_t) override {}
  void throttle(core::ConnId, bool) override {}

 private:
  class Worker;
  struct Inbox;

  core::InputSink& sink_;
  std::shared_ptr<Inbox> inbox_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace fuhyo::host
