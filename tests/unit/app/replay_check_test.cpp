// The comparison of what a server did and stored with what was played.
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/app/replay/game.h"
#include "server/app/replay/stored_record.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

class StoredRecord : public ::testing::Test {
 protected:
  StoredRecord() {
    std::filesystem::create_directories(folder_ / "2026/11/21");
    plan_.moves = {"+7776FU", "-3334FU"};
    played_ = {.id = "test+r-0-0+b+w+20261121080000", .accepted = plan_.moves, .end = "#RESIGN"};
  }

  void store(std::string_view lines) {
    std::ofstream(folder_ / "2026/11/21" / (played_.id + ".csa")) << "V2\nP1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n+\n"
                                                                  << lines << "'$END_TIME:2026/11/21 08:00:01\n";
  }
  std::string stored() { return stored_difference(folder_.path(), plan_, played_, 50ms); }

  test::TemporaryFolder folder_;
  ReplayPlan plan_;
  PlayedGame played_;
};

TEST_F(StoredRecord, EqualRecordHasNoDifference) {
  store("+7776FU\nT0\n-3334FU\nT0\n'* 30\n%TORYO\n'summary:toryo:b lose:w win\n");
  EXPECT_EQ(stored(), "");
}

TEST_F(StoredRecord, MovesMustBeTheSame) {
  store("+7776FU\nT0\n%TORYO\n'summary:toryo:b lose:w win\n");
  EXPECT_THAT(stored(), HasSubstr("'nothing' for ply 2, not '-3334FU'"));
  store("+7776FU\nT0\n-8384FU\nT0\n%TORYO\n'summary:toryo:b lose:w win\n");
  EXPECT_THAT(stored(), HasSubstr("'-8384FU' for ply 2"));
  store("+7776FU\nT0\n-3334FU\nT0\n+2726FU\n%TORYO\n'summary:toryo:b lose:w win\n");
  EXPECT_THAT(stored(), HasSubstr("'+2726FU' for ply 3, not 'nothing'"));
}

TEST_F(StoredRecord, AnotherStartMustBeTheSame) {
  plan_.start_board = {"P1-KY-KE-GI-KI-OU-KI-GI-KE-KY", "+"};
  const std::string_view end = "+7776FU\n-3334FU\n%TORYO\n'summary:toryo:b lose:w win\n";
  store(end);
  EXPECT_EQ(stored(), "");
  plan_.start_board.insert(plan_.start_board.begin() + 1, "P+00KI00FU");
  EXPECT_THAT(stored(), HasSubstr("starts with '+', not 'P+00FU00KI'"));
  store(fmt::format("P+00FU00KI\n{}", end));
  EXPECT_THAT(stored(), HasSubstr("starts with '+'")) << "in another order";
  plan_.start_board = {"P1 *  *  *  * -OU *  *  *  * ", "+"};
  EXPECT_THAT(stored(), HasSubstr("'P1-KY-KE-GI-KI-OU-KI-GI-KE-KY', not 'P1 *  *  *  * -OU *  *  *  *'"));
}

TEST_F(StoredRecord, EndMustBeTheSame) {
  store("+7776FU\nT0\n-3334FU\nT0\n%TIME_UP\n'summary:time up:b lose:w win\n");
  EXPECT_THAT(stored(), HasSubstr("'%TIME_UP', not '%TORYO'"));
  store("+7776FU\nT0\n-3334FU\nT0\n%TORYO\n'summary:abnormal:b lose:w win\n");
  EXPECT_THAT(stored(), HasSubstr("sums up 'abnormal'"));
}

TEST_F(StoredRecord, MissingAndUnfinishedRecordsAreNamed) {
  EXPECT_THAT(stored(), HasSubstr("no record test+r-0-0+b+w+20261121080000.csa"));
  std::ofstream(folder_ / (played_.id + ".csa")) << "V2\n+7776FU\n";
  EXPECT_THAT(stored(), HasSubstr("not complete"));
}

TEST(Difference, NamesEarlyAndWrongEnds) {
  ReplayPlan plan;
  plan.moves = {"+7776FU", "-3334FU"};
  PlayedGame played{.id = "x", .accepted = plan.moves, .end = "#RESIGN"};
  EXPECT_EQ(difference(plan, played), "");
  played.end = "#TIME_UP";
  EXPECT_THAT(difference(plan, played), HasSubstr("#TIME_UP"));
  played.accepted.pop_back();
  EXPECT_THAT(difference(plan, played), HasSubstr("after 1 of 2 moves"));
  plan.close = ReplayPlan::Close::illegal_move;
  played.end = "#ILLEGAL_MOVE";
  EXPECT_EQ(difference(plan, played), "");
}

}  // namespace
}  // namespace fuhyo::app
