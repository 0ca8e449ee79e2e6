// What the positions of 32 bytes have in common (PackedSfen, hcp): the side to move, the squares of the kings (81:
// none), a code for each other square, then codes for what is in the hands and in the box, lowest bit first. They
// differ in codes. For these formats only. Pure functions; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include "engines/shogi/position.h"
#include "engines/shogi/types.h"

namespace fuhyo::record::huffman {

constexpr int kBits = 256;
using Packed = std::array<std::uint8_t, kBits / 8>;

// The lowest `length` bits of `bits`, the lowest first. No code of a table begins with another one.
struct Code {
  std::uint8_t bits = 0;
  std::uint8_t length = 0;  // up to 8; 0: there is none
};

// What comes next, by the next eight bits.
struct Entry {
  shogi::Piece piece = shogi::NO_PIECE;  // none: an empty square, or a piece in the box
  std::uint8_t length = 0;               // 0: nothing begins so
};
using Lookup = std::array<Entry, 256>;

struct CodeTable {
  std::array<Code, 32> board{};               // by piece
  std::array<std::array<Code, 2>, 8> hand{};  // by kind and owner
  std::array<std::array<Code, 2>, 8> box{};   // by kind; the first is written, both are read
  Lookup on_board{}, in_hand{};               // filled by with_lookups()
};

constexpr void add_entry(Lookup& lookup, Code code, shogi::Piece piece) {
  if (code.length == 0) return;
  for (unsigned rest = 0; rest < 256U >> code.length; ++rest) {
    lookup[code.bits | rest << code.length] = {.piece = piece, .length = code.length};
  }
}

constexpr CodeTable with_lookups(CodeTable table) {
  for (unsigned piece = 0; piece < table.board.size(); ++piece) {
    add_entry(table.on_board, table.board[piece], static_cast<shogi::Piece>(piece));
  }
  for (unsigned kind = shogi::PAWN; kind <= shogi::GOLD; ++kind) {
    for (const shogi::Color owner : {shogi::BLACK, shogi::WHITE}) {
      add_entry(table.in_hand, table.hand[kind][owner], shogi::make_piece(owner, static_cast<shogi::PieceType>(kind)));
      add_entry(table.in_hand, table.box[kind][owner], shogi::NO_PIECE);
    }
  }
  return table;
}

// Nothing for what does not fit: more pieces than a set has, or a missing king whose square takes the last bit although
// that is not zero.
std::optional<Packed> pack(const shogi::Position& position, const CodeTable& table);
std::expected<shogi::Position, std::string> unpack(const Packed& packed, const CodeTable& table, int ply);

}  // namespace fuhyo::record::huffman
