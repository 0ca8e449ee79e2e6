#include "engines/record/game.h"

#include <algorithm>
#include <cstddef>

namespace fuhyo::record {

Setup setup_at(const Game& game, std::int32_t ply) {
  Setup setup = game.start;
  const auto count = static_cast<std::size_t>(std::clamp(ply, 0, game.plies()));
  for (std::size_t i = 0; i < count; ++i) setup.apply(game.moves[i].move);
  return setup;
}

Setup final_setup(const Game& game) { return setup_at(game, game.plies()); }

}  // namespace fuhyo::record
