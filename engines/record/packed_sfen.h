// A position in 32 bytes, as YaneuraOu packs it ("PackedSfen"): every piece of a set has its place, on the board, in a
// hand or in the box, and all of them together take exactly 256 bits. The move number is not among them.
// Pure functions; any thread.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>

#include "engines/shogi/position.h"

namespace fuhyo::record {

struct PackedSfen {
  static constexpr std::size_t kSize = 32;
  std::array<std::uint8_t, kSize> bytes{};
  auto operator<=>(const PackedSfen&) const = default;  // byte by byte, which is the order of YaneuraOu's .ybb files
};

// Nothing for what cannot be packed: more pieces than a set has, or a missing king whose square takes the last bit
// although that is not zero (as it is where White holds the last piece).
std::optional<PackedSfen> pack(const shogi::Position& position);

// The position with this number of moves made before. Bytes that are no position are an error that says why.
std::expected<shogi::Position, std::string> unpack(const PackedSfen& packed, int ply = 0);

// Training data of YaneuraOu ("PackedSfenValue"): a position and what is known of it, 40 bytes on disk.
struct PackedSfenValue {
  static constexpr std::size_t kSize = 40;
  PackedSfen position{};
  std::int16_t score = 0;      // for the side to move
  shogi::Move move{};          // the best one
  std::uint16_t game_ply = 0;  // the move number
  std::int8_t result = 0;      // of the game for the side to move: 1, 0 or -1
  std::uint8_t padding = 0;    // tanuki-: bit 0 the last position of a game, bit 1 entering king
  bool operator==(const PackedSfenValue&) const = default;
};
std::array<std::uint8_t, PackedSfenValue::kSize> to_bytes(const PackedSfenValue& value);
PackedSfenValue packed_sfen_value(std::span<const std::uint8_t, PackedSfenValue::kSize> bytes);

}  // namespace fuhyo::record
