// Plays one planned game through a running server, with a scripted client on each side. Blocking.
#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "server/app/replay/connection.h"
#include "server/app/replay/plan.h"

namespace fuhyo::app {

struct PlayedGame {
  std::string id;                     // Game_ID
  std::vector<std::string> accepted;  // moves that the server sent to both sides, without their times
  std::string end;                    // "#RESIGN", "#JISHOGI", "#ILLEGAL_MOVE", "#SENNICHITE", ...
};

// `tag` makes the names of the two players and of the game unique on the server.
std::expected<PlayedGame, std::string> play_game(const ServerAddresses& server, const ReplayPlan& plan,
                                                 std::string_view tag, std::chrono::milliseconds patience);

// How the game differs from what the plan expects of a server that keeps the rules; empty if it does not.
std::string difference(const ReplayPlan& plan, const PlayedGame& played);

}  // namespace fuhyo::app
