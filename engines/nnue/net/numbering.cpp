#include "engines/nnue/net/numbering.h"

namespace fuhyo::nnue {
namespace {

constexpr Number renumber_hand(View view, Number number) {
  if ((view & 1) == 0) return number;
  for (int type = shogi::PAWN; type <= shogi::GOLD; ++type) {
    const auto kind = static_cast<shogi::PieceType>(type);
    for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
      for (int nth = 1; nth <= numbered_in_hand(kind); ++nth) {
        if (hand_number(side, kind, nth) == number) return hand_number(~side, kind, nth);
      }
    }
  }
  return number;  // the gaps between the blocks mean nothing
}

constexpr Number renumber_board(View view, Number number) {
  const int plane = (number - kBoardNumbers) / 81;
  const auto square = static_cast<shogi::Square>((number - kBoardNumbers) % 81);
  const int seen = (view & 1) != 0 ? plane ^ 1 : plane;  // own and other planes alternate
  return static_cast<Number>(kBoardNumbers + seen * 81 + seen_by(view, square));
}

constexpr auto make_table() {
  std::array<std::array<Number, kNumbers>, kViews> table{};
  for (int view = 0; view < kViews; ++view) {
    for (Number number = 0; number < kNumbers; ++number) {
      const auto as = static_cast<View>(view);
      table[static_cast<std::size_t>(view)][number] =
          number < kBoardNumbers ? renumber_hand(as, number) : renumber_board(as, number);
    }
  }
  return table;
}

}  // namespace

namespace detail {
constexpr std::array<std::array<Number, kNumbers>, kViews> kRenumbered = make_table();
}  // namespace detail

}  // namespace fuhyo::nnue
