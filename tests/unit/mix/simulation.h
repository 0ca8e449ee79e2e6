// Votes of scripted engines: no process, and no wait.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engines/mix/vote.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"
#include "tests/unit/members/scripted_engine.h"

namespace fuhyo::mix {

using members::mv;
using members::Script;
using members::ScriptedEngine;

// A vote of scripted engines. Time goes on by milliseconds.
class Simulation : public members::ScriptedEngines {
 public:
  using ScriptedEngines::ScriptedEngines;
  static VoteOptions options(const std::string& position = "startpos",
                             const usi::GoLimits& limits = {.movetime_ms = 1'000}) {
    VoteOptions options{.game = *usi::parse_position(position), .limits = limits};
    const shogi::Position root = options.game.current();
    for (const shogi::Move move : shogi::legal_moves(root)) options.moves.push_back(move);
    options.plan = usi::TimePlan::make(limits, root.side_to_move(), root.ply(), {.whole_seconds = false});
    options.pondering = limits.ponder;
    options.analysis = limits.infinite;
    return options;
  }
  void begin(VoteOptions options) {
    vote = std::make_unique<Vote>(std::move(options), members());
    begun = now;
    vote->begin(now, now);
  }
  // Lets so much time pass, or until there is a result.
  bool run(std::int64_t ms) {
    const std::int64_t end = now + ms;
    while (!vote->result() && now < end) {
      ++now;
      pass();
      vote->look(now);
      pass();
    }
    return vote->result().has_value();
  }
  // The whole move.
  const VoteResult& decide(VoteOptions options, std::int64_t most_ms = 100'000) {
    begin(std::move(options));
    run(most_ms);
    if (!vote->result()) vote->stop(now), run(1'000);
    return *vote->result();
  }
  std::int64_t spent() const { return now - begun; }
  static std::string move(const VoteResult& result) { return shogi::to_usi(result.choice.move); }

  std::unique_ptr<Vote> vote;
  std::int64_t begun = 0;
};

}  // namespace fuhyo::mix
