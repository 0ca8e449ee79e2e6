#include "engines/record/packed_sfen.h"

#include <algorithm>
#include <utility>

#include "engines/record/huffman.h"

namespace fuhyo::record {
namespace {

using huffman::Code;
using shogi::PieceType;

// What stands for a kind on the board: then comes a bit for promotion (not of gold), then one for the colour. In hands
// the first bit is left out. No code begins with another one.
constexpr std::array<Code, 8> kCodes = {{
    {0, 1},     // an empty square
    {0x01, 2},  // pawn
    {0x03, 4},  // lance
    {0x0b, 4},  // knight
    {0x07, 4},  // silver
    {0x1f, 6},  // bishop
    {0x3f, 6},  // rook
    {0x0f, 5},  // gold
}};

constexpr Code with_bits(Code code, PieceType kind, bool promoted, unsigned colour) {
  unsigned bits = code.bits, length = code.length;
  if (kind != shogi::GOLD) bits |= (promoted ? 1U : 0U) << length++;
  bits |= colour << length++;
  return {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(length)};
}

constexpr Code in_hand(PieceType kind) {
  return {static_cast<std::uint8_t>(kCodes[kind].bits >> 1U), static_cast<std::uint8_t>(kCodes[kind].length - 1)};
}

constexpr huffman::CodeTable make_table() {
  huffman::CodeTable table;
  table.board[shogi::NO_PIECE] = kCodes[0];
  for (unsigned i = shogi::PAWN; i <= shogi::GOLD; ++i) {
    const auto kind = static_cast<PieceType>(i);
    for (const shogi::Color owner : {shogi::BLACK, shogi::WHITE}) {
      table.board[shogi::make_piece(owner, kind)] = with_bits(kCodes[kind], kind, false, owner);
      table.hand[kind][owner] = with_bits(in_hand(kind), kind, false, owner);
      if (kind == shogi::GOLD) continue;
      table.board[shogi::make_piece(owner, shogi::promoted(kind))] = with_bits(kCodes[kind], kind, true, owner);
      // In the box, as a promoted piece in Black's hand, which does not exist.
      table.box[kind][owner] = with_bits(in_hand(kind), kind, true, owner);
    }
  }
  // Gold as a promoted silver in White's hand.
  table.box[shogi::GOLD][0] = std::exchange(table.box[shogi::SILVER][1], Code());
  return with_lookups(table);
}

constexpr huffman::CodeTable kTable = make_table();

}  // namespace

std::optional<PackedSfen> pack(const shogi::Position& position) {
  const auto packed = huffman::pack(position, kTable);
  return packed ? std::optional(PackedSfen{*packed}) : std::nullopt;
}

std::expected<shogi::Position, std::string> unpack(const PackedSfen& packed, int ply) {
  return huffman::unpack(packed.bytes, kTable, ply);
}

std::array<std::uint8_t, PackedSfenValue::kSize> to_bytes(const PackedSfenValue& value) {
  std::array<std::uint8_t, PackedSfenValue::kSize> bytes{};
  auto out = std::ranges::copy(value.position.bytes, bytes.begin()).out;
  const auto put16 = [&](std::uint16_t number) {
    *out++ = static_cast<std::uint8_t>(number & 0xff);
    *out++ = static_cast<std::uint8_t>(number >> 8);
  };
  put16(static_cast<std::uint16_t>(value.score));
  put16(value.move.bits());
  put16(value.game_ply);
  *out++ = static_cast<std::uint8_t>(value.result);
  *out = value.padding;
  return bytes;
}

PackedSfenValue packed_sfen_value(std::span<const std::uint8_t, PackedSfenValue::kSize> bytes) {
  const auto get16 = [&](std::size_t at) { return static_cast<std::uint16_t>(bytes[at] | bytes[at + 1] << 8); };
  PackedSfenValue value;
  std::ranges::copy(bytes.first<PackedSfen::kSize>(), value.position.bytes.begin());
  value.score = static_cast<std::int16_t>(get16(32));
  value.move = shogi::Move::from_bits(get16(34));
  value.game_ply = get16(36);
  value.result = static_cast<std::int8_t>(bytes[38]);
  value.padding = bytes[39];
  return value;
}

}  // namespace fuhyo::record
