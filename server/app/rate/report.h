// Ratings as tables for people and as JSON for programs. Pure functions; any thread.
#pragma once

#include <string>

#include "server/core/rating/model.h"

namespace fuhyo::app {

// In the manner of Ordo: rank, player, rating, error (95 %), points, games, points in per cent, the probability of
// being above the next one, wins, draws, losses, draws in per cent. Then what draws and the first move came to.
std::string rating_table(const core::rating::ModelRatings& ratings);
std::string rating_json(const core::rating::ModelRatings& ratings);

}  // namespace fuhyo::app
