// Inputs and labels of networks for shogi (engines/mcts/shogi) with left and right exchanged. Pure; any thread.
#pragma once

#include <array>
#include <cstdint>

#include "engines/mcts/shogi/labels.h"
#include "engines/nn/backend.h"

namespace fuhyo::learn::policy {

// Files are nine bits each, the first one lowest.
constexpr nn::Plane mirrored(const nn::Plane& plane) {
  unsigned __int128 in = static_cast<unsigned __int128>(plane[1]) << 64U | plane[0], out = 0;
  for (int file = 0; file < 9; ++file, in >>= 9U) out = out << 9U | (in & 0x1FFU);
  return {static_cast<std::uint64_t>(out), static_cast<std::uint64_t>(out >> 64U)};
}

constexpr std::uint32_t mirrored_label(std::uint32_t label) {
  // Ways to the left become ways to the right; drops stay.
  constexpr std::array<std::uint32_t, 10> kWays = {0, 2, 1, 4, 3, 5, 7, 6, 9, 8};
  const std::uint32_t way = label / 81, square = label % 81;
  const std::uint32_t turned = way < 20 ? way / 10 * 10 + kWays[way % 10] : way;
  return turned * 81 + (8 - square / 9) * 9 + square % 9;
}

}  // namespace fuhyo::learn::policy
