#include "engines/learn/generate/starts.h"

#include "engines/shogi/movegen.h"

namespace fuhyo::learn {
namespace {

// False: there is no legal move.
bool play_random_move(shogi::Position& position, Random& random) {
  const auto moves = shogi::legal_moves(position);
  if (moves.empty()) return false;
  position.do_move(moves[random.below(moves.size())]);
  return true;
}

}  // namespace

std::expected<Starts, std::string> Starts::read(const std::filesystem::path& file, const StartOptions& options) {
  auto lines = LineTree::read(file, options.first_ply, options.last_ply);
  if (!lines) return std::unexpected(lines.error());
  return Starts(options, std::move(*lines));
}

std::expected<Starts, std::string> Starts::parse(std::string_view text, const std::string& name,
                                                 const StartOptions& options) {
  auto lines = LineTree::parse(text, name, options.first_ply, options.last_ply);
  if (!lines) return std::unexpected(lines.error());
  return Starts(options, std::move(*lines));
}

std::optional<shogi::Position> Starts::draw(Random& random) const {
  shogi::Position position;
  std::uint64_t moves = 0;
  if (lines_.size() == 0) {
    moves = static_cast<std::uint64_t>(options_.first_ply) +
            random.below(static_cast<std::uint64_t>(options_.last_ply - options_.first_ply) + 1);
  } else {
    const LinePosition drawn = lines_[random.below(lines_.size())];
    position = drawn.start;
    for (const shogi::Move move : drawn.moves) position.do_move(move);
  }
  moves += random.below(static_cast<std::uint64_t>(options_.random_moves) + 1);
  for (; moves > 0; --moves) {
    if (!play_random_move(position, random)) return std::nullopt;
  }
  if (shogi::count_legal_moves(position) == 0) return std::nullopt;
  return position;
}

}  // namespace fuhyo::learn
