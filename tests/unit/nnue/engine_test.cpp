#include "engines/nnue/engine.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <thread>

#include "engines/nnue/evaluate.h"
#include "engines/nnue/search.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/bench.h"
#include "engines/usi/loop.h"

namespace fuhyo::nnue {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

struct Found {
  std::string best;  // "bestmove ..."
  usi::Info last;
  std::int64_t nodes = 0;
  std::int64_t time_ms = 0;
};

class NnueTest : public ::testing::Test {
 protected:
  NnueTest() {
    EXPECT_TRUE(engine.options().set("USI_Hash", "4"));  // cleared often
    EXPECT_TRUE(engine.get_ready());
  }

  Found search(std::string_view position, const usi::GoLimits& limits) {
    const auto game = usi::parse_position(position);
    EXPECT_TRUE(game) << game.error();
    const usi::SearchControl control(limits.ponder);
    Found found;
    const auto result = engine.search(*game, limits, control, [&](const usi::Info& info) { found.last = info; });
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

TEST_F(NnueTest, ResignsWhenMated) {
  EXPECT_EQ(search("sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", {.depth = 3}).best, "bestmove resign");
}

// ---- the rules of drawn and won games ----

TEST_F(NnueTest, DeclaresTheWin) {
  EXPECT_EQ(search("sfen GGGGK4/SSSSPP3/9/9/9/9/9/9/8k b 2R2B 1", {.depth = 3}).best, "bestmove win");
}

// White has everything and Black can only shuffle between two squares; the fourth repetition is a draw for both.
TEST_F(NnueTest, TakesTheDrawWhenLosing) {
  // After these moves Black to move can repeat the position for the fourth time.
  const char* position =
      "sfen 4k4/9/9/9/9/9/9/r7P/8K w rb 1 moves 5a5b 1i2i 5b5a 2i1i 5a5b 1i2i 5b5a 2i1i 5a5b 1i2i 5b5a";
  const auto game = usi::parse_position(position);
  if (!game) GTEST_SKIP() << game.error();
  const Found found = search(position, {.depth = 3});
  ASSERT_TRUE(found.last.score);
  EXPECT_EQ(found.best.substr(0, 13), "bestmove 2i1i");
  EXPECT_EQ(found.last.score->value, 0);
}

TEST(Path, KnowsRepetitionAndPerpetualCheck) {
  const auto play = [](std::string_view text) {
    const auto game = usi::parse_position(text);
    EXPECT_TRUE(game) << game.error();
    Path path;
    shogi::Position position = game->start;
    path.push(position);
    path.mark_root();  // everything after it belongs to the search
    for (const shogi::Move move : game->moves) {
      position.do_move(move);
      path.push(position);
    }
    return path.repetition();
  };
  EXPECT_EQ(play("startpos moves 2h3h 8b7b 3h2h"), Repetition::none);
  EXPECT_EQ(play("startpos moves 2h3h 8b7b 3h2h 7b8b"), Repetition::draw);
  // The rook checks on every move; back at the start White has been chased: the checker, who is to move, loses.
  const std::string chase = "sfen 4k4/9/9/9/4R4/9/9/9/K8 w - 1 moves 5a4a 5e4e 4a5a 4e5e";
  EXPECT_EQ(play(chase), Repetition::win);
  EXPECT_EQ(play(chase + " 5a4a"), Repetition::loss);
}

TEST(Path, GamePositionsCountOnlyAtTheFourthTime) {
  Path path;
  shogi::Position position;
  path.push(position);
  const auto shuffle = [&] {
    for (const char* move : {"2h3h", "8b7b", "3h2h", "7b8b"}) {
      position.do_move(*shogi::parse_usi_move(move));
      path.push(position);
    }
  };
  shuffle();
  shuffle();
  path.mark_root();
  EXPECT_EQ(path.repetition(), Repetition::none);
  shuffle();
  EXPECT_EQ(path.repetition(), Repetition::draw);
}

TEST_F(NnueTest, KnowsTheMoveLimit) {
  ASSERT_TRUE(engine.options().set("MaxMovesToDraw", "12"));
  // Far ahead, but the game is over two plies from now.
  const Found found = search("sfen 4k4/9/9/9/9/9/9/9/4K4 b 2R2B 11", {.depth = 5});
  ASSERT_TRUE(found.last.score);
  EXPECT_EQ(found.last.score->value, 0);
}

// ---- limits ----

TEST_F(NnueTest, ObeysDepthAndNodes) {
  EXPECT_EQ(search("startpos", {.depth = 3}).last.depth, 3);
  const Found found = search("startpos", {.nodes = 20'000});
  EXPECT_LE(found.nodes, 20'000);
  EXPECT_GT(found.nodes, 10'000);
}

TEST_F(NnueTest, ObeysMovetime) {
  const Found found = search("startpos", {.movetime_ms = 150});
  EXPECT_GE(found.time_ms, 140);
  EXPECT_LE(found.time_ms, 400);
}

TEST_F(NnueTest, MovesInTimeHoweverLittleThereIs) {
  for (const std::int64_t byoyomi : {1, 20, 100}) {
    const Found found =
        search("sfen R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", {.byoyomi_ms = byoyomi, .timed = true});
    EXPECT_THAT(found.best, HasSubstr("bestmove "));
    EXPECT_LE(found.time_ms, byoyomi + 250) << byoyomi;
  }
}

TEST_F(NnueTest, StopsWhenTold) {
  const auto game = usi::parse_position("startpos");
  usi::SearchControl control;
  std::thread stopper([&] {
    std::this_thread::sleep_for(50ms);
    control.stop();
  });
  const auto result = engine.search(*game, {.infinite = true}, control, [](const usi::Info&) {});
  stopper.join();
  EXPECT_EQ(result.best.kind, usi::BestMove::Kind::move);
  EXPECT_LE(control.elapsed_ms(), 1'000);
}

// While pondering no clock runs; from the hit on, the plan does.
TEST_F(NnueTest, PondersWithoutTheClock) {
  const auto game = usi::parse_position("startpos");
  usi::SearchControl control(true);
  std::thread opponent([&] {
    std::this_thread::sleep_for(600ms);
    control.ponderhit();
  });
  const usi::GoLimits limits{.byoyomi_ms = 200, .timed = true, .ponder = true};
  engine.search(*game, limits, control, [](const usi::Info&) {});
  opponent.join();
  EXPECT_GE(control.elapsed_ms(), 600);
  EXPECT_LE(control.elapsed_ms(), 1'100);
}

TEST_F(NnueTest, SearchmovesBindIt) {
  EXPECT_EQ(search("startpos", {.depth = 3, .searchmoves = {*shogi::parse_usi_move("9g9f")}}).best.substr(0, 13),
            "bestmove 9g9f");
}

// ---- identity ----

TEST_F(NnueTest, BenchIsReproducible) {
  const usi::GoLimits limits{.depth = 5};
  const auto first = usi::bench(engine, limits, [](std::string_view) {});
  const auto again = usi::bench(engine, limits, [](std::string_view) {});
  EXPECT_EQ(first.nodes, again.nodes);
  Engine other;
  ASSERT_TRUE(other.options().set("USI_Hash", "4"));
  ASSERT_TRUE(other.get_ready());
  EXPECT_EQ(usi::bench(other, limits, [](std::string_view) {}).nodes, first.nodes);
}

TEST_F(NnueTest, PrincipalVariationsAreLegal) {
  for (const char* text :
       {"startpos moves 7g7f 3c3d", "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"}) {
    const Found found = search(text, {.depth = 5});
    shogi::Position position = usi::parse_position(text)->current();
    ASSERT_FALSE(found.last.pv.empty());
    for (const shogi::Move move : found.last.pv) {
      ASSERT_TRUE(position.is_legal(move)) << shogi::to_usi(move);
      position.do_move(move);
    }
  }
}

TEST(Evaluate, IsTheSameFromBothSides) {
  EXPECT_EQ(evaluate(shogi::Position()), 0);
  const auto black = shogi::Position::from_sfen("4k4/9/9/9/9/9/4P4/9/4K4 b G 1");
  const auto white = shogi::Position::from_sfen("4k4/9/4p4/9/9/9/9/9/4K4 w g 1");
  ASSERT_TRUE(black && white);
  EXPECT_EQ(evaluate(*black), evaluate(*white));
  EXPECT_GT(evaluate(*black), piece_value(shogi::GOLD));
}

TEST(Evaluate, StaysWithinItsBounds) {
  const auto everything = shogi::Position::from_sfen("9/9/9/9/4K4/9/9/9/9 b 2R2B4G4S4N4L18P 1");
  ASSERT_TRUE(everything);
  EXPECT_LT(evaluate(*everything), kMaxEvaluation);
}

TEST(Score, MatesCountPlies) {
  EXPECT_EQ(to_usi_score(kMate - 3), (usi::Score{.kind = usi::Score::Kind::win, .value = 3}));
  EXPECT_EQ(to_usi_score(-kMate + 2), (usi::Score{.kind = usi::Score::Kind::lose, .value = 2}));
  EXPECT_EQ(to_usi_score(-120), usi::Score{.value = -120});
}

TEST(Table, KeepsTheDeeperAndTheNewer) {
  Table table;
  table.resize(1);
  table.clear();
  const auto move = *shogi::parse_usi_move("7g7f");
  table.store(1, move, 50, 8, Bound::exact);
  table.store(1, {}, 40, 9, Bound::upper);  // no move: the known one stays
  ASSERT_NE(table.probe(1), nullptr);
  EXPECT_EQ(table.probe(1)->depth, 9);
  EXPECT_EQ(table.probe(1)->move, move);
  EXPECT_EQ(table.probe(2), nullptr);
  table.store(2, move, 1, 1, Bound::lower);  // the same bucket: shallow entries do not push deep ones out
  EXPECT_NE(table.probe(1), nullptr);
  EXPECT_NE(table.probe(2), nullptr);
  table.age();
  table.store(3, move, 1, 1, Bound::lower);  // a new search: now they do
  EXPECT_EQ(table.probe(1), nullptr);
}

// ---- through USI ----

TEST(Program, SpeaksUsi) {
  Engine engine;
  std::istringstream in("usi\nisready\nusinewgame\nposition startpos moves 7g7f\ngo depth 3\nquit\n");
  std::ostringstream out;
  usi::run_loop(engine, in, out);
  EXPECT_THAT(out.str(), HasSubstr("option name USI_Hash type spin default 64 min 1 max 65536"));
  EXPECT_THAT(out.str(), HasSubstr("usiok\ninfo string network K+P 256x2-32-32 from the program (untrained)"));
  EXPECT_THAT(out.str(), HasSubstr("bestmove "));
}

TEST(Program, CountsMovesLikeTheRestOfTheWorld) {
  Engine engine;
  std::istringstream in(
      "perft 4\nposition sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1\nperft 2\nquit\n");
  std::ostringstream out;
  usi::run_loop(engine, in, out);
  EXPECT_THAT(out.str(), HasSubstr("nodes: 719731\n"));
  EXPECT_THAT(out.str(), HasSubstr("nodes: 28684\n"));
}

}  // namespace
}  // namespace fuhyo::nnue
