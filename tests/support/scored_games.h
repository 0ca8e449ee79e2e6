// Games with scores, drawn by seed: random legal moves from several kinds of starts, with scores that go as searches'
// do.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>
#include <random>
#include <string_view>
#include <vector>

#include "engines/record/scored_game.h"
#include "engines/shogi/movegen.h"

namespace fuhyo::test {

using Random = std::mt19937_64;

// The standard position, one that moves were made before, handicaps, pieces in the box, 18 pawns in hand, no king.
inline constexpr std::array<std::string_view, 8> kStarts = {
    shogi::Position::kStartSfen,
    shogi::Position::kStartSfen,
    "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 37",
    "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 2r2b9p 1",
    "lnsgkgsnl/1r5b1/9/9/9/9/9/1B5R1/LNSGKGSNL w 18P 200",
    "8k/9/8P/9/9/9/9/9/9 b G 1",
    "8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",  // PackedSfen cannot hold it
};

inline record::ScoredGame random_game(Random& random, std::string_view start = {}) {
  if (start.empty()) start = kStarts[random() % kStarts.size()];
  record::ScoredGame game{.start = *shogi::Position::from_sfen(start), .moves = {}};
  shogi::Position position = game.start;
  const std::size_t plies = random() % 200, searched_from = random() % 20;
  int lead = 0;  // Black's
  for (std::size_t ply = 0; ply < plies; ++ply) {
    const auto moves = shogi::legal_moves(position);
    if (moves.empty()) {
      game.end = record::ScoredEnd::no_move;
      game.winner = position.side_to_move() == shogi::BLACK ? record::Winner::white : record::Winner::black;
      return game;
    }
    const shogi::Move move = moves[random() % moves.size()];
    record::ScoredMove scored{.move = move, .score = {}};
    lead += static_cast<int>(random() % 81) - 40;
    if (random() % 64 == 0) lead = lead > 0 ? -31'900 : 31'900;  // a mate is seen
    lead = std::clamp(lead, -32'000, 32'000);
    const int own = position.side_to_move() == shogi::BLACK ? lead : -lead;
    if (ply >= searched_from && random() % 16 != 0) scored.score = static_cast<std::int16_t>(own + 20);
    game.moves.push_back(scored);
    position.do_move(move);
  }
  game.winner = static_cast<record::Winner>(random() % 3);
  game.end = static_cast<record::ScoredEnd>(random() % 6);
  return game;
}

inline std::vector<record::ScoredGame> random_games(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<record::ScoredGame> games;
  for (std::size_t i = 0; i < count; ++i) games.push_back(random_game(random));
  return games;
}

inline bool same(const record::ScoredGame& a, const record::ScoredGame& b) {
  return a.start.same_as(b.start) && a.start.ply() == b.start.ply() && a.moves == b.moves && a.winner == b.winner &&
         a.end == b.end;
}

}  // namespace fuhyo::test
