#include "engines/members/schedule.h"

#include <gtest/gtest.h>

namespace fuhyo::members {
namespace {

TEST(Schedule, KeepsItsMomentsInOrder) {
  for (const std::int64_t movetime : {1, 5, 20, 100, 1'000, 60'000}) {
    for (const int share : {0, 15, 50}) {
      const auto plan = usi::TimePlan::make({.movetime_ms = movetime}, shogi::BLACK, 0, {});
      const Schedule schedule = Schedule::make(plan, share);
      EXPECT_GE(schedule.first_ms, 1);
      EXPECT_LE(schedule.first_ms, schedule.end_ms);
      EXPECT_LE(schedule.end_ms, schedule.late_ms);
      EXPECT_LE(schedule.late_ms, schedule.last_ms);
      EXPECT_LE(schedule.last_ms, movetime);
    }
  }
  EXPECT_FALSE(Schedule::make(usi::TimePlan::unlimited(), 15).limited());
}

TEST(Schedule, WhatWasPonderedSavesOwnTime) {
  const usi::GoLimits limits{.time_ms = {600'000, 600'000}, .timed = true};
  const auto plan = usi::TimePlan::make(limits, shogi::BLACK, 0, {});
  const Schedule fresh = Schedule::make(plan, 15), after = Schedule::make(plan, 15, 1'000'000);
  EXPECT_LT(after.end_ms, fresh.end_ms);
  EXPECT_GE(after.end_ms, plan.optimum_ms() / 4);
}

}  // namespace
}  // namespace fuhyo::members
