// Games of the engine against itself: legal, scored, ended by the rules, and the same whenever they are played.
#include "engines/learn/generate/self_play.h"

#include <cstdlib>

#include "engines/shogi/movegen.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

using record::ScoredEnd;
using record::Winner;

constexpr const char* kMateInOne = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1 moves 5i5h";
constexpr StartOptions kStarts{.first_ply = 4, .last_ply = 10, .random_moves = 2};

SelfPlay players(const SelfPlayOptions& options) { return must(SelfPlay::make(options)); }

Starts starts_of(const std::string& line) {
  return must(Starts::parse(line + "\n", "lines", {.first_ply = 0, .last_ply = 0, .random_moves = 0}));
}

SelfPlayOptions quick() { return {.nodes = 40, .hash_mb = 1, .seed = 5}; }

TEST(SelfPlay, PlaysLegalGamesWithAScoreForEachMove) {
  SelfPlay play = players(quick());
  const Starts starts(kStarts);
  for (std::uint64_t number = 0; number < 8; ++number) {
    const auto game = must(play.play(number, starts));
    EXPECT_GE(game.start.ply(), 4);
    EXPECT_NE(game.end, ScoredEnd::unknown);
    shogi::Position position = game.start;
    for (const record::ScoredMove& move : game.moves) {
      ASSERT_TRUE(position.is_legal(move.move));
      EXPECT_TRUE(move.score.has_value());
      position.do_move(move.move);
    }
    EXPECT_LE(std::abs(*game.moves.front().score), 600);
    EXPECT_LE(position.ply(), 320);
  }
}

TEST(SelfPlay, AGameIsItsNumber) {
  const Starts starts(kStarts);
  SelfPlay first = players(quick()), second = players(quick());
  const auto alone = second.play(3, starts);
  std::vector<record::ScoredGame> games;
  for (std::uint64_t number = 0; number < 4; ++number) games.push_back(first.play(number, starts).value());
  EXPECT_EQ(games[3].moves, alone->moves);
  EXPECT_TRUE(games[3].start.same_as(alone->start));
  EXPECT_NE(games[2].moves, games[3].moves);
  SelfPlayOptions other = quick();
  other.seed = 6;
  EXPECT_FALSE(players(other).play(3, starts)->start.same_as(alone->start));
}

TEST(SelfPlay, EndsGamesByScoresUnlessTheyAreToBePlayedToTheEnd) {
  SelfPlayOptions options = quick();
  options.adjudicated_at = 200;
  options.to_the_end = 0;
  SelfPlay play = players(options);
  options.to_the_end = 1;
  SelfPlay on = players(options);
  const Starts starts(kStarts);
  int adjudicated = 0;
  for (std::uint64_t number = 0; number < 6; ++number) {
    const auto game = must(play.play(number, starts));
    EXPECT_NE(on.play(number, starts)->end, ScoredEnd::adjudicated);
    if (game.end != ScoredEnd::adjudicated) continue;
    ++adjudicated;
    ASSERT_GE(game.moves.size(), 4u);
    // Four searches in a row saw the winner more than 200 ahead, and the four before did not.
    const bool black_moved_last = (game.start.side_to_move() == shogi::BLACK) == (game.moves.size() % 2 == 1);
    int sign = black_moved_last == (game.winner == Winner::black) ? 1 : -1;
    for (std::size_t back = 1; back <= 4; ++back, sign = -sign) {
      EXPECT_GT(sign * *game.moves[game.moves.size() - back].score, 200);
    }
    if (game.moves.size() > 4) EXPECT_LE(sign * *game.moves[game.moves.size() - 5].score, 200);
  }
  EXPECT_GT(adjudicated, 3);
}

TEST(SelfPlay, DrawsAtThePlyLimit) {
  SelfPlayOptions options = quick();
  options.draw_at_ply = 20;
  const auto game = must(players(options).play(0, Starts(kStarts)));
  EXPECT_EQ(game.end, ScoredEnd::move_limit);
  EXPECT_EQ(game.winner, Winner::nobody);
  EXPECT_EQ(game.start.ply() + static_cast<int>(game.moves.size()), 20);
}

TEST(SelfPlay, EndsGamesByTheRules) {
  const struct {
    const char* start;
    ScoredEnd end;
    Winner winner;
  } kCases[] = {
      {kMateInOne, ScoredEnd::no_move, Winner::black},
      {"sfen +R+R+B+BK4/1GGGG4/1SSSS4/9/9/9/9/9/4k4 b 4P 1 moves P*9d", ScoredEnd::declaration, Winner::black},
      {"sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h", ScoredEnd::repetition, Winner::nobody},  // all that they can do
  };
  SelfPlayOptions options = quick();
  options.most_at_start = 32'000;
  options.draw_at_ply = 1'000;
  for (const auto& [start, end, winner] : kCases) {
    const auto game = must(players(options).play(0, starts_of(start)));
    EXPECT_EQ(game.end, end) << start;
    EXPECT_EQ(game.winner, winner) << start;
    if (end == ScoredEnd::no_move) EXPECT_EQ(game.moves.front().score, 32'000 - 1);
    EXPECT_EQ(game.moves.empty(), end == ScoredEnd::declaration) << start;
  }
}

TEST(SelfPlay, SaysWhatItCannotDo) {
  SelfPlayOptions options = quick();
  options.network = "/nowhere/nn.bin";
  EXPECT_THAT(SelfPlay::make(options).error(), HasSubstr("/nowhere/nn.bin"));
  EXPECT_THAT(players(quick()).play(7, starts_of(kMateInOne)).error(), HasSubstr("game 7: none of 200 starts"));
}

}  // namespace
}  // namespace fuhyo::learn
