#include "engines/record/hcp.h"

#include "engines/record/huffman.h"

namespace fuhyo::record {
namespace {

using huffman::Code;
using shogi::PieceType;

struct Kind {
  Code board;  // then comes a bit for the colour, and one for promotion (not of gold)
  Code hand;   // then comes a bit for the colour
  Code box;
};
constexpr std::array<Kind, 8> kKinds = {{
    {},
    {{0x01, 2}, {0x00, 2}, {0x02, 3}},  // pawn
    {{0x03, 4}, {0x01, 4}, {0x09, 5}},  // lance
    {{0x07, 4}, {0x03, 4}, {0x0b, 5}},  // knight
    {{0x0b, 4}, {0x05, 4}, {0x0d, 5}},  // silver
    {{0x1f, 6}, {0x1f, 6}, {0x0f, 7}},  // bishop
    {{0x3f, 6}, {0x3f, 6}, {0x2f, 7}},  // rook
    {{0x0f, 5}, {0x07, 4}, {0x1d, 5}},  // gold
}};

constexpr Code with_bit(Code code, unsigned bit) {
  return {static_cast<std::uint8_t>(code.bits | bit << code.length), static_cast<std::uint8_t>(code.length + 1)};
}

constexpr huffman::CodeTable make_table() {
  huffman::CodeTable table;
  table.board[shogi::NO_PIECE] = {0, 1};
  for (unsigned i = shogi::PAWN; i <= shogi::GOLD; ++i) {
    const auto kind = static_cast<PieceType>(i);
    table.box[kind][0] = kKinds[kind].box;
    for (const shogi::Color owner : {shogi::BLACK, shogi::WHITE}) {
      const Code coloured = with_bit(kKinds[kind].board, owner);
      table.hand[kind][owner] = with_bit(kKinds[kind].hand, owner);
      table.board[shogi::make_piece(owner, kind)] = kind == shogi::GOLD ? coloured : with_bit(coloured, 0);
      if (kind == shogi::GOLD) continue;
      table.board[shogi::make_piece(owner, shogi::promoted(kind))] = with_bit(coloured, 1);
    }
  }
  return with_lookups(table);
}

constexpr huffman::CodeTable kTable = make_table();
constexpr unsigned kPromotion = 1U << 14U;
constexpr unsigned kDrops = 80;  // the origin of a drop is this and the kind

}  // namespace

std::optional<Hcp> pack_hcp(const shogi::Position& position) {
  const auto packed = huffman::pack(position, kTable);
  return packed ? std::optional(Hcp{*packed}) : std::nullopt;
}

std::expected<shogi::Position, std::string> unpack(const Hcp& hcp, int ply) {
  return huffman::unpack(hcp.bytes, kTable, ply);
}

std::uint16_t apery_bits(shogi::Move move) {
  const unsigned origin = move.is_drop() ? kDrops + move.dropped() : static_cast<unsigned>(move.from());
  return static_cast<std::uint16_t>(static_cast<unsigned>(move.to()) | origin << 7U |
                                    (move.is_promotion() ? kPromotion : 0U));
}

std::optional<shogi::Move> move_of_apery_bits(std::uint16_t bits) {
  const unsigned to = bits & 0x7fU, origin = bits >> 7U & 0x7fU;
  const bool promotion = (bits & kPromotion) != 0;
  if (to >= shogi::SQUARE_NB || origin > kDrops + shogi::GOLD || bits >> 15U != 0) return std::nullopt;
  const auto square = static_cast<shogi::Square>(to);
  if (origin <= kDrops) return shogi::Move::board(static_cast<shogi::Square>(origin), square, promotion);
  if (promotion) return std::nullopt;
  return shogi::Move::drop(static_cast<PieceType>(origin - kDrops), square);
}

}  // namespace fuhyo::record
