// CSA notation of moves and boards ("+7776FU", "P1-KY-KE..."), as the wire, the record files and the reports spell it.
// Pure functions; any thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engines/shogi/position.h"
#include "engines/shogi/types.h"

namespace fuhyo::record {

// "FU", "KY", ... "RY"; "" for NO_PIECE_TYPE.
std::string_view csa_name(shogi::PieceType type);
// NO_PIECE_TYPE for anything else than the fourteen names.
shogi::PieceType piece_of_csa_name(char first, char second);
// '+' for Black, '-' for White.
constexpr char csa_sign(shogi::Color color) { return color == shogi::BLACK ? '+' : '-'; }

// A move as CSA writes it: it names the piece after the move and says nothing about promotion.
struct CsaMove {
  shogi::Color color = shogi::BLACK;
  shogi::Square from = shogi::SQ_NONE;  // SQ_NONE: a drop
  shogi::Square to = shogi::SQ_NONE;
  shogi::PieceType after = shogi::NO_PIECE_TYPE;
  bool operator==(const CsaMove&) const = default;
};

// Exactly sign, origin ("00" for a drop), destination, piece name: seven characters and nothing else.
std::optional<CsaMove> parse_csa_move(std::string_view text);
std::string to_csa(const CsaMove& move);

// The Move that `csa` is in this position, promotion deduced. Legality is not judged. Nothing if there is no such
// move at all: it is the other side's turn, `from` holds no piece of the mover, that piece cannot become `after`,
// or a piece is dropped that no hand can hold.
std::optional<shogi::Move> resolve(const shogi::Position& position, const CsaMove& csa);
// Why resolve() gave nothing, in words: "no own piece on 7g", "the piece on 7g cannot become RY".
std::string why_unresolved(const shogi::Position& position, const CsaMove& csa);

// "+7776FU". `move` need not be legal, but its origin must hold a piece (or it is a drop).
std::string to_csa(const shogi::Position& position, shogi::Move move);

// The board as shogi-server prints it: "P1-KY-KE...\n" to "P9...\n", then "P+00FU00FU...\n" and "P-...\n" where a hand
// is not empty (kinds in the order of their names), then "+\n" or "-\n".
std::string csa_board(const shogi::Position& position);
// The same without the last line, for a bare board.
void append_board(std::string& out, const std::array<shogi::Piece, shogi::SQUARE_NB>& board,
                  const std::array<shogi::Hand, shogi::COLOR_NB>& hands);

}  // namespace fuhyo::record
