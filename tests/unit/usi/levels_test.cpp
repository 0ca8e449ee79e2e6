#include "engines/usi/levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::usi {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

shogi::Move usi_move(std::string_view text) { return *shogi::parse_usi_move(text); }
Score cp(int value) { return {.value = value}; }
Score win(int plies) { return {.kind = Score::Kind::win, .value = plies}; }
Score lose(int plies) { return {.kind = Score::Kind::lose, .value = plies}; }

// ---- the table ----

TEST(Levels, EachLooksFartherAndErrsLessThanTheOneBelow) {
  for (int number = 2; number <= kHighestLevel; ++number) {
    EXPECT_GE(level(number).nodes, level(number - 1).nodes) << number;
    EXPECT_LE(level(number).lines, level(number - 1).lines) << number;
    EXPECT_LT(level(number).temperature, level(number - 1).temperature) << number;
  }
  EXPECT_GE(level(1).nodes, 1);
  EXPECT_GE(level(kHighestLevel).lines, 2);
  EXPECT_GT(level(kHighestLevel).temperature, 0);
}

TEST(Levels, AreOffUnlessAskedFor) {
  OptionTable table;
  add_level_options(table);
  EXPECT_EQ(level_of(table, {}), 0);
  ASSERT_TRUE(table.set("Level", "30"));
  EXPECT_EQ(level_of(table, {}), 30);
  EXPECT_EQ(level_of(table, {.infinite = true}), 0);  // an analysis is honest
  EXPECT_FALSE(table.set("Level", "31"));
  EXPECT_FALSE(table.set("Level", "-1"));
  EXPECT_EQ(level_seed(table, 5), 5U);
  ASSERT_TRUE(table.set("LevelSeed", "77"));
  EXPECT_EQ(level_seed(table, 5), 77U) << "it can be repeated";
}

// ---- choosing a line ----

TEST(Chances, FollowTheScores) {
  EXPECT_THAT(chances(std::vector{cp(50), cp(50)}, 30), ElementsAre(0.5, 0.5));
  const auto near_equality = chances(std::vector{cp(0), cp(-10)}, 10);
  EXPECT_NEAR(near_equality[0] / near_equality[1], std::exp(1.0), 0.03);
  const auto all = chances(std::vector{win(3), cp(200), cp(100), cp(-800), lose(8), lose(4)}, 400);
  EXPECT_NEAR(all[0] + all[1] + all[2] + all[3] + all[4] + all[5], 1, 1e-12);
  EXPECT_TRUE(std::ranges::is_sorted(all, std::greater<>()));
  EXPECT_GT(all.back(), 0);
}

TEST(Chances, AColderLevelKeepsToTheBest) {
  const std::vector lines{cp(40), cp(0), cp(-300)};
  EXPECT_GT(chances(lines, 10)[0], 0.97);
  EXPECT_LT(chances(lines, 1000)[0], 0.45);
  EXPECT_NEAR(chances(lines, 1e9)[2], 1 / 3.0, 1e-6);
  // Far from equality differences count less.
  EXPECT_GT(chances(std::vector{cp(3100), cp(3000)}, 50)[1], chances(std::vector{cp(100), cp(0)}, 50)[1]);
  EXPECT_GT(chances(std::vector{cp(-3000), cp(-3100)}, 50)[1], chances(std::vector{cp(0), cp(-100)}, 50)[1]);
}

TEST(Choose, TakesEachLineAsOftenAsItsChance) {
  const std::vector lines{cp(100), cp(60), cp(-50)};
  std::array<double, 3> counts{};
  constexpr int kDraws = 10'000;
  for (int i = 0; i < kDraws; ++i) counts[choose(lines, 80, (i + 0.5) / kDraws)] += 1.0 / kDraws;
  const auto expected = chances(lines, 80);
  EXPECT_THAT(counts,
              ElementsAre(DoubleNear(expected[0], 1e-3), DoubleNear(expected[1], 1e-3), DoubleNear(expected[2], 1e-3)));
  EXPECT_EQ(choose(lines, 80, 0), 0U);
  EXPECT_EQ(choose(lines, 80, std::nextafter(1.0, 0.0)), 2U);
}

// ---- what needs no search ----

TEST(SafeMoves, MatesAtOnce) {
  const auto position = *shogi::Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
  const auto moves = shogi::MoveList<shogi::GenKind::SEARCH>(position);
  EXPECT_EQ(find_safe_moves(position, {moves.begin(), moves.end()}).mate, usi_move("G*5b"));
}

// White threatens a gold before the king; only moves of the king help.
TEST(SafeMoves, LeavesOutWhatAllowsAMateInOne) {
  const auto position = *shogi::Position::from_sfen("4k4/9/9/9/9/9/4p4/9/P3K4 b g 1");
  const std::vector moves{usi_move("9i9h"), usi_move("5i4i"), usi_move("5i6i")};
  const SafeMoves safe = find_safe_moves(position, moves);
  EXPECT_FALSE(safe.mate);
  EXPECT_THAT(safe.moves, ElementsAre(usi_move("5i4i"), usi_move("5i6i")));
  const std::vector lost{usi_move("9i9h")};
  EXPECT_EQ(find_safe_moves(position, lost).moves, lost);  // something must be played
}

bool allows_mate(shogi::Position position, shogi::Move move) {
  position.do_move(move);
  for (const shogi::Move reply : shogi::legal_moves(position)) {
    shogi::Position after = position;
    after.do_move(reply);
    if (after.in_check() && shogi::count_legal_moves(after) == 0) return true;
  }
  return false;
}

TEST(SafeMoves, AgreesWithTryingEverything) {
  std::mt19937 random(7);
  int left_out = 0;
  for (int game = 0; game < 40; ++game) {
    shogi::Position position;
    for (int ply = 0; ply < 160; ++ply) {
      const auto list = shogi::MoveList<shogi::GenKind::SEARCH>(position);
      const std::vector<shogi::Move> moves(list.begin(), list.end());
      if (moves.empty()) break;
      if (ply % 8 == 7 && ply > 60) {
        const SafeMoves found = find_safe_moves(position, moves);
        std::vector<shogi::Move> safe;
        for (const shogi::Move move : moves) {
          if (!allows_mate(position, move)) safe.push_back(move);
        }
        if (safe.empty()) safe = moves;
        if (!found.mate) {
          EXPECT_EQ(found.moves, safe) << position.sfen();
        }
        left_out += moves.size() != safe.size() ? 1 : 0;
      }
      position.do_move(moves[random() % moves.size()]);
    }
  }
  EXPECT_GT(left_out, 10);
}

// ---- a move ----

class LevelMoveTest : public ::testing::Test {
 protected:
  static Info line(int number, int score, const char* move) {
    return {.multipv = number, .score = cp(score), .pv = {usi_move(move), usi_move("3c3d")}};
  }
  LevelMove at(const Level& wanted, int lines = 1) const { return {wanted, lines, shogi::Position(), moves}; }

  const std::vector<shogi::Move> moves{usi_move("7g7f"), usi_move("2g2f"), usi_move("9g9f")};
  const SearchResult found{.best = {.kind = BestMove::Kind::move, .move = usi_move("7g7f")},
                           .nodes = 99,
                           .lines = {line(1, 30, "7g7f"), line(2, 30, "2g2f"), line(3, 30, "9g9f")}};
  std::vector<Info> told;
  const LevelMove::Report report = [this](const Info& info) { told.push_back(info); };
};

TEST_F(LevelMoveTest, ThinksForItsNodes) {
  const LevelMove move = at({.nodes = 500, .lines = 3, .temperature = 10});
  EXPECT_EQ(move.limits({}).nodes, 500);
  EXPECT_EQ(move.limits({.nodes = 90}).nodes, 90);
  EXPECT_EQ(move.limits({.nodes = 900}).nodes, 500);
  EXPECT_EQ(move.limits({.byoyomi_ms = 7, .timed = true}).byoyomi_ms, 7);
  EXPECT_EQ(move.moves(), moves);
  EXPECT_EQ(move.lines(), 3);
  EXPECT_EQ(at({.nodes = 500, .lines = 3, .temperature = 10}, 5).lines(), 5);
}

TEST_F(LevelMoveTest, PlaysTheChosenLineAndTellsOfItLast) {
  const LevelMove move = at({.nodes = 500, .lines = 3, .temperature = 100});
  move.tell(line(1, 30, "7g7f"), report);
  move.tell(line(2, 30, "2g2f"), report);  // nobody asked for a second line
  EXPECT_EQ(told.size(), 1U);
  const SearchResult played = move.choose(found, 0.5, report);
  EXPECT_EQ(played.best.move, usi_move("2g2f"));
  EXPECT_EQ(played.best.ponder, usi_move("3c3d"));
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[1].pv[0], usi_move("2g2f"));
  EXPECT_FALSE(told[0].multipv || told[1].multipv);
  EXPECT_EQ(told[1].nodes, 99);
}

TEST_F(LevelMoveTest, TellsTheLinesThatWereAskedFor) {
  const LevelMove move = at({.nodes = 500, .lines = 3, .temperature = 100}, 2);
  for (const Info& info : found.lines) move.tell(info, report);
  EXPECT_THAT(told, ElementsAre(found.lines[0], found.lines[1]));
  EXPECT_EQ(move.choose(found, 0.9, report).best.move, usi_move("9g9f"));
  EXPECT_EQ(told.size(), 2U);
  SearchResult bare = found;
  bare.lines.clear();
  EXPECT_EQ(move.choose(bare, 0.999, report).best.move, usi_move("7g7f")) << "the best one of a search without lines";
  EXPECT_EQ(told.size(), 2U);
  const LevelMove of_two = at({.nodes = 500, .lines = 2, .temperature = 100}, 3);
  EXPECT_EQ(of_two.choose(found, 0.999, report).best.move, usi_move("2g2f")) << "among its own lines only";
}

}  // namespace
}  // namespace fuhyo::usi
