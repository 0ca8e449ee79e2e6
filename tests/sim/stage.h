// What every part of one simulated world shares: its scenario, its clock, its planted fault, its marks, its trace.
#pragma once

#include "server/core/ids.h"
#include "tests/sim/marks.h"
#include "tests/sim/rng.h"
#include "tests/sim/scenario.h"
#include "tests/sim/scheduler.h"

namespace fuhyo::sim {

// 2026-11-21T04:14:40Z
constexpr std::int64_t kStartWall_us = 1795234480LL * 1'000'000;

struct Stage {
  explicit Stage(const Scenario& scenario_in) : scenario(scenario_in), rng(scenario_in.seed) {}

  Scenario scenario;
  Scheduler time;
  Marks marks;
  Rng rng;                                      // only to fork from
  bool quiet = false;                           // faults have stopped
  std::int64_t wall_jump_us = 0;                // what the wall clock is off
  std::function<void(std::string_view)> trace;  // empty: nobody listens

  core::Instant mono() const { return core::Instant{time.now_us()}; }
  core::Now now() const { return {mono(), core::Wall{kStartWall_us + time.now_us() + wall_jump_us}}; }

  bool planted(Plant plant) const { return scenario.plant == plant; }
  // Whether the planted fault is `plant` and strikes at this opportunity: not at the first few, then every third.
  bool strikes(Plant plant) { return planted(plant) && ++opportunities_ % 3 == 0; }

 private:
  std::uint64_t opportunities_ = 0;
};

}  // namespace fuhyo::sim
