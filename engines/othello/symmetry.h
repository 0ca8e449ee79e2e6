// The eight ways in which a square board looks the same. Pure; any thread.
#pragma once

#include <bit>
#include <cstdint>

#include "engines/othello/board.h"

namespace fuhyo::othello {

// Turn t: files and ranks change places (4), then ranks are counted from the other end (2), then files (1).
constexpr int kTurns = 8;

constexpr int turned_square(int square, int turn) {
  int file = square % 8, rank = square / 8;
  if ((turn & 4) != 0) {
    const int former = file;
    file = rank;
    rank = former;
  }
  if ((turn & 2) != 0) rank = 7 - rank;
  if ((turn & 1) != 0) file = 7 - file;
  return rank * 8 + file;
}

constexpr std::uint64_t turned(std::uint64_t squares, int turn) {
  std::uint64_t out = 0;
  for (; squares != 0; squares &= squares - 1) out |= 1ULL << turned_square(std::countr_zero(squares), turn);
  return out;
}

constexpr Board turned(const Board& board, int turn) {
  return {.own = turned(board.own, turn), .other = turned(board.other, turn)};
}

}  // namespace fuhyo::othello
