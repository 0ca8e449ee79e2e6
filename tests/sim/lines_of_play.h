// Games that chance would not play: players who meet under these names follow a known line to a rare end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::sim {

// The line of a game name such as "perpetual-60-5", by its first part; empty for other names.
const std::vector<std::string>& line_of_play(std::string_view game_name);

}  // namespace fuhyo::sim
