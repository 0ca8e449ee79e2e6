// A position in 32 bytes, as Apery, dlshogi and cshogi pack it ("HuffmanCodedPos", hcp): the idea of PackedSfen with
// other codes; and moves in 16 bits as those programs number them. The move number is not kept. Pure functions; any
// thread.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include "engines/shogi/position.h"
#include "engines/shogi/types.h"

namespace fuhyo::record {

struct Hcp {
  static constexpr std::size_t kSize = 32;
  std::array<std::uint8_t, kSize> bytes{};
  auto operator<=>(const Hcp&) const = default;
};

// Nothing for what cannot be packed, which is what PackedSfen cannot hold either (packed_sfen.h).
std::optional<Hcp> pack_hcp(const shogi::Position& position);
// The position with this number of moves made before. Bytes that are no position are an error that says why.
std::expected<shogi::Position, std::string> unpack(const Hcp& hcp, int ply = 0);

// Apery's numbers of moves: bits 0-6 destination; 7-13 origin, or 80 and the dropped kind; 14 promotion.
std::uint16_t apery_bits(shogi::Move move);
// Nothing for numbers that no move has. Whether it is legal is a position's to say.
std::optional<shogi::Move> move_of_apery_bits(std::uint16_t bits);

}  // namespace fuhyo::record
