// fuhyo-nnue playing at a level: what no level may get wrong, and what it owes the clock and the GUI.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "engines/nnue/engine.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/levels.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/usi/search_clock.h"

namespace fuhyo::nnue {
namespace {

class LevelPlay : public ::testing::Test {
 protected:
  LevelPlay() {
    set("Threads", 1);
    set("USI_Hash", 1);
    EXPECT_TRUE(engine.get_ready());
  }

  void set(std::string_view name, int value) { EXPECT_TRUE(engine.options().set(name, std::to_string(value))); }

  std::string play(std::string_view position, const usi::GoLimits& limits = {}) {
    const auto game = usi::parse_position(position);
    EXPECT_TRUE(game) << game.error();
    test::SearchClock clock;
    const usi::SearchControl control = clock.control();
    told.clear();
    const auto result = engine.search(*game, limits, control, [&](const usi::Info& info) { told.push_back(info); });
    time_ms = control.elapsed_ms();
    nodes = result.nodes;
    EXPECT_TRUE(result.best.kind != usi::BestMove::Kind::move || game->current().is_legal(result.best.move));
    return usi::to_text(result.best).substr(9);
  }
  static std::string first_word(const std::string& text) { return text.substr(0, text.find(' ')); }

  Engine engine;
  std::vector<usi::Info> told;
  std::int64_t time_ms = 0, nodes = 0;
};

TEST_F(LevelPlay, IsDifferentEveryTimeAndTheSameForASeed) {
  set("Level", 1);
  std::set<std::string> moves;
  for (int game = 0; game < 30; ++game) {
    engine.new_game();
    moves.insert(play("startpos"));
  }
  EXPECT_GE(moves.size(), 5U);

  set("LevelSeed", 5);
  engine.new_game();
  const std::string first = play("startpos"), second = play("startpos moves 7g7f 3c3d");
  engine.new_game();
  EXPECT_EQ(play("startpos"), first);
  EXPECT_EQ(play("startpos moves 7g7f 3c3d"), second);
}

TEST_F(LevelPlay, TellsLastWhatItPlays) {
  set("Level", 3);
  for (int i = 0; i < 20; ++i) {
    const std::string move = first_word(play("startpos moves 7g7f 3c3d 2g2f 8c8d"));
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(shogi::to_usi(told.back().pv.at(0)), move);
    EXPECT_FALSE(told.back().multipv);
  }
}

// The first iteration is finished in any case; it is short here.
TEST_F(LevelPlay, KeepsToItsNodes) {
  for (const int level : {20, 25, usi::kHighestLevel}) {
    set("Level", level);
    engine.new_game();
    play("startpos", {.byoyomi_ms = 10'000, .timed = true});
    EXPECT_LE(nodes, usi::level(level).nodes) << level;
    EXPECT_GT(nodes, usi::level(level).nodes / 2) << level;
  }
}

TEST_F(LevelPlay, AnswersWithinTheClockHoweverLittleThereIs) {
  for (const int level : {1, 5, 12, 20, usi::kHighestLevel}) {
    set("Level", level);
    for (const char* position : {"startpos", "sfen R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"}) {
      play(position, {.byoyomi_ms = 1, .timed = true});
      EXPECT_LE(time_ms, 100) << level << " " << position;
    }
  }
}

// A gold before the king mates, unless the king moves at once.
TEST_F(LevelPlay, NeverWalksIntoAMateInOne) {
  for (const int level : {1, 2, 8, 16}) {
    set("Level", level);
    for (int i = 0; i < 25; ++i) {
      EXPECT_THAT(play("sfen 4k4/9/9/9/9/9/4p4/9/P3K4 b g 1"), ::testing::StartsWith("5i")) << level;
    }
  }
}

TEST_F(LevelPlay, MatesAtOnce) {
  set("Level", 1);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(first_word(play("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1")), "G*5b");
}

TEST_F(LevelPlay, DeclaresAndResignsAsEver) {
  set("Level", 1);
  EXPECT_EQ(play("sfen GGGGK4/SSSSPP3/9/9/9/9/9/9/8k b 2R2B 1"), "win");
  EXPECT_EQ(play("sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), "resign");
}

TEST_F(LevelPlay, OpensWithoutABook) {
  const test::TemporaryFolder folder;
  const std::string start(shogi::Position::kStartSfen);
  folder.write("standard_book.db", "#YANEURAOU-DB2016 1.00\nsfen " + start + "\n7g7f none 0 20 1\n");
  EXPECT_TRUE(engine.options().set("BookDir", folder.path().string()));
  const auto kind = [&] {
    EXPECT_TRUE(engine.get_ready());
    return engine.book_move({}, {}, [](const usi::Info&) {}).kind;
  };
  EXPECT_EQ(kind(), usi::BestMove::Kind::move);
  set("Level", 30);
  EXPECT_EQ(kind(), usi::BestMove::Kind::resign);  // the search is to find a move
}

TEST_F(LevelPlay, ObeysSearchmoves) {
  set("Level", 1);
  const usi::GoLimits limits{.searchmoves = {*shogi::parse_usi_move("9g9f"), *shogi::parse_usi_move("1g1f")}};
  for (int i = 0; i < 20; ++i) EXPECT_THAT(first_word(play("startpos", limits)), ::testing::AnyOf("9g9f", "1g1f"));
}

}  // namespace
}  // namespace fuhyo::nnue
