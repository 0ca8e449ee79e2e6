// Files of rooms, of floodgate groups and of sets of positions, as they are found on a disk.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/app/serve/room_files.h"
#include "server/app/serve/round_files.h"
#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

using core::floodgate::Method;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

class RoomFilesTest : public testing::Test {
 protected:
  RoomFilesTest() { std::filesystem::create_directory(folder.path() / "rooms"); }
  std::string fault(const std::string& text) {
    folder.write("rooms/x.toml", text);
    const RoomFiles files = read_room_files(folder.path());
    EXPECT_THAT(files.read->files, IsEmpty());
    EXPECT_THAT(files.read->unreadable, ElementsAre("x"));
    EXPECT_EQ(files.faults.size(), 1u);
    return files.faults.empty() ? "" : files.faults.front();
  }
  test::TemporaryFolder folder;
};

TEST_F(RoomFilesTest, AFileARoom) {
  folder.write(
      "rooms/final.toml",
      "games = \"final-*\"\ntitle-ja = \"決勝\"\nmax-moves = 320\nrated = false\nplayers = [\"ann\", \"bob\"]\n");
  folder.write("rooms/club.toml", "games = \"club-*\"\n");
  folder.write("rooms/notes.txt", "not a room");
  const RoomFiles files = read_room_files(folder.path());
  EXPECT_THAT(files.faults, IsEmpty());
  ASSERT_EQ(files.read->files.size(), 2u);
  EXPECT_EQ(files.read->files[0].name, "club");
  EXPECT_EQ(files.read->files[1].name, "final");
  EXPECT_THAT(
      files.read->files[1].settings,
      testing::UnorderedElementsAre("games=final-*", "title-ja=決勝", "max-moves=320", "rated=no", "players=ann,bob"));
}

TEST_F(RoomFilesTest, WithoutTheFolderThereIsNoneAndOneThatCannotBeReadClosesNoRoom) {
  std::filesystem::remove(folder / "rooms");
  const RoomFiles none = read_room_files(folder.path());
  ASSERT_TRUE(none.read);
  EXPECT_THAT(none.read->files, IsEmpty());
  EXPECT_THAT(none.faults, IsEmpty());
  folder.write("rooms", "a file");
  const RoomFiles unknown = read_room_files(folder.path());
  EXPECT_FALSE(unknown.read);
  EXPECT_EQ(unknown.faults.size(), 1u);
}

TEST_F(RoomFilesTest, AFileWithAFaultSaysWhereAndSaysNothingElse) {
  EXPECT_THAT(fault("games = \"x-*\"\nafter-gme = \"stay\"\n"),
              EndsWith("x.toml:2: a room has no 'after-gme': did you mean 'after-game'?"));
  EXPECT_THAT(fault("games = \"x-*\"\n\nmax-moves = 9999\n"), HasSubstr("x.toml:3: max-moves: "));
  EXPECT_THAT(fault("games = \"x-*\"\nmax-moves = 1.5\n"), HasSubstr("x.toml:2: max-moves: takes a string"));
  EXPECT_THAT(fault("title-en = \"x\"\n"), HasSubstr("x.toml: games: a room needs game names"));
  EXPECT_THAT(fault("games = \n"), HasSubstr("x.toml:1: "));
  EXPECT_THAT(fault(std::string(kMostRoomFile + 1, '#')), HasSubstr("x.toml: has more than"));
}

TEST_F(RoomFilesTest, AFileThatIsNoNameOfARoomIsNamed) {
  folder.write("rooms/main.toml", "games = \"x-*\"\n");
  folder.write("rooms/Final.toml", "games = \"x-*\"\n");
  const RoomFiles files = read_room_files(folder.path());
  EXPECT_THAT(files.read->files, IsEmpty());
  EXPECT_THAT(files.faults, ElementsAre(HasSubstr("'Final' is no name of a room"), HasSubstr("main is as it is")));
}

class RoundFiles : public testing::Test {
 protected:
  GroupFile read(const std::string& name) const {
    core::floodgate::GroupSettings defaults;
    defaults.max_moves = 321;
    auto file = read_group(folder.path(), name, defaults);
    EXPECT_TRUE(file) << file.error();
    return file.value_or(GroupFile{});
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
    EXPECT_THAT(test::error_of(read_positions(folder.path(), bad)), HasSubstr("'" + bad + "' is no file name"));
  }
  EXPECT_THAT(test::error_of(read_positions(folder.path(), "nope")), HasSubstr("No such file"));
}

}  // namespace
}  // namespace fuhyo::app
