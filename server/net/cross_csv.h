// A cross table as a file for spreadsheets (csv_text.h). Pure.
#pragma once

#include <string>

#include "server/core/cross_table.h"

namespace fuhyo::net {

// A line a player: place, name, id, points, games, wins, losses, draws, rate of points, and "W2 L1 D0" against each of
// the others by place; empty where two have not met.
std::string cross_csv(const core::CrossTable& table);

}  // namespace fuhyo::net
