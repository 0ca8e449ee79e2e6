// fuhyo-cluster as a whole, with engines in processes of their own.
#include "engines/cluster/engine.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "engines/cluster/check.h"
#include "tests/support/patience.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/usi/conversation.h"

namespace fuhyo::cluster {
namespace {

using test::count;
using ::testing::HasSubstr;
using ::testing::Not;

std::string node(const std::string& name, const std::string& command, const std::string& more = "") {
  return "[[node]]\nname = '" + name + "'\nmemory = 16\ncommand = '" + command + "'\n" + more + "\n";
}
std::string fake(const std::string& mode) { return node(mode, std::string(FAKE_ENGINE) + " " + mode); }
std::string nnue(const std::string& name) { return node(name, FUHYO_NNUE); }

// A cluster.toml.
class ClusterProgram : public ::testing::Test {
 protected:
  std::string write(const std::string& text) {
    const std::string file = folder_ / "cluster.toml";
    std::ofstream(file) << text;
    return file;
  }
  std::string converse(const std::string& nodes, const std::string& input) {
    Engine engine("/");
    return test::converse(engine, "ClusterFile " + write(nodes) + "\n" + input);
  }

 private:
  const test::TemporaryFolder folder_;
};

TEST_F(ClusterProgram, SaysUsiokWithoutAskingAnybody) {
  Engine engine("/");
  const std::string out = test::converse(engine, "ClusterFile /nonexistent\nusi\nisready\ngo nodes 1\nwait\nquit\n");
  EXPECT_THAT(out, HasSubstr("id name Fuhyo Cluster"));
  EXPECT_THAT(out, HasSubstr("usiok"));
  EXPECT_THAT(out, HasSubstr("Error! ClusterFile: '/nonexistent' cannot be read"));
  EXPECT_THAT(out, Not(HasSubstr("readyok")));
  EXPECT_THAT(out, HasSubstr("bestmove resign"));
}

TEST_F(ClusterProgram, SpeaksUsiWithTwoNnuesAndAMateNode) {
  const std::string out = converse(
      nnue("first") + nnue("second") + node("mates", FUHYO_NNUE, "role = 'mate'"),
      "isready\nusinewgame\nposition startpos moves 7g7f\ngo nodes 2000\nwait\ngo infinite\nstop\nwait\n"
      "go movetime 100\nwait\nposition startpos moves 7g7f 3c3d\ngo ponder byoyomi 1000\nponderhit\nstop\n"
      "go ponder byoyomi 1000\nstop\nposition startpos moves 7g7f 8c8d\ngo byoyomi 1500\nstop\nwait\n"
      "position startpos moves 7g7f\ngo depth 4 searchmoves 8c8d 3c3d\nwait\n"
      "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1\ngo mate infinite\nwait\ngo nodes 100\nwait\n"
      "usinewgame\nposition startpos\ngo nodes 500\nwait\nbench 50\neval\nquit\n");
  EXPECT_EQ(count(out, "readyok"), 1U);
  EXPECT_EQ(count(out, "\nbestmove "), 9U + 6U) << out;
  EXPECT_EQ(count(out, "\nbestmove resign"), 0U) << out;
  EXPECT_THAT(out, HasSubstr("\ncheckmate G*5b\n"));
  EXPECT_THAT(out, HasSubstr("bestmove G*5b"));
  EXPECT_THAT(out, HasSubstr("info string first: depth "));
  EXPECT_THAT(out, HasSubstr("info string second: depth "));
  EXPECT_THAT(out, HasSubstr("\neval: "));
  EXPECT_EQ(count(out, "Error"), 0U) << out;
}

TEST_F(ClusterProgram, ANodeThatCannotBeStartedCostsOnlyItsShare) {
  const std::string out = converse(node("gone", "/nonexistent/engine") + nnue("here"),
                                   "isready\nposition startpos\ngo nodes 500\nwait\nquit\n");
  EXPECT_EQ(count(out, "readyok"), 1U);
  EXPECT_THAT(out, HasSubstr("info string Error! gone: has ended: cannot run '/nonexistent/engine'"));
  EXPECT_EQ(count(out, "has ended"), 1U) << out;
  EXPECT_EQ(count(out, "\nbestmove resign"), 0U);
}

TEST_F(ClusterProgram, WithoutANodeThatSearchesItIsNotReady) {
  const std::string out =
      converse(node("gone", "/nonexistent/engine") + node("mates", FUHYO_NNUE, "role = 'mate'"), "isready\nquit\n");
  EXPECT_THAT(out, HasSubstr("Error! no node is ready: gone: has ended: cannot run '/nonexistent/engine'"));
  EXPECT_THAT(out, Not(HasSubstr("readyok")));
}

TEST_F(ClusterProgram, BadMannersHarmNobody) {
  for (const char* const mode : {"hang", "late", "illegal", "garbage", "double", "flood", "longline", "good"}) {
    const std::string out = converse(
        fake(mode) + nnue("here"),
        "isready\nposition startpos\ngo movetime 200\nwait\nposition startpos moves 7g7f 3c3d\n"
        "go ponder byoyomi 1000\nstop\nwait\nposition startpos moves 7g7f 8c8d\ngo movetime 200\nwait\nquit\n");
    EXPECT_EQ(count(out, "readyok"), 1U) << mode;
    EXPECT_EQ(count(out, "\nbestmove "), 3U) << mode << out;
    EXPECT_EQ(count(out, "\nbestmove resign"), 0U) << mode;
    EXPECT_EQ(count(out, "\nbestmove 5e5d"), 0U) << mode;
  }
}

// From move to move: the root ends at the second "go" of its life, the other one answers, and it is back later.
TEST_F(ClusterProgram, ARootThatCrashesIsBackForALaterMove) {
  Engine engine("/");
  const std::string crashing = node("crashing", std::string(FAKE_ENGINE) + " crash", "role = 'root'");
  ASSERT_TRUE(engine.options().set("ClusterFile", write(crashing + nnue("here"))));
  ASSERT_TRUE(engine.get_ready());
  const auto game = *usi::parse_position("startpos");
  std::vector<std::string> told;
  const auto report = [&](const usi::Info& info) { told.push_back(info.text); };
  bool crashed = false, back = false;
  EXPECT_TRUE(test::eventually([&] {
    const usi::SearchControl control;
    told.clear();
    const auto result = engine.search(game, {.nodes = 200}, control, report);
    EXPECT_TRUE(game.current().is_legal(result.best.move));
    const auto says = [&](std::string_view what) {
      return std::ranges::any_of(told, [&](const auto& text) { return text.find(what) != std::string::npos; });
    };
    back = crashed && says("crashing: depth");
    crashed = crashed || says("killed by signal 6");
    return back;
  }));
}

TEST_F(ClusterProgram, ChecksItsNodes) {
  std::ostringstream out;
  EXPECT_EQ(check(write(nnue("first") + node("mates", FUHYO_NNUE, "role = 'mate'")), "/", out), 0) << out.str();
  EXPECT_THAT(out.str(), HasSubstr("first (search, 1 threads, 16 MB): leads; "));
  EXPECT_THAT(out.str(), HasSubstr(" nodes a second; answers in "));
  EXPECT_THAT(out.str(), HasSubstr("mates (mate, 1 threads, 16 MB): looks for mates; answers in "));
  std::ostringstream wrong;
  EXPECT_EQ(check(write(nnue("first") + node("gone", "/nonexistent/engine")), "/", wrong), 1);
  EXPECT_THAT(wrong.str(), HasSubstr("gone (search, 1 threads, 16 MB): is not ready: has ended: cannot run"));
  EXPECT_EQ(check("/nonexistent", "/", wrong), 1);
}

TEST(ClusterOptions, AreDocumented) {
  Engine engine("/");
  test::expect_documented(engine, "fuhyo-cluster");
}

}  // namespace
}  // namespace fuhyo::cluster
