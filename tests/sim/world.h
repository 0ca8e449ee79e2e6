// One simulated run: the production core, outbox and framer between simulated clients, network and store, under virtual
// time. run() is a function of the scenario: the same one gives the same report, to the last bit of the digest.
#pragma once

#include "tests/sim/auditor.h"

namespace fuhyo::sim {

struct Report {
  std::uint64_t seed = 0;
  std::vector<Violation> violations;
  std::uint64_t digest = 0;
  std::uint64_t games = 0, moves = 0;  // on the disk
  std::uint64_t events = 0;            // of the scheduler
  std::int64_t virtual_us = 0;
  Marks marks;
  bool violates(Check check) const;
};

// `trace`, if given, gets one line for everything that happens.
Report run(const Scenario& scenario, std::function<void(std::string_view)> trace = {});

}  // namespace fuhyo::sim
