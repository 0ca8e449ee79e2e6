#include "engines/match/tune/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expected.h"

namespace fuhyo::match::tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Parameters read(std::string_view text) {
  const auto parameters = read_parameters(text, "f");
  EXPECT_TRUE(parameters) << (parameters ? "" : parameters.error());
  return parameters.value_or(Parameters{});
}

std::string error_of(std::string_view text) { return test::error_of(read_parameters(text, "dir/f.params")); }

TEST(TuneParameters, YaneuraOusFileIsRead) {
  const Parameters all = read(
      "razor,int,514.0,200,900,25.5,0.002 // futility of the leaves\r\n"
      "\n"
      "# what follows is off\n"
      "scale, float, 0.25, 0, 1, 0.05, 0.0015 //[[NOT USED]]\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0], (Parameter{.name = "razor",
                               .value = 514,
                               .min = 200,
                               .max = 900,
                               .step = 25.5,
                               .rate = 0.002,
                               .comment = "futility of the leaves"}));
  EXPECT_EQ(all[1], (Parameter{.name = "scale",
                               .integer = false,
                               .value = 0.25,
                               .min = 0,
                               .max = 1,
                               .step = 0.05,
                               .rate = 0.0015,
                               .used = false}));
}

TEST(TuneParameters, FishtestsAndOpenBenchsLinesAreRead) {
  const Parameters all = read("Alpha,10,-5,20,2.5,0.0020\nBeta, float, 1.5, 0, 3, 0.25, 0.002\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_TRUE(all[0].integer);
  EXPECT_EQ(all[0].min, -5);
  EXPECT_EQ(all[0].step, 2.5);
  EXPECT_FALSE(all[1].integer);
}

TEST(TuneParameters, OptionsOfAnEngineAreRead) {
  const Parameters all = read(
      "id name Engine, the\n"
      "option name USI_Ponder type check default false\n"
      "option name Book type combo default none var none var book\n"
      "option name razor_base type spin default 420 min 0 max 1500\n"
      "option name Skill Level type spin default 3 min 0 max 9\n"
      "option name Clear Hash type button\n"
      "option name Seed type spin default 0 min 0 max 9223372036854775807\n"
      "usiok\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0], (Parameter{.name = "razor_base", .value = 420, .min = 0, .max = 1500, .step = 75}));
  EXPECT_EQ(all[1], (Parameter{.name = "Skill Level", .value = 3, .min = 0, .max = 9, .step = 1}));
}

TEST(TuneParameters, WhatWasWrittenIsReadAgain) {
  const Parameters all =
      read("a,int,5.123456789012345,0,10,0.1,0.002 // why\nb,float,0.1,0,1,0.3333333333333333,0 // [[NOT USED]]\n");
  const Parameters marked = read("c,int,5,1,10,1,0.002 // [[LOG]] it is [[NOT USED]]\n");
  EXPECT_TRUE(marked[0].log);
  EXPECT_FALSE(marked[0].used);
  EXPECT_EQ(to_params(marked), "c,int,5,1,10,1,0.002 // it is [[LOG]] [[NOT USED]]\n");
  EXPECT_EQ(read(to_params(marked)), marked);
  EXPECT_EQ(read(to_params(all)), all);
  EXPECT_EQ(to_setoptions(all), "setoption name a value 5\nsetoption name b value 0.1\n");
}

TEST(TuneParameters, BadLinesAreNamed) {
  EXPECT_EQ(error_of("a,int,1,0,2,1,0.002\nb,int,1,0,2\n"),
            "dir/f.params:2: 5 columns; expected 7 (name, type, value, min, max, step, rate) or fishtest's 6");
  EXPECT_EQ(error_of("a,integer,1,0,2,1,0.002"), "dir/f.params:1: type: 'integer' is neither int nor float");
  EXPECT_EQ(error_of("a,int,x,0,2,1,0.002"), "dir/f.params:1: value: 'x' is no number");
  EXPECT_EQ(error_of("a,int,1,0,nan,1,0.002"), "dir/f.params:1: max: 'nan' is no number");
  EXPECT_EQ(error_of("a,int,1,0,2,1,"), "dir/f.params:1: rate: '' is no number");
  EXPECT_EQ(error_of("a,int,3,0,2,1,0.002"), "dir/f.params:1: value: 3 is not within 0 and 2");
  EXPECT_EQ(error_of("a,int,3,4,2,1,0.002"), "dir/f.params:1: min: 4 is above max, 2");
  EXPECT_EQ(error_of("a,int,0.5,0.4,0.6,1,0.002"), "dir/f.params:1: min: no whole number from 0.4 to 0.6");
  EXPECT_EQ(error_of("a,int,1,0,2,0,0.002"), "dir/f.params:1: step: 0 is not above 0");
  EXPECT_EQ(error_of("a,int,1,0,2,1,-1"), "dir/f.params:1: rate: -1 is below 0");
  EXPECT_EQ(error_of("a,int,1,0,2e15,1,1"), "dir/f.params:1: 2000000000000000: beyond 1000000000000000");
  EXPECT_EQ(error_of("a,float,1,0,2,1,1 // [[LOG]]"), "dir/f.params:1: min: 0 has no logarithm to search by");
  EXPECT_EQ(error_of(",int,1,0,2,1,1"), "dir/f.params:1: name: there is none");
  EXPECT_EQ(error_of("a,1,0,2,1,1\n\na,1,0,2,1,1"), "dir/f.params:3: name: 'a' is there already");
  EXPECT_EQ(error_of("option name a type spin default 1 min 0"),
            "dir/f.params:1: option: expected default, min and max");
  EXPECT_EQ(error_of("// nothing\n"), "dir/f.params: there is no parameter");
}

TEST(TuneParameters, ValuesAreRoundedWithinTheirBounds) {
  const Parameter whole{.name = "a", .min = -2.5, .max = 9.7};
  EXPECT_EQ(rounded(whole, 3.5), 4);
  EXPECT_EQ(rounded(whole, -1.5), -1);
  EXPECT_EQ(rounded(whole, 50), 9);
  EXPECT_EQ(rounded(whole, -50), -2);
  EXPECT_EQ(value_text(whole, 3.4999), "3");
  const Parameter real{.name = "b", .integer = false, .min = 0, .max = 1};
  EXPECT_EQ(rounded(real, 0.123), 0.123);
  EXPECT_EQ(value_text(real, 2), "1");
}

TEST(TuneParameters, SomeAreSelectedByTheirNames) {
  const Parameters all = read("razor_base,1,0,2,1,1\nrazor_slope,1,0,2,1,1\nnull_base,1,0,2,1,1\n");
  const auto names = [](const Parameters& those) {
    std::vector<std::string> result;
    for (const Parameter& each : those) result.push_back(each.name);
    return result;
  };
  EXPECT_THAT(names(*selected(all, {"*_base"})), ElementsAre("razor_base", "null_base"));
  EXPECT_THAT(names(*selected(all, {"null_base", "razor*"})), ElementsAre("razor_base", "razor_slope", "null_base"));
  EXPECT_THAT(selected(all, {"razor"}).error(), HasSubstr("'razor'"));
}

}  // namespace
}  // namespace fuhyo::match::tune
