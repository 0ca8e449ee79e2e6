#include "engines/match/tune/two_stage.h"

#include <algorithm>
#include <deque>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>

#include "engines/match/tune/toy.h"
#include "tests/support/expected.h"
#include "tests/support/sanitized.h"

namespace fuhyo::match::tune {
namespace {

using ::testing::HasSubstr;

TwoStage begun(const TwoStageRules& rules = {}) { return *TwoStage::begin(toy_parameters(), rules); }

void play(Tuner& tuner, std::int64_t games, std::int64_t batch, std::uint64_t seed) {
  while (tuner.games() < games) {
    const auto reported = tuner.report(play_toy(tuner.next(), batch, seed));
    ASSERT_TRUE(reported) << reported.error();
  }
}

TEST(TwoStage, EveryProposalPlaysTheBeginning) {
  TwoStage tuner = begun();
  for (int i = 0; i < 30; ++i) {
    const Trial trial = tuner.next();
    EXPECT_EQ(trial.minus, values_of(toy_parameters()));
    EXPECT_NE(trial.plus, trial.minus);
    for (std::size_t k = 0; k < trial.plus.size(); ++k) {
      const Parameter& each = tuner.parameters()[k];
      EXPECT_EQ(rounded(each, trial.plus[k]), trial.plus[k]) << each.name;
    }
    ASSERT_TRUE(tuner.report(play_toy(trial, 10, 1)));
  }
}

TEST(TwoStage, WithoutResultsItChoosesTheBeginning) {
  const TwoStage tuner = begun();
  EXPECT_EQ(tuner.best(), values_of(toy_parameters()));
  EXPECT_EQ(tuner.choose().score, 0.5);
}

// What TUNING.md states, at fewer seeds: the process chooses better than luck does.
TEST(TwoStage, HalfOfTheToysEloIsFoundAndNoLuckIsTaken) {
  if (test::kSanitized) GTEST_SKIP() << "a statistic of many runs";
  double chosen = 0, luckiest = 0;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    TwoStage tuner = begun({.seed = seed});
    play(tuner, 20'000, 100, seed);
    chosen += (toy_elo(tuner.best()) + kToyGain) / 2;
    const auto best =
        std::ranges::max_element(tuner.samples(), {}, [](const auto& each) { return each.result.score(); });
    luckiest += (toy_elo(best->values) + kToyGain) / 2;
  }
  EXPECT_GT(chosen, kToyGain / 2);
  EXPECT_GT(chosen, luckiest + kToyGain / 2);
}

TEST(TwoStage, ParametersThatAreNotUsedStay) {
  Parameters parameters = toy_parameters();
  for (std::size_t i = 1; i < parameters.size(); ++i) parameters[i].used = false;
  TwoStage tuner = *TwoStage::begin(parameters, {.tpe = {.startup = 5}});
  play(tuner, 400, 20, 1);
  const Values chosen = tuner.best();
  for (std::size_t i = 1; i < parameters.size(); ++i) EXPECT_EQ(chosen[i], parameters[i].value);
  EXPECT_THAT(tuner.plot(), ::testing::Not(HasSubstr(">slope ")));
  parameters[0].used = false;
  EXPECT_EQ(TwoStage::begin(parameters, {}).error(), "no parameter is used");
}

TEST(TwoStage, AnInterruptedRunGoesOnToTheLastBit) {
  std::unique_ptr<Tuner> whole = std::make_unique<TwoStage>(begun({.seed = 3, .tpe = {.startup = 4}}));
  std::unique_ptr<Tuner> broken = std::make_unique<TwoStage>(begun({.seed = 3, .tpe = {.startup = 4}}));
  std::deque<Trial> running;
  for (int i = 0; i < 25; ++i) {
    while (running.size() < 3) {
      running.push_back(whole->next());
      ASSERT_EQ(broken->next(), running.back());
    }
    const auto chosen = running.begin() + (i * 5 % 3);
    ASSERT_TRUE(whole->report(play_toy(*chosen, 4, 1)));
    ASSERT_TRUE(broken->report(play_toy(*chosen, 4, 1)));
    running.erase(chosen);
    auto loaded = load_tuner(broken->save(), "state");
    ASSERT_TRUE(loaded) << loaded.error();
    broken = std::move(*loaded);
    for (const Trial& each : running) ASSERT_EQ(broken->next(), each);
  }
  EXPECT_EQ(whole->save(), broken->save());
  EXPECT_EQ(whole->games(), broken->games());
  EXPECT_EQ(whole->best(), broken->best());
}

TEST(TwoStage, BadStatesAndRulesAreNamed) {
  TwoStage tuner = begun();
  ASSERT_TRUE(tuner.report(play_toy(tuner.next(), 10, 1)));
  const std::string good = tuner.save();
  ASSERT_TRUE(load_tuner(good, "s"));
  const auto error_with = [&](std::string_view from, std::string_view to) {
    std::string bad = good;
    return test::error_of(load_tuner(bad.replace(bad.find(from), from.size(), to), "s"));
  };
  EXPECT_THAT(error_with("rules 1", "rules"), HasSubstr("s:12: no rules"));
  EXPECT_THAT(error_with("sample 0", "sample"), HasSubstr("s:14: no sample"));
  EXPECT_THAT(error_with("sample 0", "simple 0"), HasSubstr("s:14: unknown word 'simple'"));
  EXPECT_THAT(TwoStage::begin(toy_parameters(), {.tpe = {.gamma = 0}}).error(), HasSubstr("gamma"));
  EXPECT_THAT(TwoStage::begin(toy_parameters(), {.tpe = {.startup = 0}}).error(), HasSubstr("startup"));
  EXPECT_THAT(TwoStage::begin(toy_parameters(), {.tpe = {.candidates = 0}}).error(), HasSubstr("candidates"));
}

TEST(TwoStage, ThePlotHasAPanelForEachParameter) {
  TwoStage tuner = begun();
  play(tuner, 600, 20, 1);
  const std::string svg = tuner.plot();
  for (const Parameter& each : toy_parameters()) EXPECT_THAT(svg, HasSubstr(">" + each.name + "  ")) << each.name;
  EXPECT_THAT(tuner.summary(), HasSubstr("predicted score 0."));
}

}  // namespace
}  // namespace fuhyo::match::tune
