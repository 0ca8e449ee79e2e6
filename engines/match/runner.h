// Plays several games at a time, each in a slot with its own engine processes. The source gives the games, the sink
// takes the results. Matches, tuners and workers of a queue use it.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engines/match/contestant.h"
#include "engines/match/game.h"
#include "engines/match/rules.h"
#include "engines/match/slot.h"

namespace fuhyo::match {

struct RunnerOptions {
  Rules rules;
  int concurrency = 1;
  std::uint64_t seed = 1;    // of built-in players that draw lots
  std::vector<int> cores{};  // slot i binds its engines to cores[i]; none: to nothing
  // Called from every slot, one at a time; of several slots with the slot behind the engine's name: "name#2".
  UsiPlayer::Log log{};
};

class Runner {
 public:
  // Both are called from the threads of slots, one call at a time. A source that returns nothing ends that slot.
  using Source = std::function<std::optional<Assignment>()>;
  using Sink = std::function<void(PlayedGame)>;

  // Returns when all slots have ended. Games that `stop` interrupts do not reach the sink. An engine process stays as
  // long as the next game of its slot needs it.
  static void run(const RunnerOptions& options, const Source& source, const Sink& sink, const std::stop_token& stop);

  // Starts the engine once and returns its name. Errors: it cannot be run, speaks no USI, or lacks an option of the
  // contestant.
  static std::expected<std::string, std::string> try_out(const Contestant& contestant, const std::stop_token& stop);
};

}  // namespace fuhyo::match
