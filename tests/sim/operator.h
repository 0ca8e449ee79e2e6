// Whoever runs the server, by its administration socket: pauses and resumes games, adjudicates them, kicks, forbids and
// allows names, holds rounds. In the quiet at the end every game goes on and every name is allowed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "server/core/effects.h"
#include "tests/sim/auditor.h"
#include "tests/sim/stage.h"

namespace fuhyo::sim {

class Operator {
 public:
  // `tell` brings a command to the server; nothing happens while there is none.
  Operator(Stage& stage, Auditor& auditor, std::function<void(core::AdminLine)> tell)
      : stage_(stage), auditor_(auditor), rng_(stage.rng.fork()), tell_(std::move(tell)) {}

  void start();
  void wind_down();

 private:
  void act();
  void resume_later(core::GameId game);
  void say(std::string text);

  Stage& stage_;
  Auditor& auditor_;
  Rng rng_;
  std::function<void(core::AdminLine)> tell_;
  std::vector<std::string> forbidden_;
  std::uint64_t tokens_ = 0, acts_ = 0;
};

}  // namespace fuhyo::sim
