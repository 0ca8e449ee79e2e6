// A USI engine in its own process as a player of matches. Started by the first game, and again after a fault.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engines/match/player.h"
#include "engines/usi/driver.h"
#include "engines/usi/process.h"

namespace fuhyo::match {

using EngineOptions = std::vector<std::pair<std::string, std::string>>;

// The command of an engine and its options. Equal commands are the same engine.
struct EngineCommand {
  std::string command{};  // as a shell splits it
  std::string folder{};   // its working folder; empty: that of this program
  EngineOptions options{};
  bool ponder = false;
  bool any_positions = false;  // requests need not be of one game, so that replies may be equal
  bool show_stderr = false;
  std::int64_t start_ms = 30'000;   // for usiok
  std::int64_t ready_ms = 300'000;  // of silence after isready
  bool operator==(const EngineCommand&) const = default;
};

class UsiPlayer final : public Player {
 public:
  // Every line, for a log: "<" to the engine, ">" from it. Called from the thread that plays.
  using Log = std::function<void(std::string_view name, char direction, std::string_view line)>;

  // `shown`: the name in tables; empty: the engine's own. `cpu`: the core that it is bound to; -1: any.
  UsiPlayer(EngineCommand command, std::string shown, int cpu = -1, Log log = {});
  ~UsiPlayer() override;

  std::string name() const override;
  std::expected<void, Fault> new_game(const GameOptions& options) override;
  std::expected<SearchReply, Fault> think(const SearchRequest& request) override;
  void ponder(const std::string& line, const SearchReply& own, const usi::GoLimits& limits) override;
  void game_over(std::string_view result) override;

  // Takes effect with the next game. The process stays if only options differ. An option that is missing now is not
  // reset: so name the same ones each time.
  void set_command(EngineCommand command);
  const EngineCommand& command() const { return command_; }
  // What the engine that runs refuses of its options, in words.
  std::vector<std::string> refused_options() const;

 private:
  using Steady = std::chrono::steady_clock;
  struct Arrival {
    Steady::time_point at;
    std::string line;
  };

  std::expected<void, Fault> start();
  void end_process(bool politely);
  void send_lines();
  void send(const std::string& line);
  // Handles the engine's lines until `done` returns true for an event, a fault, or `deadline`.
  template <class Done>
  std::expected<void, Fault> pump(Steady::time_point deadline, const std::stop_token& stop, Done done);
  std::optional<std::string> end_of_process();  // why, if it has ended
  bool next(Arrival& arrival, Steady::time_point deadline, const std::stop_token& stop);
  void note(const usi::Info& info);
  Fault crashed(std::string why);

  EngineCommand command_;
  std::string shown_;
  const int cpu_;
  Log log_;

  std::unique_ptr<usi::Driver> driver_;
  MoveData move_data_;         // of the search that runs
  std::string expected_line_;  // the position that it ponders on; empty: none

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Arrival> arrivals_;
  bool closed_ = false;
  std::string why_closed_;
  std::unique_ptr<usi::ChildProcess> process_;  // last: its thread uses the members above
};

}  // namespace fuhyo::match
