// A training position in a compact form: the place of each piece, the result and the score. Plain values; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "engines/nnue/net/numbering.h"
#include "engines/shogi/position.h"

namespace fuhyo::learn {

constexpr std::size_t kPieces = 38;  // of a set, without kings

struct Sample {
  std::array<nnue::Number, kPieces> pieces{};  // as Black sees them; 0 for one that is missing
  std::array<std::uint8_t, 2> kings{};         // squares by colour; 81: there is none
  std::uint8_t turn = shogi::BLACK;
  std::int8_t result = 0;  // of the game, for the side to move: 1, 0 or -1
  std::int16_t score = 0;  // for the side to move
  bool operator==(const Sample&) const = default;
};

// Nothing if there are more pieces than a set has.
std::optional<Sample> sample_of(const shogi::Position& position, std::int16_t score = 0, int result = 0);

}  // namespace fuhyo::learn
