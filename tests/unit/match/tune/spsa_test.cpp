#include "engines/match/tune/spsa.h"

#include <cmath>
#include <deque>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/match/tune/toy.h"
#include "tests/support/expected.h"
#include "tests/support/sanitized.h"

namespace fuhyo::match::tune {
namespace {

using ::testing::HasSubstr;

Parameters two() { return *read_parameters("a,int,100,0,200,10,0.002\nb,float,0.5,0,1,0.1,0.004\n", "f"); }

Spsa begun(const SpsaRules& rules, const Parameters& parameters = two()) { return *Spsa::begin(parameters, rules); }

std::string error_of(const SpsaRules& rules) { return test::error_of(Spsa::begin(two(), rules)); }

// Plays until so many games are reported.
void play(Tuner& tuner, std::int64_t games, std::uint64_t seed, std::int64_t each = 2) {
  while (tuner.games() < games) {
    const auto reported = tuner.report(play_toy(tuner.next(), each, seed));
    ASSERT_TRUE(reported) << reported.error();
  }
}

// fishtest's own figures for this line: N = 30000, A = 3000, c = c_end N^gamma, a = r_end c_end^2 (A + N)^alpha.
TEST(Spsa, GainsAreFishtests) {
  const Spsa spsa = begun({.pairs = 30'000});
  const Parameter& a = spsa.parameters()[0];
  const double c = 10 * std::pow(30'000, 0.101), r = 0.002 * 100 * std::pow(33'000, 0.602);
  EXPECT_NEAR(spsa.gain(a, 0).reach, c, 1e-9);
  EXPECT_NEAR(spsa.gain(a, 0).move, r / std::pow(3'001, 0.602) / (c * c) * c, 1e-12);
  EXPECT_NEAR(spsa.gain(a, 999).reach, c / std::pow(1'000, 0.101), 1e-9);
  // In the end: c_end, and r_end c_end a game.
  EXPECT_NEAR(spsa.gain(a, 29'999).reach, 10, 1e-9);
  EXPECT_NEAR(spsa.gain(a, 29'999).move, 0.002 * 10, 1e-12);
}

TEST(Spsa, YaneuraOusGainsStayAsTheyAre) {
  SpsaRules rules = yaneuraou_rules();
  rules.scale = 3, rules.mobility = 50;
  const Spsa spsa = begun(rules);
  for (const double pairs : {0.0, 1e6}) {
    EXPECT_EQ(spsa.gain(spsa.parameters()[0], pairs).reach, 30);
    EXPECT_DOUBLE_EQ(spsa.gain(spsa.parameters()[0], pairs).move, 10 * 0.002 * 50 / 2);
  }
}

TEST(Spsa, WhoWinsPullsTheValuesItsWay) {
  Spsa spsa = begun({.rounding = SpsaRules::Rounding::nearest});
  const Values before = spsa.best();
  const Trial trial = spsa.next();
  const double move = spsa.gain(spsa.parameters()[0], 0).move;
  ASSERT_TRUE(spsa.report({.id = trial.id, .wins = 3, .draws = 1, .losses = 1}));
  const Values after = spsa.best();
  for (std::size_t i = 0; i < 2; ++i) EXPECT_GT((after[i] - before[i]) * (trial.plus[i] - trial.minus[i]), 0) << i;
  EXPECT_NEAR(std::abs(after[0] - before[0]), 2 * move, 1e-12);
  EXPECT_EQ(spsa.games(), 5);
}

TEST(Spsa, ADrawnTrialMovesNothing) {
  Spsa spsa = begun({});
  ASSERT_TRUE(spsa.report({.id = spsa.next().id, .wins = 1, .draws = 3, .losses = 1}));
  EXPECT_EQ(spsa.best(), values_of(two()));
}

TEST(Spsa, AgainstTheBaseBothHalvesShareTheirSigns) {
  Spsa spsa = begun(yaneuraou_rules());
  const Trial up = spsa.next(), down = spsa.next();
  EXPECT_EQ(up.minus, values_of(two()));
  EXPECT_EQ(down.minus, values_of(two()));
  EXPECT_EQ(up.plus[0] - 100, 100 - down.plus[0]);
  EXPECT_EQ(std::abs(up.plus[0] - 100), 10);
  // Up wins, down loses: half the difference of the results, 1, times step times delta.
  ASSERT_TRUE(spsa.report({.id = down.id, .losses = 1}));
  ASSERT_TRUE(spsa.report({.id = up.id, .wins = 1}));
  EXPECT_NEAR((spsa.best()[0] - 100) * (up.plus[0] > 100 ? 1 : -1), 10 * 0.002, 1e-12);
  // Both win: nothing is learnt.
  const Values before = spsa.best();
  const Trial first = spsa.next(), second = spsa.next();
  ASSERT_TRUE(spsa.report({.id = first.id, .wins = 1}));
  ASSERT_TRUE(spsa.report({.id = second.id, .wins = 1}));
  EXPECT_NEAR(spsa.best()[0], before[0], 1e-12);
}

TEST(Spsa, RoundingByChanceKeepsTheMean) {
  Parameters one = *read_parameters("a,int,3.3,0,10,0.1,0\n", "f");
  Spsa spsa = begun({.gamma = 0}, one);
  double sum = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Trial trial = spsa.next();
    ASSERT_TRUE(trial.plus[0] == 3 || trial.plus[0] == 4);
    sum += trial.plus[0] + trial.minus[0];
    ASSERT_TRUE(spsa.report({.id = trial.id, .draws = 2}));
  }
  EXPECT_NEAR(sum / 40'000, 3.3, 0.01);
}

TEST(Spsa, TrialsStayWithinTheBounds) {
  Parameters one = *read_parameters("a,int,1,0,3,50,1\n", "f");
  Spsa spsa = begun({.pairs = 10}, one);
  for (int i = 0; i < 200; ++i) {
    const Trial trial = spsa.next();
    ASSERT_TRUE(trial.plus[0] == 0 || trial.plus[0] == 3) << trial.plus[0];
    ASSERT_EQ(trial.plus[0] + trial.minus[0], 3);
    ASSERT_TRUE(spsa.report({.id = trial.id, .wins = 2}));
    ASSERT_GE(spsa.best()[0], 0);
    ASSERT_LE(spsa.best()[0], 3);
  }
}

TEST(Spsa, ParametersThatAreNotUsedStay) {
  Parameters all = two();
  all[1].used = false;
  Spsa spsa = begun({}, all);
  const Trial trial = spsa.next();
  EXPECT_EQ(trial.plus[1], 0.5);
  EXPECT_EQ(trial.minus[1], 0.5);
  ASSERT_TRUE(spsa.report({.id = trial.id, .wins = 2}));
  EXPECT_EQ(spsa.best()[1], 0.5);
  EXPECT_NE(spsa.best()[0], 100);
}

TEST(Spsa, ResultsOfOtherTrialsAreRefused) {
  Spsa spsa = begun({});
  const Trial trial = spsa.next();
  EXPECT_EQ(spsa.report({.id = 7, .wins = 1}).error(), "trial 7 is not open");
  EXPECT_EQ(spsa.report({.id = trial.id}).error(), "trial 0: a result of 0-0-0");
  EXPECT_EQ(spsa.report({.id = trial.id, .wins = -1, .draws = 3}).error(), "trial 0: a result of -1-3-0");
  EXPECT_TRUE(spsa.report({.id = trial.id, .wins = 1}));
  EXPECT_EQ(spsa.report({.id = trial.id, .wins = 1}).error(), "trial 0 is not open");
  EXPECT_EQ(spsa.games(), 1);
}

TEST(Spsa, RulesOutOfRangeAreRefused) {
  EXPECT_EQ(error_of({.pairs = 0}), "pairs: 0 is below 1");
  EXPECT_THAT(error_of({.a_ratio = -0.1}), HasSubstr("A: "));
  EXPECT_THAT(error_of({.alpha = NAN}), HasSubstr("alpha: "));
  EXPECT_THAT(error_of({.gamma = 2.1}), HasSubstr("gamma: "));
  EXPECT_THAT(error_of({.mobility = -1}), HasSubstr("mobility: "));
}

// Several trials at a time, reported in another order than they were made in; interrupted after any number of reports.
void play_crosswise(std::unique_ptr<Tuner>& tuner, int reports, bool interrupt) {
  std::deque<Trial> running;
  const auto resume = [&] {
    auto loaded = load_tuner(tuner->save(), "state");
    ASSERT_TRUE(loaded) << loaded.error();
    tuner = std::move(*loaded);
    for (Trial& each : running) ASSERT_EQ(tuner->next(), each);
  };
  for (int i = 0; i < reports; ++i) {
    while (running.size() < 4) running.push_back(tuner->next());
    if (interrupt) resume();
    const auto chosen = running.begin() + (i * 7 % 4);
    ASSERT_TRUE(tuner->report(play_toy(*chosen, 2, 5)));
    running.erase(chosen);
    if (interrupt) resume();
  }
}

TEST(Spsa, AnInterruptedRunGoesOnToTheLastBit) {
  for (const SpsaRules& rules : {SpsaRules{.seed = 9, .pairs = 100}, yaneuraou_rules()}) {
    std::unique_ptr<Tuner> whole = std::make_unique<Spsa>(begun(rules, toy_parameters()));
    std::unique_ptr<Tuner> broken = std::make_unique<Spsa>(begun(rules, toy_parameters()));
    play_crosswise(whole, 60, false);
    play_crosswise(broken, 60, true);
    EXPECT_EQ(whole->best(), broken->best());
    EXPECT_EQ(whole->save(), broken->save());
    EXPECT_NE(whole->best(), values_of(toy_parameters()));
  }
}

TEST(Spsa, BadStatesAreNamed) {
  Spsa spsa = begun({});
  spsa.next();
  const std::string good = spsa.save();
  ASSERT_TRUE(load_tuner(good, "s"));
  const auto error_with = [&](std::string_view from, std::string_view to) {
    std::string bad = good;
    return test::error_of(load_tuner(bad.replace(bad.find(from), from.size(), to), "s"));
  };
  EXPECT_EQ(error_with("state 1", "state 2"), "s:1: expected 'fuhyo tuning state 1'");
  EXPECT_EQ(error_with("method spsa", "method guess"), "s:2: unknown method 'guess'");
  EXPECT_THAT(error_with("b,float", "b,flat"), HasSubstr("s:5: type: 'flat'"));
  EXPECT_THAT(error_with("end\n", ""), HasSubstr("cut off"));
  EXPECT_THAT(error_with("next 1", "next x"), HasSubstr("s:7: expected a number behind 'next'"));
  EXPECT_THAT(error_with("values 100", "values"), HasSubstr("s:9: expected 2 numbers behind 'values'"));
  EXPECT_THAT(error_with("open 0", "open"), HasSubstr("s:10: no open trial"));
  EXPECT_THAT(error_with("rules 0", "rules 4"), HasSubstr("s:6: no rules of SPSA"));
}

double gain_after(const SpsaRules& rules, std::int64_t games) {
  Spsa spsa = begun(rules, toy_parameters());
  play(spsa, games, rules.seed);
  return toy_elo(spsa.best()) + kToyGain;
}

// What TUNING.md states, at a tenth of its seeds.
TEST(Spsa, MostOfTheToysEloIsFound) {
  if (test::kSanitized) GTEST_SKIP() << "a statistic of many runs";
  double fishtests = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    fishtests += gain_after({.seed = seed, .pairs = 30'000}, 60'000) / 3;
  }
  EXPECT_GT(fishtests, 0.6 * kToyGain);
}

TEST(Spsa, YaneuraOusWayFindsMostOfTheToysElo) {
  if (test::kSanitized) GTEST_SKIP() << "a statistic of many runs";
  SpsaRules rules = yaneuraou_rules();
  rules.scale = 3, rules.mobility = 3;
  double sum = 0;
  for (rules.seed = 1; rules.seed <= 3; ++rules.seed) sum += gain_after(rules, 60'000) / 3;
  EXPECT_GT(sum, 0.5 * kToyGain);
}

TEST(Spsa, ResultsTurnedRoundMakeItWorse) {
  if (test::kSanitized) GTEST_SKIP() << "a statistic of many runs";
  Spsa spsa = begun({.pairs = 10'000}, toy_parameters());
  while (spsa.games() < 20'000) {
    TrialResult result = play_toy(spsa.next(), 2, 1);
    std::swap(result.wins, result.losses);
    ASSERT_TRUE(spsa.report(result));
  }
  EXPECT_LT(toy_elo(spsa.best()), -kToyGain);
}

TEST(Spsa, ThePlotHasAPanelForEachParameter) {
  Spsa spsa = begun({.pairs = 100});
  play(spsa, 0, 1);
  ASSERT_TRUE(spsa.report({.id = spsa.next().id, .wins = 50}));
  const std::string svg = spsa.plot();
  EXPECT_THAT(svg, HasSubstr("<svg "));
  EXPECT_THAT(svg, HasSubstr(">a  100 → "));
  EXPECT_THAT(svg, HasSubstr(">b  0.5 → "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST(Spsa, TheTraceStaysShort) {
  Spsa spsa = begun({.pairs = 5'000}, toy_parameters());
  play(spsa, 10'000, 1);
  EXPECT_EQ(spsa.trace().size(), 201U);
  EXPECT_EQ(spsa.trace().back().games, 10'000);
  EXPECT_EQ(spsa.trace().back().values, spsa.best());
}

}  // namespace
}  // namespace fuhyo::match::tune
