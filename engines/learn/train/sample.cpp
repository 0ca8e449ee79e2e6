#include "engines/learn/train/sample.h"

namespace fuhyo::learn {

std::optional<Sample> sample_of(const shogi::Position& position, std::int16_t score, int result) {
  Sample sample{.kings = {static_cast<std::uint8_t>(position.king_square(shogi::BLACK)),
                          static_cast<std::uint8_t>(position.king_square(shogi::WHITE))},
                .turn = position.side_to_move(),
                .result = static_cast<std::int8_t>(result),
                .score = score};
  std::size_t count = 0;
  bool fits = true;
  const auto add = [&](nnue::Number number) {
    fits = fits && count < kPieces;
    if (fits) sample.pieces[count++] = number;
  };
  (position.occupied() - position.pieces(shogi::KING)).for_each([&](shogi::Square square) {
    add(nnue::board_number(position.piece_on(square), square));
  });
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    const shogi::Hand hand = position.hand(side);
    if (hand.empty()) continue;
    for (int index = shogi::PAWN; index <= shogi::GOLD; ++index) {
      const auto type = static_cast<shogi::PieceType>(index);
      const int held = hand.count(type);
      fits = fits && held <= nnue::numbered_in_hand(type);
      for (int nth = 1; fits && nth <= held; ++nth) add(nnue::hand_number(side, type, nth));
    }
  }
  return fits ? std::optional(sample) : std::nullopt;
}

}  // namespace fuhyo::learn
