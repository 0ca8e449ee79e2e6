// AobaZero's records: what is learnt from them, what is cut, what is out, and what is an error.
#include "engines/learn/data/aobazero.h"

#include "engines/record/hcpe.h"
#include "tests/support/aobazero_record.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

using record::ScoredEnd;
using record::ScoredGame;
using record::Winner;

// A game of so many random moves from the standard position.
ScoredGame long_game(std::size_t plies) {
  test::Random random(1);
  for (;;) {
    ScoredGame game{.start = {}, .moves = {}};
    shogi::Position position;
    while (game.moves.size() < plies) {
      const auto moves = shogi::legal_moves(position);
      if (moves.empty()) break;
      game.moves.push_back({.move = moves[random() % moves.size()], .score = {}});
      position.do_move(game.moves.back().move);
    }
    if (game.moves.size() == plies) return game;
  }
}

class AobaZero : public testing::Test {
 protected:
  // The rules as they are but for mates, of which random games are full.
  AobaOptions options_{.mate_plies = 0};
  test::Random random_{7};
  std::string error_;
  AobaCounts counts_;

  std::optional<AobaGame> read(const std::string& text) {
    AobaReader reader(options_);
    const auto game = reader.read(text);
    counts_ = reader.counts();
    error_ = game ? "" : game.error();
    return game && *game != nullptr ? std::optional(**game) : std::nullopt;
  }
  std::optional<AobaGame> read(const ScoredGame& game, const test::AobaForm& form) {
    return read(test::aoba_record(game, form, random_));
  }
};

std::size_t first_scored(const ScoredGame& game) {
  std::size_t first = 0;
  while (first < game.moves.size() && !game.moves[first].score) ++first;
  for (std::size_t i = first; i < game.moves.size(); ++i) EXPECT_TRUE(game.moves[i].score);
  return first;
}

TEST_F(AobaZero, IsLearntFromBehindTheLastDrawnMove) {
  const ScoredGame game = long_game(60);
  const struct {
    std::set<std::size_t> drawn;
    std::size_t first;
  } kCases[] = {{{}, 0}, {{0}, 1}, {{3, 11}, 12}, {{29}, 30}, {{30}, 0}, {{5, 30, 45}, 6}};
  for (const auto& [drawn, first] : kCases) {
    const auto made = read(game, {.drawn = drawn});
    ASSERT_TRUE(made) << error_;
    EXPECT_EQ(first_scored(made->game), first);
    EXPECT_EQ(made->game.moves.size(), 60U);
    EXPECT_EQ(counts_.positions, 60 - first);
    EXPECT_EQ(counts_.drawn, first);
    for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(made->game.moves[i].move, game.moves[i].move);
  }
  options_.drawn_plies = 10;
  EXPECT_EQ(first_scored(read(game, {.drawn = {9, 10}})->game), 10U);
}

// The order in which moves are listed does not matter, but between equals.
TEST_F(AobaZero, TheMostVisitedMoveIsBest) {
  options_.least_plies = 0;
  const auto first = [&](const std::string& counts) {
    const auto made = read("PI\n+\n+7776FU,'" + counts + "\n-3334FU,'800,3334FU,9\n%TORYO\n");
    return made ? static_cast<int>(first_scored(made->game)) : -1;
  };
  EXPECT_EQ(first("800,7776FU,10,2726FU,9"), 0);
  EXPECT_EQ(first("800,2726FU,9,7776FU,10"), 0);
  EXPECT_EQ(first("800,2726FU,11,7776FU,10"), 1);
  EXPECT_EQ(first("800,7776FU,10,2726FU,10"), 0);
  EXPECT_EQ(first("800,2726FU,10,7776FU,10"), 1);
  EXPECT_EQ(first("v=0.5,800,+2726FU,10,+7776FU,11"), 0);
}

TEST_F(AobaZero, EndsDecideWhoHasWon) {
  const struct {
    const char* end;
    Winner even, odd;  // after so many plies
    ScoredEnd kind;
  } kEnds[] = {
      {"%TORYO", Winner::white, Winner::black, ScoredEnd::no_move},
      {"%KACHI", Winner::black, Winner::white, ScoredEnd::declaration},
      {"%SENNICHITE", Winner::nobody, Winner::nobody, ScoredEnd::repetition},
      {"%CHUDAN", Winner::nobody, Winner::nobody, ScoredEnd::move_limit},
  };
  for (const auto& each : kEnds) {
    for (const std::size_t plies : {40U, 41U}) {
      const auto made = read(long_game(plies), {.end = each.end});
      ASSERT_TRUE(made) << error_;
      EXPECT_EQ(made->game.winner, plies % 2 == 0 ? each.even : each.odd) << each.end;
      EXPECT_EQ(made->game.end, each.kind);
    }
  }
}

TEST_F(AobaZero, IllegalEndsAndShortGamesAreOut) {
  for (const char* end : {"%+ILLEGAL_ACTION", "%-ILLEGAL_ACTION", "%ILLEGAL_MOVE"}) {
    EXPECT_FALSE(read(long_game(50), {.end = end}));
    EXPECT_EQ(error_, "");
    EXPECT_EQ(counts_.illegal, 1U);
  }
  EXPECT_FALSE(read(long_game(30), {}));
  EXPECT_EQ(counts_.too_short, 1U);
  EXPECT_TRUE(read(long_game(31), {}));
  EXPECT_TRUE(read(long_game(31), {.drawn = {30}, .end = "%KACHI"}));
  options_.drawn_plies = 31;
  EXPECT_FALSE(read(long_game(31), {.drawn = {30}}));
  EXPECT_EQ(counts_.nothing, 1U);
}

// Black gives a mate in one away and resigns later; from the mate on nothing is learnt, and Black has won.
TEST_F(AobaZero, IsCutAtAMateWhoseResultCounts) {
  options_ = {.least_plies = 0};
  ScoredGame game{.start = position_of("k8/9/1G7/9/9/9/9/9/8K w Gp 1"), .moves = {}};
  for (const char* move : {"P*5e", "1i1h", "9a8a", "1h1i"}) game.moves.push_back({move_of(move), {}});
  const auto made = read(game, {.end = "%TORYO"});  // White's
  ASSERT_TRUE(made) << error_;
  EXPECT_EQ(made->game.moves.size(), 1U);
  EXPECT_EQ(made->game.winner, Winner::black);
  EXPECT_EQ(made->game.end, ScoredEnd::adjudicated);
  EXPECT_EQ(counts_.mates, 1U);
  EXPECT_EQ(counts_.turned, 0U);  // White resigned
  const auto turned = read(game, {.end = "%KACHI"});
  EXPECT_EQ(turned->game.winner, Winner::black);
  EXPECT_EQ(counts_.turned, 1U);
  // A mate before the last drawn move does not count, nor does any if they are not looked for.
  options_.mate_plies = 0;
  EXPECT_EQ(read(game, {.end = "%KACHI"})->game.moves.size(), 4U);
  options_.mate_plies = 5;
  game.moves.pop_back();
  EXPECT_EQ(read(game, {.drawn = {1}, .end = "%TORYO"})->game.winner, Winner::white);
}

TEST_F(AobaZero, ChancesAreScoresAndVisitsCandidates) {
  options_.least_plies = 0;
  options_.candidates = true;
  const auto made = read(
      "PI\n+\n+7776FU,'v=0.5,800,7776FU,451,2726FU,70000\n-3334FU,'v=0.731,800,3334FU,9\n+2726FU,'v=1.000,9,2726FU,9\n"
      "-8384FU,'v=0.000,9,8384FU,9\n%TORYO\n");
  ASSERT_TRUE(made) << error_;
  EXPECT_FALSE(made->game.moves[0].score);  // 2726FU was visited more
  EXPECT_TRUE(made->candidates[0].empty());
  EXPECT_EQ(made->game.moves[1].score, 755);  // 756.086 ln(0.731 / 0.269) = 755.9
  EXPECT_EQ(made->game.moves[2].score, 30'000);
  EXPECT_EQ(made->game.moves[3].score, -30'000);
  using Candidate = record::Hcpe3Move::Candidate;
  EXPECT_THAT(made->candidates[1], ElementsAre(Candidate{move_of("3c3d"), 9}));
  options_.drawn_plies = 0;
  const auto all = read("PI\n+\n+7776FU,'800,7776FU,451,2726FU,70000\n%TORYO\n");
  EXPECT_EQ(all->game.moves[0].score, 0);
  EXPECT_THAT(all->candidates[0], ElementsAre(Candidate{move_of("7g7f"), 451}, Candidate{move_of("2g2f"), 65'535}));
}

TEST_F(AobaZero, BadRecordsAreErrorsThatSayWhere) {
  options_.least_plies = 0;
  options_.candidates = true;
  const std::pair<std::string, const char*> kBad[] = {
      {"PI\n+\n+7776FU,'800,7776FU,9\n", "it has no end"},
      {"", "it has no end"},
      {"PI\n+\n+7776FU\n%TORYO\n", "move 1 has no visits: "},
      {"PI\n+\n+7776FU,'800,7776FU\n%TORYO\n", "move 1 has no visits: "},
      {"PI\n+\n+7776FU,'800,7776FU,x\n%TORYO\n", "move 1 has no visits: "},
      {"PI\n+\n+7775FU,'800,7775FU,9\n%TORYO\n", "move 1 is illegal: '+7775FU'"},
      {"PI\n+\n-3334FU,'800,3334FU,9\n%TORYO\n", "move 1 is illegal: "},
      {"PI\n+\n+777,'800,7776FU,9\n%TORYO\n", "move 1 is illegal: "},
      {"PI\n+\n+7776FU,'v=1.5,800,7776FU,9\n%TORYO\n", "move 1: not a chance to win: '1.5'"},
      {"PI\n+\n+7776FU,'800,7776FU,9,7775FU,1\n%TORYO\n", "move 1: not moves with visits: "},
      {"PX\n+\n%TORYO\n", "PX"},
      {"hello\n", "not understood: 'hello'"},
  };
  for (const auto& [text, why] : kBad) {
    EXPECT_FALSE(read(text));
    EXPECT_THAT(error_, HasSubstr(why)) << text;
  }
}

TEST_F(AobaZero, CommentsMayStandOnLinesOfTheirOwn) {
  options_.least_plies = 0;
  const auto made =
      read("V2.2\r\nN+a\r\nPI\r\n+\r\n+7776FU\r\n'800,2726FU,9\r\nT1\r\n-3334FU,T1,'800,3334FU,9\r\n%TORYO\r\n");
  ASSERT_TRUE(made) << error_;
  EXPECT_EQ(first_scored(made->game), 1U);
}

}  // namespace
}  // namespace fuhyo::learn
