#include "engines/learn/book/game_moves.h"

#include <algorithm>

namespace fuhyo::learn {

void GameMoves::add(const shogi::Position& start, std::span<const shogi::Move> moves) {
  const auto packed = record::pack(start);
  if (!packed) return;
  ++games_;
  auto& [games, ply] = starts_.try_emplace(*packed, 0, start.ply()).first->second;
  ++games;
  ply = std::min(ply, start.ply());
  shogi::Position position = start;
  for (const shogi::Move move : moves.first(std::min(moves.size(), plies_))) {
    played_.emplace_back(position.key(), move.bits());
    position.do_move(move);
  }
}

void GameMoves::keep(std::uint32_t least_games) {
  std::ranges::sort(played_);
  for (auto at = played_.begin(); at != played_.end();) {
    const auto end = std::find_if(at, played_.end(), [&](const auto& each) { return each != *at; });
    if (end - at >= static_cast<std::ptrdiff_t>(least_games)) {
      if (keys_.empty() || keys_.back().first != at->first) {
        keys_.emplace_back(at->first, static_cast<std::uint32_t>(moves_.size()));
      }
      moves_.push_back({.move = shogi::Move::from_bits(at->second), .games = static_cast<std::uint32_t>(end - at)});
    }
    at = end;
  }
  played_ = {};
  std::erase_if(starts_, [&](const auto& each) { return each.second.first < least_games; });
}

std::span<const GameMove> GameMoves::of(const shogi::Position& position) const {
  const auto found = std::ranges::lower_bound(keys_, position.key(), {}, &std::pair<shogi::Key, std::uint32_t>::first);
  if (found == keys_.end() || found->first != position.key()) return {};
  const std::size_t end = std::next(found) == keys_.end() ? moves_.size() : std::next(found)->second;
  return std::span(moves_).subspan(found->second, end - found->second);
}

}  // namespace fuhyo::learn
