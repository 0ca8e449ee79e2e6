#include "engines/nnue/engine.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <sstream>

#include "engines/nnue/search/full_line.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/bench.h"
#include "tests/unit/usi/conversation.h"
#include "tests/unit/usi/search_clock.h"

namespace fuhyo::nnue {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

struct Found {
  std::string best;  // "bestmove ..."
  usi::Info last;
  std::int64_t nodes = 0;
  std::int64_t time_ms = 0;
};

class NnueTest : public ::testing::Test {
 protected:
  NnueTest() {
    EXPECT_TRUE(engine.options().set("Threads", "1"));
    EXPECT_TRUE(engine.options().set("USI_Hash", "4"));  // cleared often
    EXPECT_TRUE(engine.get_ready());
  }

  Found search(std::string_view position, const usi::GoLimits& limits) {
    const usi::SearchControl control(limits.ponder);
    return search(position, limits, control, {});
  }
  Found search(std::string_view position, const usi::GoLimits& limits, const usi::SearchControl& control,
               const std::function<void(const usi::Info&)>& look) {
    const auto game = usi::parse_position(position);
    EXPECT_TRUE(game) << game.error();
    Found found;
    const auto result = engine.search(*game, limits, control, [&](const usi::Info& info) {
      found.last = info;
      if (look) look(info);
    });
    found.best = usi::to_text(result.best);
    found.nodes = result.nodes;
    found.time_ms = control.elapsed_ms();
    return found;
  }

  Engine engine;
};

// ---- mate ----

// Problems as "sfen [rest]" lines; each has a mate in so many plies.
std::vector<std::string> problems(const std::string& name, std::size_t limit) {
  std::ifstream file(std::filesystem::path(FUHYO_SOURCE_DIR) / "../shared/data/mate" / name);
  std::vector<std::string> lines;
  for (std::string line; lines.size() < limit && std::getline(file, line);) {
    if (!line.empty()) lines.push_back("sfen " + line);
  }
  return lines;
}

TEST_F(NnueTest, MatesAtOnce) {
  for (const char* position : {
           "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1",   // gold in front of the king
           "sfen 8k/9/8P/9/9/9/9/9/K8 b G 1",      // in the corner
           "sfen 6gpk/7np/9/9/9/9/9/9/4K4 b N 1",  // smothered by its own men
       }) {
    const Found found = search(position, {.depth = 4});
    ASSERT_TRUE(found.last.score) << position;
    EXPECT_EQ(found.last.score->kind, usi::Score::Kind::win) << position;
  }
}

TEST_F(NnueTest, FindsMatesInOne) {
  const auto all = problems("mate-1-ply.txt", 300);
  if (all.empty()) GTEST_SKIP() << "../shared/data/mate is not there";
  for (const std::string& position : all) {
    engine.new_game();
    const Found found = search(position, {.depth = 2});
    EXPECT_EQ(found.last.score, (usi::Score{.kind = usi::Score::Kind::win, .value = 1})) << position;
  }
}

TEST_F(NnueTest, FindsMatesInThree) {
  const auto all = problems("mate-3-ply.txt", 60);
  if (all.empty()) GTEST_SKIP() << "../shared/data/mate is not there";
  int solved = 0;
  for (const std::string& position : all) {
    engine.new_game();
    const Found found = search(position, {.depth = 6});
    if (found.last.score->kind == usi::Score::Kind::win) ++solved;
  }
  EXPECT_EQ(solved, static_cast<int>(all.size()));
}

TEST_F(NnueTest, SeesNoMateInOneWhereThereIsNone) {
  const auto all = problems("no-mate-1-ply.txt", 200);
  if (all.empty()) GTEST_SKIP() << "../shared/data/mate is not there";
  for (const std::string& position : all) {
    engine.new_game();
    const auto score = search(position, {.depth = 2}).last.score;
    EXPECT_FALSE(score && score->kind == usi::Score::Kind::win && score->value == 1) << position;
  }
}

// Eleven plies, found by the solver for mates before the search begins.
constexpr std::string_view kMateInEleven =
    "sfen 2s4ng/1p+R1+S4/N4kppl/1bppr2n1/8p/1PP1PP3/+l4K1+lP/2S4SL/1g2G1P+n1 b BG4P2p 119";

// The position that the line leads to; its moves are legal.
shogi::Position end_of_line(std::string_view start, const Found& found) {
  shogi::Position position = usi::parse_position(start)->current();
  EXPECT_FALSE(found.last.pv.empty());
  for (const shogi::Move move : found.last.pv) {
    EXPECT_TRUE(position.is_legal(move)) << shogi::to_usi(move);
    if (!position.is_legal(move)) break;
    position.do_move(move);
  }
  return position;
}

// It says a win in as many plies as its line has, and the line mates.
void expect_mate(std::string_view start, const Found& found) {
  ASSERT_TRUE(found.last.score);
  EXPECT_EQ(found.last.score->kind, usi::Score::Kind::win);
  EXPECT_EQ(static_cast<std::size_t>(found.last.score->value), found.last.pv.size());
  const shogi::Position position = end_of_line(start, found);
  EXPECT_TRUE(position.in_check() && shogi::count_legal_moves(position) == 0);
}

TEST_F(NnueTest, PlaysALongMateAtOnce) {
  const Found found = search(kMateInEleven, {.nodes = 400'000});
  EXPECT_LT(found.nodes, 400'000 / 20);
  expect_mate(kMateInEleven, found);
  EXPECT_EQ(found.best, "bestmove " + shogi::to_usi(found.last.pv[0]) + " ponder " + shogi::to_usi(found.last.pv[1]));
}

// One for which the solver needs more than a 64th of the second.
TEST_F(NnueTest, PlaysALongMateWithLittleTimeToo) {
  constexpr std::string_view start =
      "sfen 3p3n1/l+S4k2/pp1+Sp1ppn/5g2l/+B2g1p2p/PP1P2P2/2K1SS1PP/B7L/LN5g1 b 2R2Pgn2p 127";
  test::SearchClock clock(2);
  const Found found = search(start, {.movetime_ms = 1'000}, clock.control(), {});
  expect_mate(start, found);
  EXPECT_GT(found.last.pv.size(), 9);
  EXPECT_LT(found.time_ms, 40);
}

TEST_F(NnueTest, AMateThatComesTooLateIsNone) {
  ASSERT_TRUE(engine.options().set("MaxMovesToDraw", "122"));  // four moves are left
  const Found found = search(kMateInEleven, {.nodes = 20'000});
  ASSERT_TRUE(found.last.score);
  EXPECT_EQ(found.last.score->kind, usi::Score::Kind::cp);
  // The mate may be the last move that the game has, and not the one behind it.
  const auto mates_within = [&](std::size_t moves) {
    EXPECT_TRUE(engine.options().set("MaxMovesToDraw", std::to_string(moves)));
    return search(kMateInEleven, {.nodes = 400'000}).nodes < 400'000 / 20;
  };
  constexpr std::size_t kMovesBefore = 118;
  ASSERT_TRUE(engine.options().set("MaxMovesToDraw", "0"));
  const std::size_t length = search(kMateInEleven, {.nodes = 400'000}).last.pv.size();
  EXPECT_TRUE(mates_within(kMovesBefore + length));
  EXPECT_FALSE(mates_within(kMovesBefore + length - 1));
}

TEST_F(NnueTest, DoesNotMateByWayOfAPositionThatTheGameHasHad) {
  constexpr std::string_view kMateInThree = "sfen 9/4k4/+R8/1+R7/9/9/9/9/4K4 b - 1";
  const Found fresh = search(kMateInThree, {.nodes = 200'000});
  EXPECT_THAT(fresh.best, HasSubstr("bestmove 8d8b"));
  EXPECT_LT(fresh.nodes, 1'000) << "at once";
  // The check on 8b has been given before: giving it for ever would be perpetual check.
  const Found again = search("sfen 9/1+R2k4/+R8/9/9/9/9/9/4K4 w - 1 moves 5b5a 8b8d 5a5b", {.nodes = 200'000});
  EXPECT_GT(again.nodes, 1'000) << "left to the search, which sees repetitions";
}

TEST_F(NnueTest, LooksForNoMateWhereItWasToldWhatToSearch) {
  const auto wanted = shogi::parse_usi_move("P*9b");
  const Found found = search(kMateInEleven, {.nodes = 30'000, .searchmoves = {*wanted}});
  EXPECT_EQ(found.best.substr(0, 13), "bestmove P*9b");
  ASSERT_TRUE(engine.options().set("MultiPV", "2"));
  EXPECT_GT(search(kMateInEleven, {.nodes = 30'000}).nodes, 20'000);
}

TEST_F(NnueTest, ResignsWhenMated) {
  EXPECT_EQ(search("sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", {.depth = 3}).best, "bestmove resign");
}

// ---- the rules of drawn and won games ----

TEST_F(NnueTest, DeclaresByTheRuleThatIsSet) {
  // 30 points: enough for one rule and not for the other.
  const char* position = "sfen K+RGGGG3/SSSS5/N8/9/9/9/9/9/8k b 2B6P 1";
  EXPECT_EQ(search(position, {.depth = 2}).best, "bestmove win");
  ASSERT_TRUE(engine.options().set("EnteringKingRule", "CSARule24"));
  EXPECT_NE(search(position, {.depth = 2}).best, "bestmove win");
  ASSERT_TRUE(engine.options().set("EnteringKingRule", "NoEnteringKing"));
  EXPECT_NE(search(position, {.depth = 2}).best, "bestmove win");
}

TEST_F(NnueTest, TriesWithTheKing) {
  const char* position = "sfen 9/3K5/9/9/9/9/9/r8/k8 b - 1";
  ASSERT_TRUE(engine.options().set("EnteringKingRule", "TryRule"));
  const Found found = search(position, {.depth = 2});
  EXPECT_EQ(found.best, "bestmove 6b5a");
  EXPECT_EQ(found.last.score, (usi::Score{.kind = usi::Score::Kind::win, .value = 1}));
  // Two moves away it is a mate in three: seen by the search, not only at the root.
  const Found ahead = search("sfen 9/9/3K5/9/9/9/9/8p/k8 b - 1", {.depth = 6});
  ASSERT_TRUE(ahead.last.score);
  EXPECT_EQ(*ahead.last.score, (usi::Score{.kind = usi::Score::Kind::win, .value = 3}));
}

// What cannot be declared alone is still looked at when somebody analyses.
TEST_F(NnueTest, AnalysesThoughAWinCanBeDeclared) {
  ASSERT_TRUE(engine.options().set("ConsiderationMode", "true"));
  const Found found = search("sfen K+RGGGG3/SSSS5/N8/9/9/9/9/9/8k b 2B6P 1", {.depth = 3});
  EXPECT_EQ(found.best, "bestmove win");
  EXPECT_EQ(found.last.depth, 3);
}

TEST_F(NnueTest, OffersUselessMovesIfAsked) {
  const char* position = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b - 1";  // the pawn promotes, or does not
  ASSERT_TRUE(engine.options().set("MultiPV", "100"));
  const auto lines = [&] { return *search(position, {.depth = 2}).last.multipv; };
  const int without = lines();
  ASSERT_TRUE(engine.options().set("GenerateAllLegalMoves", "true"));
  EXPECT_EQ(lines(), without + 1);
}

// The rook of the side to move can be attacked by a pawn, and has squares to go to. These positions are even.
TEST_F(NnueTest, AShortSearchSeesWhereAnAttackedRookGoes) {
  for (const char* position :
       {"startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2f 7a7b 3i3h 9c9d 1g1f 1c1d 5i5h 5a5b "
        "9g9f 7c7d 7g7f 8e8f 8g8f 8b8f",
        "startpos moves 7g7f 8c8d 2g2f 4a3b 2f2e 8d8e 2e2d 2c2d 2h2d P*2c 2d2f 8e8f 8g8f 8b8f 6i7h 3c3d 9g9f 7a6b "
        "8i7g 5a4a 3i3h 9c9d 5i4h 1c1d"}) {
    for (const std::int64_t nodes : {400, 1'000}) {
      const Found found = search(position, {.nodes = nodes});
      ASSERT_TRUE(found.last.score);
      EXPECT_LT(std::abs(found.last.score->value), 300) << position << ", " << nodes;
    }
  }
}

// White has everything and Black can only shuffle between two squares; the fourth repetition is a draw for both.
TEST_F(NnueTest, TakesTheDrawWhenLosing) {
  // After these moves Black to move can repeat the position for the fourth time.
  const char* position =
      "sfen 4k4/9/9/9/9/9/9/r7P/8K w rb 1 moves 5a5b 1i2i 5b5a 2i1i 5a5b 1i2i 5b5a 2i1i 5a5b 1i2i 5b5a";
  const Found found = search(position, {.depth = 3});
  ASSERT_TRUE(found.last.score);
  EXPECT_EQ(found.best.substr(0, 13), "bestmove 2i1i");
  EXPECT_NEAR(found.last.score->value, 0, 2);  // what DrawValueBlack says
}

// What came back before the search began has not ended the game: here is what the opponent makes of it.
TEST_F(NnueTest, WhatComesBackFromTheGameDecidesNothing) {
  // White has checked all the time; but in the corner a pawn mates.
  const Found checked = search("sfen 8k/9/9/9/9/9/p8/8r/K8 w g 1 moves 1h1i 9i8h 1i1h", {.depth = 3});
  EXPECT_THAT(checked.best, Not(HasSubstr("bestmove 8h9i")));
  ASSERT_TRUE(checked.last.score);
  EXPECT_FALSE(checked.last.score->kind == usi::Score::Kind::cp && checked.last.score->value > 20'000);
  // Black holds a pawn more than the last time; but there a bishop takes the rook.
  const Found richer = search("sfen 8k/9/2b6/9/4R4/9/9/9/K8 w p 1 moves P*5d 5e5d 1a2a 5d5f 2a1a", {.depth = 3});
  EXPECT_THAT(richer.best, Not(HasSubstr("bestmove 5f5e")));
}

TEST_F(NnueTest, KnowsTheMoveLimit) {
  ASSERT_TRUE(engine.options().set("MaxMovesToDraw", "12"));
  // Far ahead, but the game is over two plies from now.
  const Found found = search("sfen 4k4/9/9/9/9/9/9/9/4K4 b 2R2B 11", {.depth = 5});
  ASSERT_TRUE(found.last.score);
  EXPECT_NEAR(found.last.score->value, 0, 2);  // what DrawValueBlack says
}

// ---- limits ----

TEST_F(NnueTest, ObeysDepthAndNodes) {
  EXPECT_EQ(search("startpos", {.depth = 3}).last.depth, 3);
  EXPECT_EQ(search("startpos", {.nodes = 20'000}).nodes, 20'000);
}

TEST_F(NnueTest, StopsAtTheNodesEvenWithinTheFirstIteration) {
  // So many captures that the first iteration takes thousands of nodes.
  constexpr std::string_view kCrowded = "sfen R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
  for (const std::string_view position : {std::string_view("startpos moves 7g7f 3c3d"), kCrowded}) {
    for (const std::int64_t nodes : {1, 2, 20, 100, 400, 1'000}) {
      engine.new_game();
      const Found found = search(position, {.nodes = nodes});
      EXPECT_EQ(found.nodes, nodes) << position;
      const std::string move = found.best.substr(9, found.best.find(' ', 9) - 9);
      EXPECT_TRUE(usi::parse_position(position)->current().is_legal(*shogi::parse_usi_move(move))) << move;
    }
  }
}

TEST_F(NnueTest, ThreadsShareTheNodes) {
  ASSERT_TRUE(engine.options().set("Threads", "4"));
  ASSERT_TRUE(engine.get_ready());
  for (int i = 0; i < 5; ++i) {
    const Found found = search("startpos moves 7g7f 3c3d", {.nodes = 2'000});
    EXPECT_LE(found.nodes, 2'000);
    EXPECT_GT(found.nodes, 2'000 - 8);
  }
}

TEST_F(NnueTest, ObeysMovetime) {
  test::SearchClock clock;
  const Found found = search("startpos", {.movetime_ms = 150}, clock.control(), {});
  EXPECT_GE(found.time_ms, 150);
  EXPECT_LE(found.time_ms, 160);
}

TEST_F(NnueTest, MovesInTimeHoweverLittleThereIs) {
  for (const std::int64_t byoyomi : {1, 20, 100}) {
    test::SearchClock clock;
    const Found found = search("sfen R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
                               {.byoyomi_ms = byoyomi, .timed = true}, clock.control(), {});
    EXPECT_THAT(found.best, HasSubstr("bestmove "));
    EXPECT_LE(found.time_ms, byoyomi + 10) << byoyomi;
  }
}

TEST_F(NnueTest, StopsWhenTold) {
  usi::SearchControl control;
  std::int64_t nodes = 0;
  const Found found = search("startpos", {.infinite = true}, control, [&](const usi::Info& info) {
    if (info.depth != 6) return;
    nodes = *info.nodes;
    control.stop();
  });
  EXPECT_THAT(found.best, HasSubstr("bestmove "));
  EXPECT_GT(nodes, 0);
  EXPECT_LE(found.nodes, nodes + 5'000);
}

// While pondering no clock runs; from the hit on, the plan does.
TEST_F(NnueTest, PondersWithoutTheClock) {
  test::SearchClock clock;
  usi::SearchControl control = clock.control(true);
  bool hit = false;
  const auto look = [&](const usi::Info& info) {
    clock.pass(100ms);
    if (!hit && info.depth >= 6) control.ponderhit(), hit = true;
  };
  search("startpos", {.byoyomi_ms = 1'000, .timed = true, .ponder = true}, control, look);
  EXPECT_TRUE(hit) << "600 ms were more than the plan has";
  EXPECT_GE(control.clock_ms(), 300) << "it goes on after the hit";
  EXPECT_LE(control.clock_ms(), 1'000);
}

// ---- identity ----

TEST_F(NnueTest, BenchIsReproducible) {
  const usi::GoLimits limits{.depth = 5};
  const auto first = usi::bench(engine, limits, [](std::string_view) {});
  const auto again = usi::bench(engine, limits, [](std::string_view) {});
  EXPECT_EQ(first.nodes, again.nodes);
  Engine other;
  ASSERT_TRUE(other.options().set("Threads", "1"));
  ASSERT_TRUE(other.options().set("USI_Hash", "4"));
  ASSERT_TRUE(other.get_ready());
  EXPECT_EQ(usi::bench(other, limits, [](std::string_view) {}).nodes, first.nodes);
}

TEST_F(NnueTest, PrincipalVariationsAreLegal) {
  for (const char* text :
       {"startpos moves 7g7f 3c3d", "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"}) {
    end_of_line(text, search(text, {.depth = 5}));
  }
}

// ---- what is told ----

TEST_F(NnueTest, TellsAllLinesInOrder) {
  ASSERT_TRUE(engine.options().set("MultiPV", "4"));
  const auto game = usi::parse_position("startpos");
  const usi::SearchControl control;
  std::vector<usi::Info> told;
  engine.search(*game, {.depth = 6}, control, [&](const usi::Info& info) { told.push_back(info); });
  ASSERT_EQ(told.size() % 4, 0u);
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i].multipv, static_cast<int>(i % 4) + 1);
    EXPECT_EQ(told[i].depth, told[i - i % 4].depth);
    EXPECT_FALSE(told[i].pv.empty());
  }
  EXPECT_EQ(told.back().depth, 6);
}

// Cut short within an iteration, the lines are of two iterations.
TEST_F(NnueTest, TellsLinesInOrderWhereverItIsCut) {
  ASSERT_TRUE(engine.options().set("MultiPV", "5"));
  const auto game = usi::parse_position("startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 4a3b");
  const auto worth = [](const usi::Score& score) {
    using enum usi::Score::Kind;
    return score.kind == cp ? score.value : score.kind == win ? 100'000 - score.value : score.value - 100'000;
  };
  for (std::int64_t nodes = 500; nodes <= 10'000; nodes += 500) {
    engine.new_game();
    std::vector<usi::Info> told;
    const usi::SearchControl control;
    const auto found = engine.search(*game, {.nodes = nodes}, control, [&](const auto& info) { told.push_back(info); });
    ASSERT_GE(told.size(), 5u);
    EXPECT_EQ(told[told.size() - 5].pv.front(), found.best.move) << nodes;
    for (std::size_t i = told.size() - 5; i + 1 < told.size(); ++i) {
      EXPECT_GE(worth(*told[i].score), worth(*told[i + 1].score)) << nodes;
    }
  }
}

// Of "go depth 7", twice; what stands between them decides whether the second one knows of the first.
std::vector<std::optional<std::int64_t>> nodes_of_two_searches(const std::string& between) {
  Engine engine;
  std::istringstream said(
      test::converse(engine, "Threads 1\nUSI_Hash 4\nUSI_OwnBook false\nisready\ngo depth 7\nwait\n" + between +
                                 "\ngo depth 7\nwait\nquit\n"));
  std::vector<std::optional<std::int64_t>> nodes;
  for (std::string line, last; std::getline(said, line); last = line) {
    if (line.starts_with("bestmove")) nodes.push_back(usi::parse_info(last.substr(5)).nodes);
  }
  return nodes;
}

TEST(NnueMemory, IsClearedByIsreadyAlready) {
  for (const char* forgets : {"isready", "isready\nusinewgame", "usinewgame"}) {
    const auto nodes = nodes_of_two_searches(forgets);
    ASSERT_EQ(nodes.size(), 2U);
    EXPECT_EQ(nodes[0], nodes[1]) << forgets;
  }
  const auto nodes = nodes_of_two_searches("MultiPV 1");
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_NE(nodes[0], nodes[1]) << "an option between two moves is no new game";
}

TEST_F(NnueTest, OffersAMoveToPonder) {
  for (int depth = 4; depth <= 8; ++depth) {  // fewer plies may show no answer that is better than another
    engine.new_game();
    EXPECT_THAT(search("startpos", {.depth = depth}).best, HasSubstr(" ponder ")) << depth;
  }
}

// Nobody who analyses wants a line to break off where the search knew how it goes on.
TEST_F(NnueTest, AnalysisCompletesItsLines) {
  const char* text = "startpos moves 7g7f 3c3d";
  const std::size_t without = search(text, {.depth = 8}).last.pv.size();
  engine.new_game();
  ASSERT_TRUE(engine.options().set("ConsiderationMode", "true"));
  const Found found = search(text, {.depth = 8});
  end_of_line(text, found);
  EXPECT_GE(found.last.pv.size(), without);
}

TEST(FullLines, GoOnByTheTableUntilAPositionComesBack) {
  TranspositionTable table;
  table.resize(1);
  const auto game = *usi::parse_position("startpos");
  shogi::Position position = game.start;
  const std::vector<std::string> circle = {"2h3h", "8b7b", "3h2h", "7b8b"};
  const auto move = [&](std::size_t i) { return *shogi::parse_usi_move(circle[i]); };
  for (std::size_t i = 0; i < circle.size(); ++i) {
    table.store(position.key(), {.move = move(i), .depth = 3, .bound = Bound::exact});
    position.do_move(move(i));
  }
  const FullLine full = complete(game, {move(0)}, table);
  EXPECT_EQ(full.moves.size(), 4u);
  EXPECT_EQ(full.end, shogi::Recurrence::draw);
  EXPECT_EQ(to_text(full.end), "rep_draw");
  // A move that is not legal there, or nothing at all, ends the line.
  table.clear(1);
  EXPECT_EQ(complete(game, {move(0)}, table).moves.size(), 1u);
  shogi::Position after = game.start;
  after.do_move(move(0));
  table.store(after.key(), {.move = move(0), .depth = 3, .bound = Bound::exact});
  EXPECT_EQ(complete(game, {move(0)}, table).moves.size(), 1u);
}

// The time that the opponent took counts: after a long ponder the answer comes soon.
TEST_F(NnueTest, AHitAfterALongThoughtIsAnsweredSoon) {
  for (const auto& [name, value] : {std::pair{"RoundUpToFullSecond", "false"}, std::pair{"NetworkDelay", "0"},
                                    std::pair{"NetworkDelay2", "0"}, std::pair{"MinimumThinkingTime", "1"}}) {
    ASSERT_TRUE(engine.options().set(name, value));
  }
  test::SearchClock clock;
  usi::SearchControl control = clock.control(true);
  // The optimum is about 400 ms: pondering was several times as long.
  search("startpos", {.time_ms = {40'000, 40'000}, .timed = true, .ponder = true}, control, [&](const usi::Info& info) {
    if (info.depth != 5 || !control.pondering()) return;
    clock.pass(1'500ms);
    control.ponderhit();
  });
  EXPECT_FALSE(control.pondering());
  EXPECT_LE(control.clock_ms(), 20);
}

TEST(Program, ItsOptionsAreDocumented) {
#ifdef FUHYO_TUNE
  GTEST_SKIP() << "constants are options here";
#endif
  Engine engine;
  test::expect_documented(engine, "fuhyo-nnue");
}

// ---- through USI ----

TEST(Program, SpeaksUsi) {
  Engine engine;
  const std::string out = test::converse(
      engine, "usi\nUSI_Hash 4\nThreads 2\nisready\nusinewgame\nposition startpos moves 7g7f\ngo depth 3\nquit\n");
  EXPECT_THAT(out, HasSubstr("option name USI_Hash type spin default 1024 min 1 max 1048576"));
  EXPECT_THAT(out, HasSubstr("usiok\ninfo string network K+P 256x2-32-32 from the program, "));
  EXPECT_THAT(out, HasSubstr("bestmove "));
}

}  // namespace
}  // namespace fuhyo::nnue
