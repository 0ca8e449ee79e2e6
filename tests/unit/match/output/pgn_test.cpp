// Games of a match as PGN, word for word.
#include "engines/match/output/pgn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/match/output/sample_game.h"

namespace fuhyo::match {
namespace {

using testing::HasSubstr;

TEST(Pgn, CallsWhiteWhoMovesFirst) {
  EXPECT_EQ(to_pgn(sample_game(), PgnMoves::usi),
            "[Event \"match\"]\n[Site \"?\"]\n[Date \"2026.11.22\"]\n[Round \"1\"]\n[White \"new\"]\n[Black \"old\"]\n"
            "[Result \"1-0\"]\n[UTCTime \"08:00:00\"]\n[Opening \"Yokofu\"]\n"
            "[SFEN \"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\"]\n"
            "[WhiteTimeControl \"time=2000,inc=100\"]\n[BlackTimeControl \"nodes=5000\"]\n[PlyCount \"6\"]\n"
            "[Termination \"resignation\"]\n\n1. 7g7f 3c3d 2. 8h2b+ 3a2b 3. B*5e 8c8d 1-0\n\n");
}

TEST(Pgn, SaysTheResultTwice) {
  PlayedGame game = sample_game();
  game.result = GameResult::white_wins;
  EXPECT_THAT(to_pgn(game, PgnMoves::usi), HasSubstr("[Result \"0-1\"]"));
  EXPECT_THAT(to_pgn(game, PgnMoves::none), testing::EndsWith("\n\n0-1\n\n"));
  game.result = GameResult::draw;
  EXPECT_THAT(to_pgn(game, PgnMoves::usi), HasSubstr("[Result \"1/2-1/2\"]"));
  EXPECT_THAT(to_pgn(game, PgnMoves::none), testing::EndsWith("\n\n1/2-1/2\n\n"));
}

TEST(Pgn, EscapesNamesAndCountsOpeningsWithoutOne) {
  PlayedGame game = sample_game();
  game.names = {"a \"b\" \\c", "x\ny"};
  game.opening_name.clear();
  const std::string text = to_pgn(game, PgnMoves::none);
  EXPECT_THAT(text, HasSubstr("[White \"a \\\"b\\\" \\\\c\"]\n[Black \"x y\"]\n"));
  EXPECT_THAT(text, HasSubstr("[Opening \"4\"]\n"));
}

TEST(Pgn, BreaksLinesAtEightyCharacters) {
  PlayedGame game = sample_game();
  game.moves.clear();
  for (int i = 0; i < 20; ++i) {
    for (const char* move : {"2h3h", "8b7b", "3h2h", "7b8b"}) game.moves.push_back({.move = move_of(move)});
  }
  const std::string text = to_pgn(game, PgnMoves::usi);
  std::size_t longest = 0;
  for (std::size_t at = text.find("\n\n") + 2; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  EXPECT_LE(longest, 80u);
  EXPECT_GT(longest, 70u);
}

}  // namespace
}  // namespace fuhyo::match
