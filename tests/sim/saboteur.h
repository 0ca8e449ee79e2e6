// Plants the faults that a wrong core would have, by editing what the core decided before it is carried out.
#pragma once

#include <cstdint>
#include <map>

#include "server/core/effects.h"
#include "tests/sim/stage.h"

namespace fuhyo::sim {

class Saboteur {
 public:
  explicit Saboteur(Stage& stage) : stage_(stage) {}
  void edit(core::Effects& effects);

 private:
  void tell_more(core::Effects& effects);
  void swallow_start(core::Effects& effects);
  void edit_move(core::Effects& effects, core::Fact& fact);
  void charge_commit(core::Effects& effects, core::MoveMade& move);
  void charge_pause(core::Effects& effects, core::MoveMade& move);
  void charge(core::Effects& effects, core::MoveMade& move, std::int64_t more_s);

  Stage& stage_;
  std::map<core::GameId, std::int64_t> commit_began_us_, pause_began_us_;
};

}  // namespace fuhyo::sim
