// The files of floodgate groups and sets of positions as they are found on a disk.
#include "server/app/serve/round_files.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

using core::floodgate::Method;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RoundFiles : public testing::Test {
 protected:
  GroupFile read(const std::string& name) const {
    core::floodgate::GroupSettings defaults;
    defaults.max_moves = 321;
    auto file = read_group(folder.path(), name, defaults);
    EXPECT_TRUE(file) << file.error();
    return file.value_or(GroupFile{});
  }
  std::string refused(std::string_view file) const {
    const auto text = read_positions(folder.path(), file);
    return text ? "it was read" : text.error();
  }

  test::TemporaryFolder folder;
};

TEST_F(RoundFiles, AGroupByItsFile) {
  folder.write("floodgate-300-10F.conf", "Sat 13:00\nset pairing_factory swiss\nset max_moves 256\n");
  const GroupFile file = read("floodgate-300-10F");
  EXPECT_EQ(file.group.game_name, "floodgate-300-10F");
  ASSERT_TRUE(file.group.schedule);
  EXPECT_EQ(file.group.schedule->weekly.size(), 1U);
  EXPECT_EQ(file.group.settings.round.method, Method::swiss);
  EXPECT_EQ(file.group.settings.max_moves, 256);
  EXPECT_THAT(file.warnings, IsEmpty());
}

TEST_F(RoundFiles, WithoutAFileByShogiServersSchedule) {
  EXPECT_TRUE(read("floodgate-900-0").group.schedule);
  EXPECT_EQ(read("floodgate-900-0").group.settings.max_moves, 321);
  EXPECT_FALSE(read("floodgate-300-10F").group.schedule) << "it has none for other groups";
}

TEST_F(RoundFiles, ALineThatIsNotUnderstoodIsNamedWithItsFile) {
  const auto path = folder.write("floodgate-900-0.conf", "Sun 10:00\nevery now and then\n");
  const GroupFile file = read("floodgate-900-0");
  EXPECT_EQ(file.group.schedule->weekly.size(), 1U);
  EXPECT_THAT(file.warnings, ElementsAre(HasSubstr(path.string() + ":2: ")));
}

TEST_F(RoundFiles, WhatIsNoFileIsAnError) {
  std::filesystem::create_directory(folder.path() / "floodgate-900-0.conf");
  EXPECT_FALSE(read_group(folder.path(), "floodgate-900-0", {}));
  folder.write("floodgate-60-0.conf", std::string(kMostRoundFile + 1, '#'));
  EXPECT_FALSE(read_group(folder.path(), "floodgate-60-0", {}));
}

TEST_F(RoundFiles, PositionsComeFromTheirFolderOnly) {
  std::filesystem::create_directory(folder.path() / "positions");
  folder.write("positions/tsec.txt", "startpos | one\n");
  folder.write("secret", "hushhush");
  EXPECT_EQ(read_positions(folder.path(), "tsec.txt"), "startpos | one\n");
  for (const std::string bad : {"", "..", "../secret", "/etc/passwd", ".hidden", "a/b"}) {
    EXPECT_THAT(refused(bad), HasSubstr("'" + bad + "' is no file name"));
  }
  EXPECT_THAT(refused("nope"), HasSubstr("No such file"));
}

}  // namespace
}  // namespace fuhyo::app
