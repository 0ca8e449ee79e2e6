// Counts the moves that were played in games, by position; transpositions count together. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engines/record/packed_sfen.h"
#include "engines/shogi/position.h"

namespace fuhyo::learn {

struct GameMove {
  shogi::Move move;
  std::uint32_t games = 0;
  bool operator==(const GameMove&) const = default;
};

// Positions are told apart by 64 bits. While games are counted, 16 bytes for each of their moves are kept.
class GameMoves {
 public:
  // The first `plies` moves of each game count.
  explicit GameMoves(std::size_t plies) : plies_(plies) {}

  void add(const shogi::Position& start, std::span<const shogi::Move> moves);
  // Once, after the last game: drops moves and starts of fewer games.
  void keep(std::uint32_t least_games);

  // After keep(): the moves played in a position, by their bits.
  std::span<const GameMove> of(const shogi::Position& position) const;
  // After keep(): where games began.
  const std::map<record::PackedSfen, std::pair<std::uint32_t, int>>& starts() const { return starts_; }
  std::size_t positions() const { return keys_.size(); }
  std::uint64_t games() const { return games_; }

 private:
  std::size_t plies_;
  std::uint64_t games_ = 0;
  std::vector<std::pair<shogi::Key, std::uint16_t>> played_;  // until keep()
  std::vector<std::pair<shogi::Key, std::uint32_t>> keys_;    // sorted, with where their moves begin
  std::vector<GameMove> moves_;
  std::map<record::PackedSfen, std::pair<std::uint32_t, int>> starts_;  // games, and moves made before
};

}  // namespace fuhyo::learn
