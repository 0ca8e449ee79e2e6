// The engine that analyses finished games: a USI child process, on a thread of its own, at a lower priority than games.
// It starts with the service, so that the host learns at once when it cannot. It ends when nobody has asked for a
// while, and starts again on demand. One that dies, hangs, floods or answers nonsense is restarted after growing
// delays.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/usi/process_sandbox.h"
#include "server/core/analyst.h"
#include "server/host/analysis_queue.h"
#include "server/host/engine_runner.h"

namespace fuhyo::host {

// "USI_Hash=128" as the name and the value of a USI option. An error: it is none, or one that the server sets itself.
std::expected<std::pair<std::string, std::string>, std::string> parse_analysis_option(std::string_view text);

class EngineAnalyst final : public core::Analyst {
 public:
  struct Config {
    std::vector<std::string> command;
    std::vector<std::pair<std::string, std::string>> options;  // after our own: one thread, little memory, no book
    std::optional<usi::Sandbox> sandbox;
    std::int64_t nodes = 0, game_nodes = 0;  // of a single position; of each one of a whole game
    AnalysisLimits limits;
    std::int64_t think_ms = 30'000;  // told to stop after so long, as on a machine that is busy with games
    std::int64_t stop_ms = 10'000;   // to answer then; later, it hangs
    std::int64_t idle_ms = 5 * 60'000;
    bool leisurely = true;  // at the lowest priority: games come first
    int deaths = 3;         // without an answer in between: then it is away
    std::int64_t restart_ms = EngineRunner::kFirstDelay_ms;
  };
  using Log = std::function<void(bool warning, const std::string& text)>;

  // `log` is called on the service's thread.
  EngineAnalyst(Config config, Log log);
  ~EngineAnalyst() override;  // kills the engine
  EngineAnalyst(const EngineAnalyst&) = delete;
  EngineAnalyst& operator=(const EngineAnalyst&) = delete;

  core::PositionReport position(const core::PlayedGame& game, std::size_t ply, int lines,
                                const std::string& caller) override;
  core::GameReport game(const core::PlayedGame& game, const std::string& caller) override;

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace fuhyo::host
