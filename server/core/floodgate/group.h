// A floodgate group as the server is told of it: its game name, when its rounds are, and how they are paired.
#pragma once

#include <optional>
#include <string>

#include "server/core/floodgate/schedule.h"

namespace fuhyo::core::floodgate {

struct Group {
  std::string game_name;             // "floodgate-900-5F"
  std::optional<Schedule> schedule;  // nothing: rounds are held by hand only
  GroupSettings settings;
};

}  // namespace fuhyo::core::floodgate
