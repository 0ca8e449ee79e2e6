#include "engines/record/setup.h"

#include <gtest/gtest.h>

#include "engines/record/csa_reader.h"
#include "engines/record/game.h"

namespace fuhyo::record {
namespace {

using namespace shogi;

TEST(Setup, StandardIsTheStartPosition) {
  EXPECT_EQ(record::Setup::standard().sfen(), Position::kStartSfen);
  EXPECT_EQ(record::Setup::of(Position()), Setup::standard());
  for (int t = PAWN; t <= KING; ++t) EXPECT_EQ(record::Setup::standard().missing(static_cast<PieceType>(t)), 0);
}

TEST(Setup, BecomesAPositionAndBack) {
  const std::string sfen = "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 1";
  const auto position = Position::from_sfen(sfen);
  ASSERT_TRUE(position) << position.error().message;
  const record::Setup setup = record::Setup::of(*position);
  EXPECT_EQ(setup.sfen(), sfen);
  ASSERT_TRUE(setup.position());
  EXPECT_EQ(setup.position()->key(), position->key());
}

TEST(Setup, AppliesWhateverItIsTold) {
  record::Setup setup = record::Setup::standard();
  setup.apply(Move::board(make_square(8, 8), make_square(5, 1), true));  // takes the king, promoting
  EXPECT_EQ(setup.sfen(), "lnsg+Bgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/7R1/LNSGKGSNL w - 1");
  setup.apply(Move::board(make_square(8, 2), make_square(5, 1), false));
  EXPECT_EQ(setup.hands[WHITE].count(BISHOP), 1) << "a promoted piece is held unpromoted";
  setup.apply(Move::board(make_square(9, 9), make_square(9, 7), false));  // takes an own piece
  EXPECT_EQ(setup.hands[BLACK].count(PAWN), 1);
}

TEST(GamePositions, AfterEveryPly) {
  const auto file = read_csa("PI\n+\n+7776FU\n-3334FU\n+8822UM\n");
  ASSERT_TRUE(file);
  const Game& game = file->games[0].game;
  EXPECT_EQ(setup_at(game, 0), game.start);
  EXPECT_EQ(setup_at(game, 1).sfen(), "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 1");
  EXPECT_EQ(setup_at(game, 3), final_setup(game));
  EXPECT_EQ(setup_at(game, 99), final_setup(game));
  EXPECT_EQ(setup_at(game, -1), game.start);
}

std::optional<IllegalPly> illegal_of(std::string_view text) {
  const auto file = read_csa(text);
  EXPECT_TRUE(file) << to_string(file.error());
  const auto illegal = first_illegal(file->games[0].game);
  EXPECT_TRUE(illegal) << illegal.error();
  return *illegal;
}

TEST(FirstIllegal, FindsTheForbiddenMove) {
  EXPECT_EQ(illegal_of("PI\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n%TORYO\n"), std::nullopt);
  EXPECT_EQ(illegal_of("PI\n+\n+7776FU\n-8384FU\n+8822UM\n-3122GI\n%TORYO\n"), (IllegalPly{3, Illegal::unreachable}))
      << "3c stands in between";
  EXPECT_EQ(illegal_of("P-51OU55HI\nP+59OU\nP+00FU\n+\n+0012FU\n"), (IllegalPly{1, Illegal::king_in_check}));
  EXPECT_FALSE(first_illegal(read_csa("P+55FU54FU\n+\n")->games[0].game)) << "the start is impossible";
}

}  // namespace
}  // namespace fuhyo::record
