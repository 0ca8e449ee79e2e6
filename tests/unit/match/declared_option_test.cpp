#include "engines/match/declared_option.h"

#include <gtest/gtest.h>

namespace fuhyo::match {
namespace {

TEST(DeclaredOption, TakesNumbersWithinItsLimits) {
  constexpr const char* kSpin = "type spin default 5 min -1 max 30";
  for (const char* value : {"-1", "0", "30"}) EXPECT_FALSE(expected_instead(kSpin, value)) << value;
  for (const char* value : {"-2", "31", "x", ""}) {
    EXPECT_EQ(expected_instead(kSpin, value), "a number from -1 to 30") << value;
  }
  EXPECT_FALSE(expected_instead("type spin default 5", "31")) << "it has not said";
}

TEST(DeclaredOption, TakesOneOfItsChoices) {
  constexpr const char* kCombo = "type combo default no book var no book var Standard";
  for (const char* value : {"no book", "standard"}) EXPECT_FALSE(expected_instead(kCombo, value)) << value;
  for (const char* value : {"no", "book", ""}) {
    EXPECT_EQ(expected_instead(kCombo, value), "one of no book, Standard") << value;
  }
  EXPECT_FALSE(expected_instead("type combo default A", "B")) << "it has not said";
}

TEST(DeclaredOption, TakesAnyText) {
  EXPECT_FALSE(expected_instead("type string default min 1 max 2", "9"));
  EXPECT_FALSE(expected_instead("type filename", "a var b"));
  EXPECT_FALSE(expected_instead("", "1"));
}

}  // namespace
}  // namespace fuhyo::match
