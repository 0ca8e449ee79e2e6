// The analysis service with real processes that misbehave.
#include "server/host/engine_analyst.h"

#include <chrono>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <string>
#include <string_view>

#include "tests/support/patience.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/host/analysis_games.h"

namespace fuhyo::host {
namespace {

using core::AnalysisState;
using Config = EngineAnalyst::Config;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class EngineAnalystTest : public testing::Test {
 protected:
  // No deadline is reached unless the test means it to be, and no engine gives way to other tests.
  static Config patient() {
    constexpr std::int64_t kPatience_ms = std::chrono::milliseconds(test::kPatience).count();
    return {.think_ms = kPatience_ms, .stop_ms = kPatience_ms};
  }
  void start(std::vector<std::string> command, Config config = patient(), bool leisurely = false) {
    config.command = std::move(command);
    config.leisurely = leisurely;
    config.nodes = config.game_nodes = 100;
    config.restart_ms = 1;
    analyst = std::make_unique<EngineAnalyst>(std::move(config), [this](bool warning, const std::string& text) {
      const std::lock_guard lock(mutex);
      (warning ? warnings : notes).push_back(text);
    });
  }
  void start_fake(const std::string& mode, Config config = patient()) { start({FAKE_ENGINE, mode}, std::move(config)); }
  std::vector<std::string> warned() {
    const std::lock_guard lock(mutex);
    return warnings;
  }
  template <class Request>
  bool until(AnalysisState wanted, Request request) {
    return test::eventually([&] { return request().state == wanted; });
  }
  bool position_is(AnalysisState wanted, std::uint64_t game = 1) {
    return until(wanted, [&] { return analyst->position(game_of(game), 0, 1, "a"); });
  }

  std::mutex mutex;
  std::vector<std::string> notes, warnings;
  std::unique_ptr<EngineAnalyst> analyst;
};

TEST_F(EngineAnalystTest, AnswersAboutPositionsAndGames) {
  start_fake("good");
  ASSERT_TRUE(position_is(AnalysisState::done));
  const auto report = analyst->position(game_of(1), 0, 1, "a");
  EXPECT_EQ(report.engine, "Fake good");
  EXPECT_EQ(report.position.lines.front().value.cp, 42);
  EXPECT_THAT(report.position.lines.front().moves, ElementsAre("2h3h"));
  ASSERT_TRUE(until(AnalysisState::done, [&] { return analyst->game(game_of(2, {"2h3h", "8b7b"}), "a"); }));
  const auto game = analyst->game(game_of(2, {"2h3h", "8b7b"}), "a");
  EXPECT_EQ(game.positions.size(), 3U);
  EXPECT_EQ(game.positions[1]->lines.front().value.cp, -42);
  EXPECT_EQ(notes, std::vector<std::string>{"analysis engine: Fake good"});
  EXPECT_TRUE(warned().empty());
}

TEST_F(EngineAnalystTest, AnEngineThatDiesInTheMiddleIsStartedAgain) {
  start_fake("crash");  // at every second request
  ASSERT_TRUE(until(AnalysisState::done, [&] { return analyst->game(game_of(1, {"2h3h", "8b7b"}), "a"); }));
  for (const auto& position : analyst->game(game_of(1, {"2h3h", "8b7b"}), "a").positions) EXPECT_TRUE(position);
  EXPECT_THAT(warned(), Contains(HasSubstr("killed by signal 6")));
}

TEST_F(EngineAnalystTest, WhoeverAnswersNothingUsefulHasFailed) {
  for (const char* mode : {"hang", "flood", "longline", "illegal"}) {
    // Only who hangs is not waited for: a flood is to be noticed by itself, however slowly it is read.
    start_fake(mode, mode == std::string_view("hang") ? Config{.think_ms = 1, .stop_ms = 2} : patient());
    EXPECT_TRUE(position_is(AnalysisState::failed)) << mode;
  }
  EXPECT_THAT(warned(), Contains(HasSubstr("no bestmove within 2 ms after stop")));
  EXPECT_THAT(warned(), Contains(HasSubstr("output flood")));
  EXPECT_THAT(warned(), Contains(HasSubstr("a line over 8192 bytes")));
  EXPECT_THAT(warned(), Contains("analysis engine: wrong answer: bestmove 5e5d"));
}

TEST_F(EngineAnalystTest, OptionsThatTheEngineDoesNotTakeAreToldOnce) {
  Config config = patient();
  config.options = {{"Strength", "10"}};
  start_fake("choosy", config);
  ASSERT_TRUE(position_is(AnalysisState::done));
  EXPECT_THAT(warned(), ElementsAre("analysis engine: option Strength: a number from 1 to 9 expected, not '10'"));
}

TEST_F(EngineAnalystTest, GarbageBetweenAnswersDoesNoHarm) {
  start_fake("garbage");
  ASSERT_TRUE(position_is(AnalysisState::done));
  EXPECT_THAT(analyst->position(game_of(1), 0, 1, "a").position.lines.front().moves, ElementsAre("2h3h"));
}

TEST_F(EngineAnalystTest, AnEngineThatCannotBeStartedIsAwayAndSaysSoAtOnce) {
  start({"/nowhere/engine"});
  EXPECT_TRUE(test::eventually([&] { return !warned().empty(); }));
  EXPECT_THAT(warned(), ElementsAre("analysis engine: cannot run '/nowhere/engine': No such file or directory"));
  EXPECT_TRUE(position_is(AnalysisState::away));
  EXPECT_EQ(analyst->game(game_of(1), "a").state, AnalysisState::away);
}

TEST_F(EngineAnalystTest, OneThatOnlyEverDiesIsAway) {
  start_fake("exit3", {.deaths = 2});
  EXPECT_TRUE(position_is(AnalysisState::away));
  EXPECT_THAT(warned(), ElementsAre("analysis engine: exit status 3")) << "once";
}

TEST_F(EngineAnalystTest, RestsWhenNobodyAsksAndComesBack) {
  test::TemporaryFolder folder;
  const std::string starts = (folder.path() / "starts").string();
  const std::string script = "echo x >> " + starts + "; exec " FAKE_ENGINE " good";
  Config config = patient();
  config.idle_ms = 1;
  start({"/bin/sh", "-c", script}, config);
  std::uint64_t game = 0;
  EXPECT_TRUE(test::eventually([&] {
    return position_is(AnalysisState::done, ++game) && std::filesystem::file_size(starts) >= 4;
  })) << "two starts";
  EXPECT_TRUE(warned().empty()) << "an engine that rests has not failed";
}

TEST_F(EngineAnalystTest, GivesWayToEverybodyElse) {
  const test::TemporaryFolder folder;
  const std::string policy = (folder / "policy").string();
  const std::string script = "cut -d ' ' -f 41 /proc/self/stat > " + policy + "; exec " FAKE_ENGINE " good";
  start({"/bin/sh", "-c", script}, patient(), true);
  ASSERT_TRUE(position_is(AnalysisState::done));
  EXPECT_EQ(folder.read("policy"), "5\n") << "SCHED_IDLE: proc_pid_stat(5)";
}

TEST_F(EngineAnalystTest, EndsWhateverTheEngineDoes) {
  using enum AnalysisState;
  for (const auto& [mode, when] : {std::pair("hang", running), {"deaf", queued}, {"good", done}, {"late", running}}) {
    const test::TemporaryFolder folder;
    start({"/bin/sh", "-c", "> " + (folder / "started").string() + "; exec " FAKE_ENGINE " " + mode});
    EXPECT_TRUE(test::eventually([&] { return std::filesystem::exists(folder / "started"); })) << mode;
    EXPECT_TRUE(position_is(when)) << mode;
    analyst.reset();
  }
}

TEST(AnalysisOption, IsANameAndAValue) {
  EXPECT_EQ(parse_analysis_option("USI_Hash=128").value(), (std::pair<std::string, std::string>("USI_Hash", "128")));
  EXPECT_EQ(parse_analysis_option("EvalFile=a=b c").value().second, "a=b c");
  EXPECT_EQ(parse_analysis_option("X=").value().second, "");
  EXPECT_EQ(parse_analysis_option("USI_Hash").error(), "'USI_Hash' is no NAME=VALUE of a USI option");
  EXPECT_EQ(parse_analysis_option("=5").error(), "'=5' is no NAME=VALUE of a USI option");
  EXPECT_EQ(parse_analysis_option("multipv=5").error(), "MultiPV is set by the server");
  EXPECT_THAT(parse_analysis_option("X=a\nquit").error(), HasSubstr("no line of text"));
  EXPECT_THAT(parse_analysis_option("X=" + std::string(1'023, 'a')).error(), HasSubstr("is too long"));
}

}  // namespace
}  // namespace fuhyo::host
