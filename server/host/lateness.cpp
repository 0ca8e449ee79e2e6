#include "server/host/lateness.h"

#include <algorithm>

namespace fuhyo::host {

void Lateness::note(std::int64_t late_ms, std::int64_t now) {
  late_ms = std::min(late_ms, kMost_ms);
  if (late_ms <= worst_ms(now)) return;
  worst_ms_ = late_ms;
  seen_at_ = now;
}

std::int64_t Lateness::reserve_ms(std::int64_t now) const {
  const std::int64_t worst = worst_ms(now);
  return worst > kUsual_ms ? worst * kReserveOfWorst : 0;
}

std::int64_t Lateness::worst_ms(std::int64_t now) const {
  const std::int64_t halvings = std::max<std::int64_t>(now - seen_at_, 0) / kHalfLife_ms;
  return halvings < 62 ? worst_ms_ >> halvings : 0;
}

}  // namespace fuhyo::host
