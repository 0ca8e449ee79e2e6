#include "server/core/monitors/spectator_delay.h"

#include <algorithm>
#include <cstdint>

#include "server/core/facts.h"
#include "server/core/logins/accounts.h"

namespace fuhyo::core {

SpectatorDelay delay_of(const DelayRules& rules, std::string_view game_name) {
  const auto rule = std::ranges::find_if(rules, [&](const DelayRule& r) { return fits(r.games, game_name); });
  return rule == rules.end() ? SpectatorDelay{} : rule->delay;
}

SpectatorDelay delay_of(const DelayRules& rules, const GameOpened& opened) {
  return opened.showing.value_or(delay_of(rules, opened.game_name));
}

std::vector<EndsSeen> ends_seen(const DelayRules& rules, Wall now) {
  std::vector<EndsSeen> seen;
  if (std::ranges::none_of(rules, [](const DelayRule& rule) { return rule.delay.seconds > 0; })) return seen;
  for (const DelayRule& rule : rules) {
    const bool late = rule.delay.seconds > 0;
    seen.push_back({rule.games, late ? Wall{now.us - rule.delay.seconds * kSecond} : Wall{INT64_MAX}});
  }
  return seen;
}

}  // namespace fuhyo::core
