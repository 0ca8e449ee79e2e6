// The files of rooms as they are found on a disk.
#include "server/app/serve/room_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

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

TEST_F(RoomFilesTest, WithoutTheFolderThereIsNone) {
  std::filesystem::remove(folder.path() / "rooms");
  const RoomFiles files = read_room_files(folder.path());
  ASSERT_TRUE(files.read);
  EXPECT_THAT(files.read->files, IsEmpty());
  EXPECT_THAT(files.faults, IsEmpty());
}

TEST_F(RoomFilesTest, AFolderThatCannotBeReadClosesNoRoom) {
  std::filesystem::remove(folder.path() / "rooms");
  folder.write("rooms", "a file");
  const RoomFiles files = read_room_files(folder.path());
  EXPECT_FALSE(files.read);
  EXPECT_EQ(files.faults.size(), 1u);
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

}  // namespace
}  // namespace fuhyo::app
