#include "engines/match/tune/engine_trials.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/match/tune/spsa.h"
#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::match::tune {
namespace {

using ::fuhyo::test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

Parameters one() { return *read_parameters("a,int,100,0,200,10,0.002\n", "f"); }

const auto kSilent = [](const TrialTally&) -> std::expected<void, std::string> { return {}; };

// Resigns unless its option is above 100; then it plays 7g7f, which is enough against one that resigns.
constexpr const char* kEngine = R"(a=0
while read -r line; do
  case "$line" in
    usi) echo "id name script"; echo "option name a type spin default 100 min 0 max 200"; echo usiok ;;
    isready) echo readyok ;;
    "setoption name a value "*) a=${line##* } ;;
    go*) if [ "$a" -gt 100 ]; then echo bestmove 7g7f; else echo bestmove resign; fi ;;
    quit) exit ;;
  esac
done
)";

class EngineTrialsTest : public ::testing::Test {
 protected:
  EngineTrials trials(const std::string& command, std::int64_t games) const {
    return {.engine = {.engine = {.command = command}},
            .openings = {Opening{}},
            .runner = {.concurrency = 2},
            .games = games};
  }

  const test::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_.write("engine.sh", kEngine);
};

TEST_F(EngineTrialsTest, EnginesAreGivenTheirValuesAndTheBetterOnesWin) {
  Spsa spsa = *Spsa::begin(one(), {.rounding = SpsaRules::Rounding::nearest, .pairs = 20});
  TrialTally tally;
  int reports = 0;
  const auto played = play_trials(trials("sh " + path_.string(), 20), spsa,
                                  [&](const TrialTally& now) -> std::expected<void, std::string> {
                                    tally = now;
                                    ++reports;
                                    return {};
                                  },
                                  {});
  ASSERT_TRUE(played) << played.error();
  EXPECT_EQ(spsa.games(), 20);
  EXPECT_EQ(reports, 10);
  EXPECT_EQ(tally.wins + tally.losses, 20);
  EXPECT_EQ(tally.wins % 2, 0);  // both games of a trial go the same way
  EXPECT_EQ(tally.faults, 0);
  // Whichever side is above 100 wins both of its games, so every trial moves the value up.
  double expected = 100;
  for (const TracePoint& point : spsa.trace()) {
    EXPECT_GE(point.values[0], expected);
    expected = point.values[0];
  }
  EXPECT_GT(spsa.best()[0], 100.1);
}

TEST_F(EngineTrialsTest, AnEngineThatCannotPlayEndsTheTuning) {
  Spsa spsa = *Spsa::begin(one(), {});
  EXPECT_THAT(error_of(play_trials(trials("false", 1'000), spsa, kSilent, {})), HasSubstr("20 games in a row"));
  EXPECT_LT(spsa.games(), 30);
}

TEST_F(EngineTrialsTest, AFailureToKeepItEndsTheTuning) {
  Spsa spsa = *Spsa::begin(one(), {});
  const auto played = play_trials(
      trials("sh " + path_.string(), 1'000), spsa,
      [](const TrialTally&) -> std::expected<void, std::string> { return std::unexpected("no space"); }, {});
  EXPECT_EQ(played.error(), "no space");
}

TEST_F(EngineTrialsTest, AStopIsObeyed) {
  Spsa spsa = *Spsa::begin(one(), {});
  std::stop_source stop;
  const auto played = play_trials(
      trials("sh " + path_.string(), 1'000), spsa,
      [&](const TrialTally&) -> std::expected<void, std::string> {
        stop.request_stop();
        return {};
      },
      stop.get_token());
  EXPECT_TRUE(played);
  EXPECT_LT(spsa.games(), 10);
}

TEST(EngineTrials, OptionsOfParametersComeOnTopOfTheEngines) {
  Parameters parameters =
      *read_parameters("a,int,1,0,9,1,0\nb,float,0.5,0,1,1,0\nc,int,1,0,9,1,0 // [[NOT USED]]\n", "f");
  const Contestant engine{.engine = {.command = "x", .options = {{"a", "7"}, {"Threads", "1"}}}};
  EXPECT_THAT(with_options(engine, parameters, {3, 0.25, 5}).engine.options,
              ElementsAre(Pair("Threads", "1"), Pair("a", "3"), Pair("b", "0.25")));
}

}  // namespace
}  // namespace fuhyo::match::tune
