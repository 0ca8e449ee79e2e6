#include "engines/shogi/number.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string_view>

namespace fuhyo::shogi {
namespace {

TEST(Number, IsAllOfTheText) {
  EXPECT_EQ(number_of<int>("0"), 0);
  EXPECT_EQ(number_of<int>("-12"), -12);
  EXPECT_EQ(number_of<std::uint64_t>("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(number_of<double>("0.25"), 0.25);
  for (const std::string_view text : {"", " 1", "1 ", "+1", "1x", "x1", "-", "0x10", "1.0", "2147483648"}) {
    EXPECT_FALSE(number_of<int>(text)) << text;
  }
  EXPECT_FALSE(number_of<std::uint64_t>("-1"));
  EXPECT_FALSE(number_of<std::uint16_t>("65536"));
}

TEST(Number, IsTakenFromTheBeginning) {
  std::string_view text = "12 moves";
  EXPECT_EQ(take_number<int>(text), 12);
  EXPECT_EQ(text, " moves");
  EXPECT_FALSE(take_number<int>(text));
  EXPECT_EQ(text, " moves") << "what is not taken stays";
}

}  // namespace
}  // namespace fuhyo::shogi
