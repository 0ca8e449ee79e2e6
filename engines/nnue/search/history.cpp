#include "engines/nnue/search/history.h"

#include <cstring>

#include "engines/shogi/zobrist.h"

namespace fuhyo::nnue {
namespace {

bool is_minor(shogi::PieceType type) {
  using namespace shogi;
  return type != PAWN && type != KING && type != BISHOP && type != ROOK && type != HORSE && type != DRAGON;
}

}  // namespace

void PartKeys::flip(shogi::Piece piece, shogi::Square square) {
  const shogi::Key key = shogi::detail::kZobrist.on(piece, square);
  const shogi::PieceType type = shogi::type_of(piece);
  if (type == shogi::PAWN) {
    pawns ^= key;
    return;
  }
  others[shogi::color_of(piece)] ^= key;
  if (is_minor(type)) minors ^= key;
}

PartKeys PartKeys::of(const shogi::Position& position) {
  PartKeys keys;
  position.occupied().for_each([&](shogi::Square s) { keys.flip(position.piece_on(s), s); });
  return keys;
}

void PartKeys::update(const shogi::Position& position, shogi::Move move, shogi::Piece captured) {
  const shogi::Square to = move.to();
  const shogi::Piece piece = position.piece_on(to);
  flip(piece, to);
  if (move.is_drop()) return;
  flip(move.is_promotion() ? static_cast<shogi::Piece>(piece - 8) : piece, move.from());
  if (captured != shogi::NO_PIECE) flip(captured, to);
}

void History::clear() {
  std::memset(static_cast<void*>(this), 0, sizeof *this);
  for (auto& side : low_ply) {
    for (auto& entry : side) entry.set(80);
  }
  // Nothing is known of most moves: a little below nothing, so that what has worked stands out.
  for (auto& slot : pawn) {
    for (auto& piece : slot) {
      for (auto& entry : piece) entry.set(-800);
    }
  }
  for (auto& capturing : continuation) {
    for (auto& slice : capturing) {
      for (auto& piece : slice) {
        for (auto& square : piece) {
          for (auto& to : square) {
            for (auto& entry : to) entry.set(-450);
          }
        }
      }
    }
  }
}

}  // namespace fuhyo::nnue
