#include "engines/record/game.h"

#include <algorithm>
#include <cstddef>

namespace fuhyo::record {

bool is_foul(EndKind kind) {
  return kind == EndKind::illegal_move || kind == EndKind::black_illegal || kind == EndKind::white_illegal;
}

Setup setup_at(const Game& game, std::int32_t ply) {
  Setup setup = game.start;
  const auto count = static_cast<std::size_t>(std::clamp(ply, 0, game.plies()));
  for (std::size_t i = 0; i < count; ++i) setup.apply(game.moves[i].move);
  return setup;
}

Setup final_setup(const Game& game) { return setup_at(game, game.plies()); }

std::expected<std::optional<IllegalPly>, std::string> first_illegal(const Game& game) {
  auto position = game.start.position();
  if (!position) return std::unexpected(position.error().message);
  std::int32_t ply = 0;
  for (const RecordedMove& recorded : game.moves) {
    ++ply;
    const shogi::Illegal why = position->why_illegal(recorded.move);
    if (why != shogi::Illegal::none) return IllegalPly{ply, why};
    position->do_move(recorded.move);
  }
  return std::optional<IllegalPly>{};
}

}  // namespace fuhyo::record
