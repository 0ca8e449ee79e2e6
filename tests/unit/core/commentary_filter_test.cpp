// What of a language model's answer is shown, and what it may spend.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "server/core/commentary/budget.h"
#include "server/core/commentary/filter.h"

namespace fuhyo::core {
namespace {

using testing::HasSubstr;

Turn some_turn() {
  Turn turn;
  turn.move = {"☗２二角成", "☗Bx22+"};
  turn.line = {{"☖同　銀", "☖Sx22"}, {"☗５五角打", "☗B*55"}};
  return turn;
}

// Empty: it may be said.
std::string refusal(std::string_view text) {
  const auto said = fit_to_say(text, some_turn());
  return said ? std::string() : said.error();
}

TEST(CommentaryFilter, LetsPlainTextAboutKnownMovesPass) {
  for (const char* good :
       {"ここで角交換です。", "☗２二角成、☖同銀と進みそうですね。", "2二角成から５五角です！", "22角成に同　銀。",
        "120手目、評価値は+76です。", "先手は残り55秒です。", "Bx22+, and then Sx22 or B*55.",
        "A pawn is worth 100; move 76 comes.", "R. Tanaka said so", "同時に"}) {
    EXPECT_EQ(refusal(good), "") << good;
  }
  EXPECT_EQ(fit_to_say("  角交換\n\nです。 \t", some_turn()).value_or(""), "角交換 です。");
}

TEST(CommentaryFilter, RefusesMovesThatItWasNotToldOf) {
  for (const char* bad : {"次は７六歩です。", "7六歩が最善です。", "76歩でした。", "２二銀が見えます。",
                          "☗同金でしょう。", "同　飛もあります。", "３四の地点が急所です。", "The best was P-76.",
                          "bx22 B-22+", "G49-58 is solid.", "7g7f wins.", "He wants P7f.", "+7776FU", "N*55"}) {
    EXPECT_THAT(refusal(bad), HasSubstr("not told of")) << bad;
  }
}

TEST(CommentaryFilter, RefusesMarkupAndControlCharacters) {
  for (const char* bad : {"<b>角</b>", "**角**", "[here](x)", "https://example.org", "see www.example.org", "`x`",
                          "# 角", "a | b", "&#x41;"}) {
    EXPECT_EQ(refusal(bad), "has markup") << bad;
  }
  EXPECT_EQ(refusal("角\x1b!"), "has control characters");
}

TEST(CommentaryFilter, BoundsTheLength) {
  EXPECT_EQ(refusal(std::string(kLongestSaid, 'a')), "");
  EXPECT_THAT(refusal(std::string(kLongestSaid + 1, 'a')), HasSubstr("more than"));
  EXPECT_EQ(refusal(" \n "), "is empty");
}

constexpr Wall kMorning{20'000 * 86'400 * kSecond};
Wall after(std::int64_t seconds) { return Wall{kMorning.us + seconds * kSecond}; }

TEST(CommentaryBudget, CountsCallsOfAMinuteAndADay) {
  Budget budget({.calls_a_minute = 2, .calls_a_day = 3});
  for (const int second : {0, 10}) {
    EXPECT_EQ(budget.next(after(second)), after(second));
    budget.call(after(second));
  }
  EXPECT_EQ(budget.next(after(59)), after(60));
  EXPECT_EQ(budget.next(after(60)), after(60));
  budget.call(after(60));
  EXPECT_EQ(budget.next(after(1'000)), after(86'400));
  EXPECT_EQ(budget.next(after(86'400)), after(86'400));
}

TEST(CommentaryBudget, CountsTokensOverStarts) {
  Budget budget({.tokens_a_day = 100});
  EXPECT_EQ(budget.next(after(0)), after(0));
  budget.call(after(0));
  budget.spend(99);
  EXPECT_EQ(budget.next(after(1)), after(1));
  budget.spend(1);
  EXPECT_EQ(budget.next(after(2)), after(86'400));
  EXPECT_EQ(budget.text(), "20000 1 100");
  Budget next({.tokens_a_day = 100});
  next.go_on(budget.text());
  EXPECT_EQ(next.next(after(3)), after(86'400));
  for (const char* none : {"", "20000", "20000 1 x", "a b c", "20000 1 -5"}) {
    Budget fresh({.tokens_a_day = 100});
    fresh.go_on(none);
    EXPECT_EQ(fresh.next(after(3)), after(3)) << none;
  }
}

TEST(CommentaryBudget, AClockThatIsSetBackKeepsNobodyWaiting) {
  Budget budget({.calls_a_minute = 1});
  budget.next(after(1'000));
  budget.call(after(1'000));
  EXPECT_EQ(budget.next(after(10)), after(10));
}

}  // namespace
}  // namespace fuhyo::core
