// Lines out of bytes: split anywhere, joined, with either line end, and never more memory than the limit.
#include "server/csa/line_framer.h"

#include <gtest/gtest.h>
#include <vector>

namespace fuhyo::csa {
namespace {

using Lines = std::vector<std::pair<std::string, bool>>;

Lines feed(LineFramer& framer, std::string_view bytes) {
  Lines lines;
  framer.feed(bytes, [&](std::string_view line, bool crlf) { lines.emplace_back(line, crlf); });
  return lines;
}

TEST(LineFramer, N4_SplitAtEveryPlaceGivesTheSameLines) {
  const std::string bytes = "AGREE\n\n%%WHO\r\n \na\rb\n\r\n";
  LineFramer whole(100);
  const Lines expected = feed(whole, bytes);
  EXPECT_EQ(expected,
            (Lines{{"AGREE", false}, {"", false}, {"%%WHO", true}, {" ", false}, {"a\rb", false}, {"", true}}));
  for (std::size_t i = 0; i <= bytes.size(); ++i) {
    for (std::size_t j = i; j <= bytes.size(); ++j) {
      LineFramer framer(100);
      Lines lines = feed(framer, bytes.substr(0, i));
      for (const auto& part : {bytes.substr(i, j - i), bytes.substr(j)}) {
        for (auto& line : feed(framer, part)) lines.push_back(line);
      }
      EXPECT_EQ(lines, expected) << i << " " << j;
    }
  }
}

TEST(LineFramer, B1_LimitCountsTheLineWithoutItsEnd) {
  for (const std::string_view eol : {"\n", "\r\n"}) {
    LineFramer fits(8);
    EXPECT_EQ(feed(fits, "12345678" + std::string(eol)).size(), 1u);
    LineFramer too_long(8);
    EXPECT_EQ(feed(too_long, "one\ntwo\n123456789" + std::string(eol) + "three\n").size(), 2u) << "those before it";
    EXPECT_TRUE(too_long.overlong());
  }
}

TEST(LineFramer, B1_OverlongIsTheEndAndHoldsNothing) {
  LineFramer framer(8);
  for (int i = 0; i < 100; ++i) feed(framer, "xxxx");
  EXPECT_TRUE(framer.overlong());
  EXPECT_EQ(framer.buffered(), 0u);
  EXPECT_TRUE(feed(framer, "\nAGREE\n").empty());
}

TEST(LineFramer, LimitCanGrow) {
  LineFramer framer(4);
  framer.set_limit(8);
  EXPECT_EQ(feed(framer, "12345678\n").size(), 1u);
}

}  // namespace
}  // namespace fuhyo::csa
