#include <gtest/gtest.h>
#include <string>

#include "server/store/records/path.h"

namespace fuhyo::store {
namespace {

TEST(RecordsPath, LayoutByRoomAndDay) {
  core::GameOpened game;
  game.room = "main";
  game.csa_id = "ev+cmd-300-10+A+B+20261121041507";
  game.local_time = "2026/11/21 04:15:07";
  EXPECT_EQ(record_path(game), "2026/11/21/ev+cmd-300-10+A+B+20261121041507.csa");
  game.room = "demo";
  EXPECT_EQ(record_path(game), "demo/2026/11/21/ev+cmd-300-10+A+B+20261121041507.csa");
}

TEST(RecordsPath, B10_NothingLeavesTheFolder) {
  EXPECT_EQ(safe_file_name("a@b_c-d.e+f"), "a@b_c-d.e+f");
  EXPECT_EQ(safe_file_name("../../etc/passwd"), "%2E.%2F..%2Fetc%2Fpasswd");
  EXPECT_EQ(safe_file_name(".."), "%2E.");
  EXPECT_EQ(safe_file_name("."), "%2E");
  EXPECT_EQ(safe_file_name(""), "%");
  EXPECT_EQ(safe_file_name(std::string("a\0b", 3)), "a%00b");
  EXPECT_EQ(safe_file_name("%2F"), "%252F") << "no two names become one";
  core::GameOpened game;
  game.room = "main";
  game.csa_id = "ev+cmd-300-10+A+B+20261121041507";
  game.local_time = "2026/11/21 04:15:07";
  game.csa_id = "/../../x";
  game.room = "../up";
  game.local_time = "../../../x ";
  game.at = core::Wall{1'795'234'507 * core::kSecond};
  EXPECT_EQ(record_path(game), "%2E.%2Fup/2026/11/21/%2F..%2F..%2Fx.csa");
}

TEST(RecordsPath, LongNamesStayDifferent) {
  const std::string limit(200, 'x');
  EXPECT_EQ(safe_file_name(limit), limit);
  const std::string a = safe_file_name(limit + "a");
  const std::string b = safe_file_name(limit + "b");
  EXPECT_EQ(a.size(), 200U);
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace fuhyo::store
