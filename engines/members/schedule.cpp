#include "engines/members/schedule.h"

#include <algorithm>

namespace fuhyo::members {
namespace {

// What our own way from the decision to the GUI may take; of short times a tenth.
constexpr std::int64_t kOwnWayMs = 10;
// Members get so much after "stop" even where no time was set aside for cross-examination.
constexpr std::int64_t kPatienceMs = 200;

}  // namespace

Schedule Schedule::make(const usi::TimePlan& plan, int share_percent, std::int64_t pondered_ms) {
  if (!plan.limited()) return {};
  Schedule schedule;
  const std::int64_t most = plan.maximum_ms();
  schedule.last_ms = std::max<std::int64_t>(most - std::min(kOwnWayMs, most / 10), 1);
  const std::int64_t wanted = std::max(plan.optimum_ms() - pondered_ms, plan.optimum_ms() / 4);
  schedule.end_ms = std::min(plan.stop_at_ms(wanted), schedule.last_ms);
  schedule.first_ms = std::max<std::int64_t>(schedule.end_ms * (100 - share_percent) / 100, 1);
  schedule.late_ms = std::min(std::max(schedule.end_ms, schedule.first_ms + kPatienceMs), schedule.last_ms);
  return schedule;
}

}  // namespace fuhyo::members
