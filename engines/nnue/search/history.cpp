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

namespace {

// The same number everywhere: one part is filled, the others are copies of it.
template <class Part>
void fill(Part* parts, std::size_t count, int value) {
  for (auto& piece : *parts) {
    for (auto& entry : piece) entry.set(value);
  }
  for (std::size_t i = 1; i < count; ++i) std::memcpy(static_cast<void*>(parts + i), parts, sizeof(Part));
}

}  // namespace

void History::clear() {
  std::memset(static_cast<void*>(this), 0, sizeof *this);
  forget_low_plies();
  // Nothing is known of most moves: a little below nothing, so that what has worked stands out.
  Continuation* const first = &continuation[0][0][0];
  fill(first, sizeof continuation / sizeof *first, -450);
}

void SharedHistory::clear() {
  std::memset(static_cast<void*>(this), 0, sizeof *this);
  fill(pawn.data(), pawn.size(), -800);
}

void History::forget_low_plies() {
  for (auto& ply : low_ply) {
    for (auto& entry : ply) entry.set(80);
  }
}

}  // namespace fuhyo::nnue
