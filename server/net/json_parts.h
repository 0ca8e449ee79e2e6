// What every JSON of the API is made of. Pure; any thread. Private to this room.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <boost/json.hpp>

#include "server/core/games/game_terms.h"
#include "server/core/monitors/spectator_delay.h"
#include "server/net/feed_json.h"

namespace fuhyo::net {

constexpr int kJsonVersion = 1;

inline std::int64_t ms(core::Wall wall) { return wall.us / 1000; }

inline boost::json::value text_or_null(std::string_view text) {
  return text.empty() ? boost::json::value(nullptr) : boost::json::value(clean(text));
}
inline boost::json::value number_or_null(std::optional<std::int32_t> number) {
  return number ? boost::json::value(*number) : boost::json::value(nullptr);
}

inline boost::json::object time_json(const core::TimeRule& time) {
  return {{"total_s", time.total_s},
          {"byoyomi_s", time.byoyomi_s},
          {"increment_s", time.increment_s},
          {"least_s", time.least_s},
          {"stopwatch_s", time.stopwatch_s}};
}

inline boost::json::value time_or_null(const std::optional<core::TimeRule>& time) {
  return time ? boost::json::value(time_json(*time)) : boost::json::value(nullptr);
}

// Null: what happens is seen at once.
inline boost::json::value delay_json(const core::SpectatorDelay& delay) {
  if (delay.seconds > 0) return boost::json::object{{"seconds", delay.seconds}};
  if (delay.moves > 0) return boost::json::object{{"moves", delay.moves}};
  return nullptr;
}

}  // namespace fuhyo::net
