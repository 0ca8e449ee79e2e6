#include "engines/match/simple_players.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::match {
namespace {

shogi::Position at(std::string_view sfen) { return *shogi::Position::from_sfen(sfen); }

// Material without any cleverness: every move, no window, mates as in the player.
int plain(const shogi::Position& position, int depth) {
  const auto worth = [](const shogi::Position& of) {
    constexpr std::array<int, shogi::PIECE_TYPE_NB> kWorth = {0, 1, 3, 4, 5, 8, 10, 6, 0, 4, 5, 6, 6, 11, 13};
    int sum = 0;
    for (int s = 0; s < 81; ++s) {
      const shogi::Piece piece = of.piece_on(static_cast<shogi::Square>(s));
      if (piece == shogi::NO_PIECE) continue;
      sum += (shogi::color_of(piece) == shogi::BLACK ? 1 : -1) * kWorth[shogi::type_of(piece)];
    }
    for (const auto type :
         {shogi::PAWN, shogi::LANCE, shogi::KNIGHT, shogi::SILVER, shogi::BISHOP, shogi::ROOK, shogi::GOLD}) {
      sum += kWorth[type] * (of.hand(shogi::BLACK).count(type) - of.hand(shogi::WHITE).count(type));
    }
    return sum;
  };
  if (shogi::count_legal_moves(position) == 0) return -20'000 - 1'000 * depth;
  if (depth == 0) return worth(position) * (position.side_to_move() == shogi::BLACK ? 1 : -1);
  int best = -100'000;
  for (const shogi::Move move : shogi::legal_moves(position)) {
    shogi::Position after = position;
    after.do_move(move);
    best = std::max(best, -plain(after, depth - 1));
  }
  return best;
}

TEST(MaterialPlayer, ChoosesOneOfTheMovesThatAFullSearchFindsBest) {
  for (const char* sfen : {"lnsgk2nl/1r4gb1/p1pppsppp/9/1p5P1/2P6/PPSPPPP1P/7R1/LN1GKGSNL b B 1",
                           "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"}) {
    const shogi::Position position = at(sfen);
    for (const int depth : {1, 2}) {
      int best = -100'000;
      std::set<std::string> moves;
      for (const shogi::Move move : shogi::legal_moves(position)) {
        shogi::Position after = position;
        after.do_move(move);
        const int value = -plain(after, depth - 1);
        if (value > best) moves.clear();
        if (value >= best) moves.insert(to_usi(move));
        best = std::max(best, value);
      }
      std::set<std::string> chosen;
      std::mt19937_64 random(5);
      for (int i = 0; i < 200; ++i) chosen.insert(to_usi(material_move(position, depth, random).move));
      EXPECT_TRUE(std::ranges::includes(moves, chosen)) << sfen << " depth " << depth;
      EXPECT_GE(chosen.size(), std::min<std::size_t>(moves.size(), 2)) << "one of several by lot";
    }
  }
}

TEST(MaterialPlayer, MatesAndResignsWhenMated) {
  std::mt19937_64 random(1);
  const auto mating = at("8k/9/p5G1P/9/9/9/9/9/K8 b G 1");
  for (const int depth : {1, 2, 3}) {
    EXPECT_THAT(to_usi(material_move(mating, depth, random).move), testing::AnyOf("G*1b", "G*2b")) << depth;
  }
  shogi::Position mated = mating;
  mated.do_move(*shogi::parse_usi_move("G*1b"));
  EXPECT_EQ(material_move(mated, 2, random).kind, usi::BestMove::Kind::resign);
  EXPECT_EQ(random_move(mated, random).kind, usi::BestMove::Kind::resign);
}

TEST(RandomPlayer, PlaysEveryLegalMoveAboutAsOften) {
  std::mt19937_64 random(1);
  std::map<std::string, int> times;
  const shogi::Position start;
  for (int i = 0; i < 3000; ++i) ++times[to_usi(random_move(start, random).move)];
  EXPECT_EQ(times.size(), 30U);
  for (const auto& [move, count] : times) EXPECT_NEAR(count, 100, 50) << move;
}

TEST(SimplePlayers, PlayTheSameForTheSameGameAndSeed) {
  const shogi::Position start;
  const std::string line = "position startpos";
  const auto first = [&](std::uint64_t seed, std::int64_t number) {
    const auto player = make_simple_player("random", seed);
    EXPECT_TRUE(player->new_game({.number = number}));
    std::string moves;
    for (int i = 0; i < 10; ++i) {
      moves += to_usi(player->think({.line = line, .position = start, .limits = {}, .patience_us = 1})->best.move);
    }
    return moves;
  };
  EXPECT_EQ(first(1, 1), first(1, 1));
  EXPECT_NE(first(1, 1), first(2, 1));
  EXPECT_NE(first(1, 1), first(1, 2));
  EXPECT_EQ(make_simple_player("material-0", 1), nullptr);
  EXPECT_EQ(make_simple_player("material-6", 1), nullptr);
  EXPECT_EQ(make_simple_player("material-1x", 1), nullptr);
  for (const char* name :
       {"material-", "material-2-", "material-2-0", "material-2-100", "material-2x30", "material-2-+5"}) {
    EXPECT_EQ(make_simple_player(name, 1), nullptr) << name;
  }
  EXPECT_NE(make_simple_player("material-5", 1), nullptr);
  EXPECT_EQ(make_simple_player("material-2-30", 1)->name(), "material-2-30");
}

}  // namespace
}  // namespace fuhyo::match
