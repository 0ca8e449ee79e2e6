// A position as text: taken or refused, and what was taken is written so that it is taken again as the same position.

#include "engines/shogi/position.h"
#include "tests/fuzz/fuzz.h"

using fuhyo::fuzz::require;
using fuhyo::shogi::Move;
using fuhyo::shogi::Position;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto position = Position::from_sfen(fuhyo::fuzz::text(data, size));
  if (!position) {
    require(!position.error().message.empty(), "a refusal says why");
    return 0;
  }
  const std::string sfen = position->sfen();
  const auto again = Position::from_sfen(sfen);
  require(again.has_value() && again->sfen() == sfen && again->key() == position->key(),
          "a position survives its SFEN");
  // Any 16 bits may be asked whether they are a legal move; legal ones can be made and taken back.
  for (std::uint32_t bits = 0; bits < 0x10000; bits += 1 + static_cast<std::uint32_t>(size % 5)) {
    const Move move = Move::from_bits(static_cast<std::uint16_t>(bits));
    if (!position->is_legal(move)) continue;
    Position after = *position;
    const auto undo = after.do_move(move);
    require(Position::from_sfen(after.sfen()).has_value(), "a legal move leads to a valid position");
    after.undo_move(move, undo);
    require(after.sfen() == sfen && after.key() == position->key(), "taking a move back restores everything");
  }
  return 0;
}
