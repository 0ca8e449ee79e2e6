// The rules of Othello on 8x8 squares, as bits. Square s is file s % 8 (a to h), rank s / 8 (1 to 8). Who cannot turn
// over a stone passes; where neither side can, the game is over, and who has more stones has won. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fuhyo::othello {

constexpr int kSquares = 64;
constexpr int kPass = 64;        // as a move
constexpr int kMostPlies = 128;  // no game is longer: 60 stones, and never two passes on end

struct Board {
  std::uint64_t own = 0, other = 0;  // stones of the side to move, and of the other one

  // d5 and e4 are those of black, who moves first; d4 and e5 are white's.
  static constexpr Board start() { return {.own = 1ULL << 28 | 1ULL << 35, .other = 1ULL << 27 | 1ULL << 36}; }
  bool operator==(const Board&) const = default;

  // Squares on which the side to move may put a stone; none: it passes, or the game is over.
  std::uint64_t moves() const;
  // Stones that a stone on that empty square turns over.
  std::uint64_t flips(int square) const;
  // A move that is legal; the other side is to move then.
  void play(int move);
  bool over() const;
  // Stones of the side to move less those of the other one.
  int lead() const;
};

// Sequences of `depth` moves, a pass being one; a game that is over earlier counts as one sequence.
std::uint64_t perft(const Board& board, int depth);

// "f4"; "pass".
std::string to_text(int move);
// Nothing if it is no square; large letters are as good.
std::optional<int> parse_square(std::string_view text);

}  // namespace fuhyo::othello
