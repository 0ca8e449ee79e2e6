// Compares the record that the server stored with the game that was played. It reads the file by itself, not through
// engines/record, which wrote it. Reads files; blocking.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "server/app/replay/game.h"
#include "server/app/replay/plan.h"

namespace fuhyo::app {

// How the stored record differs; empty if it holds exactly these moves and this end. Records are written behind the
// game: one that is not complete is waited for.
std::string stored_difference(const std::filesystem::path& records, const ReplayPlan& plan, const PlayedGame& played,
                              std::chrono::milliseconds patience);

}  // namespace fuhyo::app
