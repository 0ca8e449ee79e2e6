// "go mate" of the engine, through the loop of USI.
#include <gtest/gtest.h>

#include "engines/nnue/engine.h"
#include "tests/unit/usi/conversation.h"
#include "tests/unit/usi/search_clock.h"

namespace fuhyo::nnue {
namespace {

TEST(GoMate, AnswersWithTheLine) {
  Engine engine;
  const std::string position = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n";
  const std::string out = test::converse(engine, "MateHash 1\n" + position + "go mate infinite\nwait\nquit\n");
  EXPECT_THAT(out, ::testing::HasSubstr("checkmate G*5b\n"));
}

usi::Checkmate solve(Engine& engine, std::string_view position, std::int64_t ms) {
  test::SearchClock clock;
  return engine.solve_mate(*usi::parse_position(position), {.mate_ms = ms}, clock.control(), [](const usi::Info&) {});
}

TEST(GoMate, MateNoMateAndTimeout) {
  using Kind = usi::Checkmate::Kind;
  Engine engine;
  EXPECT_EQ(to_text(solve(engine, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 1'000)), "checkmate G*5b");
  EXPECT_EQ(solve(engine, "startpos", 1'000).kind, Kind::no_mate);
  EXPECT_EQ(solve(engine, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 0).kind, Kind::timeout);
  ASSERT_TRUE(engine.options().set("MateShortestLine", "true"));
  EXPECT_EQ(solve(engine, "sfen 5l2k/9/5+P1l1/9/6RN1/9/9/9/9 b P 1", usi::kForever).line.size(), 5U);
}

// No mate is known of here, and none is refuted soon.
TEST(GoMate, KeepsItsTime) {
  Engine engine;
  test::SearchClock clock;
  const usi::SearchControl control = clock.control();
  const auto game =
      usi::parse_position("sfen 6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1");
  ASSERT_TRUE(game);
  const auto answer = engine.solve_mate(*game, {.mate_ms = 60}, control, [](const usi::Info&) {});
  EXPECT_LE(control.elapsed_ms(), 70);
  EXPECT_NE(answer.kind, usi::Checkmate::Kind::no_mate);
}

}  // namespace
}  // namespace fuhyo::nnue
