#include "engines/record/game.h"

#include <algorithm>
#include <cstddef>
#include <ranges>

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

std::optional<std::size_t> parent_of(const Game& game, std::size_t branch) {
  const std::int32_t ply = game.branches[branch].ply;
  for (std::size_t i = branch; i-- > 0;) {
    if (game.branches[i].ply < ply) return i;
  }
  return std::nullopt;
}

Game line_of(const Game& game, std::size_t branch) {
  std::vector<std::size_t> way = {branch};  // back to the main line
  while (const auto parent = parent_of(game, way.back())) way.push_back(*parent);
  Game line;
  line.start = game.start;
  line.moves = game.moves;
  for (const std::size_t i : way | std::views::reverse) {
    const Branch& each = game.branches[i];
    line.moves.erase(line.moves.begin() + std::min(each.ply, line.plies()), line.moves.end());
    line.moves.insert(line.moves.end(), each.moves.begin(), each.moves.end());
  }
  const Branch& last = game.branches[branch];
  line.impossible = last.impossible;
  line.end = last.end;
  line.comments = last.comments;
  return line;
}

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
