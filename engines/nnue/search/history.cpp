#include "engines/nnue/search/history.h"

#include <algorithm>
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

// The same number in every entry of a table: copies of its beginning, which stay in the nearest cache.
template <class Entry>
void fill(void* table, std::size_t bytes, int value) {
  constexpr std::size_t kPiece = 16 * 1024;
  Entry first;
  first.set(value);
  std::memcpy(table, static_cast<const void*>(&first), sizeof first);
  for (std::size_t done = sizeof first; done < bytes;) {
    const std::size_t more = std::min({done, bytes - done, kPiece});
    std::memcpy(static_cast<char*>(table) + done, table, more);
    done += more;
  }
}

}  // namespace

void LowPlyHistory::clear() {
  fill<Entry>(&table_, sizeof table_, kFresh);
  changed_ = 0;
}

void LowPlyHistory::forget() {
  if (changed_ == kMostChanged) return clear();
  for (std::size_t i = 0; i < changed_; ++i) changes_[i]->set(kFresh);
  changed_ = 0;
}

void History::clear() {
  const auto zero = [](auto& table) { std::memset(static_cast<void*>(&table), 0, sizeof table); };
  zero(main);
  zero(capture);
  zero(correction_continuation);
  low_ply.clear();
  // Nothing is known of most moves: a little below nothing, so that what has worked stands out.
  fill<StatsEntry<30'000>>(&continuation, sizeof continuation, -450);
}

void SharedHistory::clear() {
  std::memset(static_cast<void*>(this), 0, sizeof *this);
  fill<SharedStatsEntry<8'192>>(&pawn, sizeof pawn, -800);
}

}  // namespace fuhyo::nnue
