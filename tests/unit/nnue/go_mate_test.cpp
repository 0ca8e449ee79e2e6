// "go mate" of the engine, through the loop of USI.
#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "engines/nnue/engine.h"
#include "engines/usi/loop.h"
#include "tests/support/thread_work.h"

namespace fuhyo::nnue {
namespace {

using ::testing::HasSubstr;

std::string say(const std::string& input) {
  Engine engine;
  std::istringstream in(input);
  std::ostringstream out;
  usi::run_loop(engine, in, out);
  return out.str();
}

// The end of the input may stop it first.
TEST(GoMate, AnswersWithTheLine) {
  const std::string out =
      say("setoption name MateHash value 1\nposition sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\ngo mate infinite\n"
          "quit\n");
  EXPECT_TRUE(out.contains("checkmate G*5b\n") || out.contains("checkmate timeout\n")) << out;
}

usi::Checkmate solve(Engine& engine, std::string_view position, std::int64_t ms) {
  const usi::SearchControl control;
  return engine.solve_mate(*usi::parse_position(position), {.mate_ms = ms}, control, [](const usi::Info&) {});
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
  const usi::SearchControl control;
  const auto game =
      usi::parse_position("sfen 6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1");
  ASSERT_TRUE(game);
  const auto before = test::thread_work();
  const auto answer = engine.solve_mate(*game, {.mate_ms = 60}, control, [](const usi::Info&) {});
  EXPECT_LE(test::thread_work() - before, std::chrono::milliseconds(200));
  EXPECT_NE(answer.kind, usi::Checkmate::Kind::no_mate);
}

}  // namespace
}  // namespace fuhyo::nnue
