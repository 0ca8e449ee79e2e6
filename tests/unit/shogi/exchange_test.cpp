// Static exchange evaluation and check information against slow ways to the same answers.
#include "engines/shogi/exchange.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

#include "engines/shogi/check_info.h"
#include "tests/unit/shogi/boards.h"

namespace fuhyo::shogi {
namespace {

constexpr PieceValues kValues = {0, 90, 315, 405, 495, 855, 990, 540, 0, 540, 540, 540, 540, 945, 1395};

// The largest threshold that is reached.
int worth(const Position& position, std::string_view move) {
  int low = -5'000, high = 5'000;
  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    exchange_reaches(position, usi(move), middle, kValues) ? low = middle : high = middle - 1;
  }
  return low;
}

TEST(Exchange, ByHand) {
  constexpr std::tuple<const char*, const char*, int, const char*> kMoves[] = {
      {"4k4/9/9/9/8g/8R/9/9/4K4 b - 1", "1f1e", 540, "a free gold"},
      {"4k4/9/9/8s/8p/8R/9/9/4K4 b - 1", "1f1e", 90 - 990, "a pawn covered by a silver: the rook is lost"},
      {"4k4/9/9/8s/8p/8R/8L/9/4K4 b - 1", "1f1e", 90 - 990 + 495, "with a lance behind it the silver is won, too"},
      {"4k4/9/9/9/9/9/9/9/R3K4 b - 1", "9i9e", 0, "a quiet move to where it is safe"},
      {"4k4/9/9/p8/9/9/9/9/R3K4 b - 1", "9i9e", -990, "and to where a pawn takes it"},
      {"4k4/9/9/p8/9/9/9/9/4K4 b S 1", "S*9e", -495, "a drop that is taken"},
      {"4k4/9/9/8P/9/9/9/9/4K4 b - 1", "1d1c+", 450, "promoting counts"},
      {"4k4/9/8l/8P/9/9/9/9/4K4 b - 1", "1d1c+", 315 + 450, "and what is lost then is the promoted piece"},
      {"4k4/9/4S4/9/9/9/9/9/4K4 b G 1", "G*5b", 0, "the king does not take what is covered"},
      {"4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5b", -540, "and takes what is not"},
      // The silver on 5d covers 4e, but stands between its king and the rook.
      {"4k4/9/9/4s4/5p3/5R3/9/9/4RK3 b - 1", "4f4e", 90, "a pinned piece does not take"},
      {"4k4/9/9/4s4/5p3/5R3/9/9/5K3 b - 1", "4f4e", 90 - 990, "one that is not pinned does"},
  };
  for (const auto& [sfen, move, value, why] : kMoves) EXPECT_EQ(worth(at(sfen), move), value) << why;
}

// Best play of one exchange by brute force: always the least valuable piece, or stop.
int played_out(Position& position, Square to) {
  Move best;
  int least = 10'000;
  for (const Move m : legal_moves(position)) {
    if (m.to() != to || m.is_drop() || m.is_promotion()) continue;
    const PieceType type = type_of(position.piece_on(m.from()));
    const int value = type == KING ? 9'999 : kValues[type];
    if (value < least) least = value, best = m;
  }
  if (!best) return 0;
  const int won = kValues[type_of(position.piece_on(to))];
  const auto undo = position.do_move(best);
  const int value = std::max(0, won - played_out(position, to));
  position.undo_move(best, undo);
  return value;
}

// The fast way looks at pins only once and may choose another of two equal pieces, or one that must promote: it differs
// from playing out the legal moves, but rarely.
TEST(Exchange, AgreesWithPlayingItOut) {
  std::mt19937 random(11);
  int asked = 0, different = 0;
  for (int game = 0; game < 100; ++game) {
    Position position;
    for (int ply = 0; ply < 120; ++ply) {
      const auto moves = legal_moves(position);
      if (moves.empty()) break;
      for (const Move m : moves) {
        if (m.is_drop() || m.is_promotion() || position.piece_on(m.to()) == NO_PIECE) continue;
        const int won = kValues[type_of(position.piece_on(m.to()))];
        const auto undo = position.do_move(m);
        const int value = won - played_out(position, m.to());
        position.undo_move(m, undo);
        ++asked;
        if (!exchange_reaches(position, m, value, kValues) || exchange_reaches(position, m, value + 1, kValues)) {
          ++different;
        }
      }
      position.do_move(moves[random() % moves.size()]);
    }
  }
  EXPECT_GT(asked, 10'000);
  EXPECT_LT(different * 100, asked * 3) << different << " of " << asked;
}

TEST(CheckInfo, SaysWhatThePositionSays) {
  std::mt19937 random(5);
  int checks = 0;
  for (int game = 0; game < 150; ++game) {
    Position position;
    for (int ply = 0; ply < 200; ++ply) {
      const auto moves = legal_moves(position);
      if (moves.empty()) break;
      const CheckInfo info(position);
      for (const Move m : moves) {
        ASSERT_EQ(info.gives_check(position, m), position.gives_check(m)) << position.sfen() << " " << to_usi(m);
        checks += position.gives_check(m) ? 1 : 0;
      }
      position.do_move(moves[random() % moves.size()]);
    }
  }
  EXPECT_GT(checks, 10'000);
}

}  // namespace
}  // namespace fuhyo::shogi
