// Plays games, several at a time, each slot with engine processes of its own. Who plays next is the source's to say and
// what came of it the sink's to keep: a match, a tuner and a worker of a queue all run on this.
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
  UsiPlayer::Log log{};      // called from every slot, one at a time
};

class Runner {
 public:
  // Called one at a time, each from the thread of a slot; nothing: there is no more to do for now and that slot ends.
  using Source = std::function<std::optional<Assignment>()>;
  using Sink = std::function<void(PlayedGame)>;

  // Returns when all slots have ended. Games that `stop` breaks off reach no sink. An engine stays in its slot from
  // game to game as long as the slot's next game needs it.
  static void run(const RunnerOptions& options, const Source& source, const Sink& sink, const std::stop_token& stop);

  // Starts the engine once and says what it calls itself, or what is wrong: it cannot be run, speaks no USI, lacks an
  // option that it is to be given.
  static std::expected<std::string, std::string> try_out(const Contestant& contestant, const std::stop_token& stop);
};

}  // namespace fuhyo::match
