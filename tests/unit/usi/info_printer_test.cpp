#include "engines/usi/info_printer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace fuhyo::usi {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Info line(int depth, std::int64_t time_ms, std::optional<int> multipv = std::nullopt) {
  return {.depth = depth, .multipv = multipv, .time_ms = time_ms, .score = Score{}};
}

class InfoPrinterTest : public ::testing::Test {
 protected:
  InfoPrinter printer(const InfoPrinter::Settings& settings) {
    return InfoPrinter(settings, [this](std::string_view text) { printed.emplace_back(text); });
  }
  std::vector<std::string> printed;
};

TEST_F(InfoPrinterTest, SpacesBlocksOut) {
  InfoPrinter out = printer({.interval_ms = 300});
  for (const int ms : {0, 100, 299}) out.report(line(1, ms));
  EXPECT_THAT(printed, IsEmpty());
  out.report(line(2, 300));
  out.report(line(3, 599));
  out.report(line(4, 600));
  EXPECT_THAT(printed, ElementsAre("info depth 2 score cp 0 time 300", "info depth 4 score cp 0 time 600"));
}

TEST_F(InfoPrinterTest, PrintsTheLastOneAnyway) {
  InfoPrinter out = printer({.interval_ms = 300});
  out.report(line(1, 10));
  out.report(line(2, 20));
  out.finish();
  EXPECT_THAT(printed, ElementsAre("info depth 2 score cp 0 time 20"));
  out.finish();
  EXPECT_EQ(printed.size(), 1u) << "once";
}

TEST_F(InfoPrinterTest, KeepsLinesTogether) {
  InfoPrinter out = printer({.interval_ms = 300});
  out.report(line(1, 299, 1));
  out.report(line(1, 301, 2));  // belongs to what is held back
  EXPECT_THAT(printed, IsEmpty());
  out.report(line(2, 400, 1));
  out.report(line(2, 400, 2));
  EXPECT_EQ(printed.size(), 2u);
  out.report(line(3, 500, 1));
  out.report(line(3, 500, 2));
  out.finish();
  ASSERT_EQ(printed.size(), 4u);
  EXPECT_EQ(printed[2], "info depth 3 multipv 1 score cp 0 time 500");
  EXPECT_EQ(printed[3], "info depth 3 multipv 2 score cp 0 time 500");
}

TEST_F(InfoPrinterTest, PrintsEverythingWithoutAnInterval) {
  InfoPrinter out = printer({.wdl = true});
  out.report(line(1, 0));
  out.report(line(2, 0));
  EXPECT_THAT(printed, ElementsAre("info depth 1 score cp 0 time 0 wdl 500 0 500",
                                   "info depth 2 score cp 0 time 0 wdl 500 0 500"));
}

TEST_F(InfoPrinterTest, MessagesAreNeverHeldBack) {
  InfoPrinter out = printer({.interval_ms = 300});
  out.report(line(1, 0));
  out.report({.text = "out of the book"});
  EXPECT_THAT(printed, ElementsAre("info string out of the book"));
}

}  // namespace
}  // namespace fuhyo::usi
