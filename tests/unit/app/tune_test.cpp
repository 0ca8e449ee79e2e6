// `fuhyo tune`: its state on the disk, its results, its exit codes and the defaults of its methods.
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/match/tune/toy.h"
#include "server/app/commands.h"
#include "server/app/tune/keeper.h"
#include "server/app/tune/options.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

namespace tune = match::tune;
using ::testing::HasSubstr;

class TuneCommand : public ::testing::Test {
 protected:
  std::string path(const char* name) const { return folder_.file(name); }
  static void play(const TuneOptions& options, tune::Tuner& tuner, TuneKeeper& keeper, std::int64_t games) {
    while (tuner.games() < games) {
      ASSERT_TRUE(tuner.report(tune::play_toy(tuner.next(), options.per_trial(), options.play.seed)));
      ASSERT_TRUE(keeper.reported());
    }
  }

  test::TemporaryFolder folder_;
};

TEST_F(TuneCommand, AStateIsGoneOnFromAndTheResultIsWritten) {
  TuneOptions options;
  options.toy = true, options.games = 400, options.state = path("state");
  options.params_out = path("out.params"), options.setoptions_out = path("out.txt"), options.plot_out = path("out.svg");
  {
    auto tuner = open_tuner(options);
    ASSERT_TRUE(tuner) << tuner.error().text;
    TuneKeeper keeper(options, **tuner);
    play(options, **tuner, keeper, 100);
    ASSERT_TRUE(keeper.save());
  }
  options.method = "two-stage";  // the state's method holds
  options.games_per_trial = 2;
  auto tuner = open_tuner(options);
  ASSERT_TRUE(tuner) << tuner.error().text;
  EXPECT_EQ((*tuner)->games(), 100);
  TuneKeeper keeper(options, **tuner);
  play(options, **tuner, keeper, 400);
  ASSERT_TRUE(keeper.finish());

  TuneOptions whole;
  whole.toy = true, whole.games = 400;
  auto at_once = open_tuner(whole);
  TuneKeeper other(whole, **at_once);
  play(whole, **at_once, other, 400);
  EXPECT_EQ((*at_once)->best(), (*tuner)->best());

  const auto written = tune::read_parameters(folder_.read("out.params"), "out");
  ASSERT_TRUE(written);
  EXPECT_EQ(values_of(*written), (*tuner)->best());
  EXPECT_THAT(folder_.read("out.txt"), HasSubstr("setoption name margin value 4"));
  EXPECT_THAT(folder_.read("out.svg"), HasSubstr("</svg>"));
}

TEST_F(TuneCommand, WhatIsWrongHasItsExitCode) {
  TuneOptions options;
  const auto failure_of = [](const TuneOptions& wrong) {
    const auto tuner = open_tuner(wrong);
    return tuner ? ExitError{"opened", 0} : tuner.error();
  };
  EXPECT_EQ(failure_of(options).code, kExitUsage);
  options.parameters = path("none.params");
  EXPECT_EQ(failure_of(options).code, kExitNoInput);
  std::ofstream(options.parameters) << "a,int,1,0,2,1,0.002\nb,int,1,0\n";
  EXPECT_THAT(failure_of(options).text, HasSubstr("none.params:2: 4 columns"));
  std::ofstream(options.parameters) << "a,int,1,0,2,1,0.002\n";
  options.games = 1;
  EXPECT_THAT(failure_of(options).text, HasSubstr("pairs"));
  options.games = 100;
  options.only = {"b*"};
  EXPECT_THAT(failure_of(options).text, HasSubstr("--only: 'b*'"));
  options.only = {"a"};
  EXPECT_EQ(failure_of(options).text, "opened");
  options.toy = true;
  EXPECT_THAT(failure_of(options).text, HasSubstr("--toy"));
  options.toy = false;
  options.state = path("state");
  std::ofstream(options.state) << "something else\n";
  EXPECT_EQ(failure_of(options).code, kExitNoInput);
  options.state = path("no/such/folder/state");
  auto tuner = open_tuner(options);
  ASSERT_TRUE(tuner);
  EXPECT_EQ(TuneKeeper(options, **tuner).save().error().code, kExitCannotCreate);
}

TEST(TuneOptions, MethodsHaveTheirOwnDefaults) {
  TuneOptions options;
  options.games = 1'000;
  const tune::Parameters parameters = tune::toy_parameters();
  const auto rules = [&] { return dynamic_cast<tune::Spsa&>(**make_tuner(parameters, options)).rules(); };
  EXPECT_EQ(rules().gains, tune::SpsaRules::Gains::fishtest);
  EXPECT_EQ(rules().against, tune::SpsaRules::Against::each_other);
  EXPECT_EQ(rules().rounding, tune::SpsaRules::Rounding::stochastic);
  EXPECT_EQ(rules().pairs, 500);
  EXPECT_EQ(options.per_trial(), 2);
  options.method = "yaneuraou";
  EXPECT_EQ(rules().gains, tune::SpsaRules::Gains::yaneuraou);
  EXPECT_EQ(rules().against, tune::SpsaRules::Against::base);
  EXPECT_EQ(rules().rounding, tune::SpsaRules::Rounding::nearest);
  options.against = "each-other", options.rounding = "stochastic";
  EXPECT_EQ(rules().against, tune::SpsaRules::Against::each_other);
  EXPECT_EQ(rules().rounding, tune::SpsaRules::Rounding::stochastic);
  options.method = "two-stage";
  EXPECT_NE(dynamic_cast<tune::TwoStage*>(make_tuner(parameters, options)->get()), nullptr);
  EXPECT_EQ(options.per_trial(), 100);
}

}  // namespace
}  // namespace fuhyo::app
