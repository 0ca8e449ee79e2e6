// Files that games are added to: whole whenever they are read, cut where they broke, and nobody else's.
#include "engines/match/output/game_file.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/record/csa_reader.h"
#include "tests/support/expected.h"
#include "tests/support/full_disk.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/match/output/sample_game.h"

namespace fuhyo::match {
namespace {

namespace fs = std::filesystem;
using ::fuhyo::test::error_of;
using testing::HasSubstr;

class GameFiles : public testing::TestWithParam<GameFileOptions> {
 protected:
  std::string bytes() const { return folder_.read("games"); }
  void write(const std::string& text) const { folder_.write("games", text); }
  std::string of_games(std::int64_t count) const {
    fs::remove(path_);
    auto file = GameFile::open(path_, GetParam());
    for (std::int64_t i = 0; i < count; ++i) EXPECT_TRUE(file->add(sample_game(i)));
    return bytes();
  }

  const test::TemporaryFolder folder_;
  const fs::path path_ = folder_ / "games";
};

TEST_P(GameFiles, GoOnWhereTheyEnded) {
  const std::string two = of_games(2);
  fs::remove(path_);
  for (std::int64_t i = 0; i < 2; ++i) {
    auto file = GameFile::open(path_, GetParam());
    ASSERT_TRUE(file) << file.error();
    EXPECT_EQ(file->cut(), 0u);
    EXPECT_TRUE(file->add(sample_game(i)));
  }
  EXPECT_EQ(bytes(), two);
}

TEST_P(GameFiles, LoseTheGameInWhichTheyBrokeAndNoOther) {
  const std::string one = of_games(1), three = of_games(3), two = of_games(2);
  const auto left_of = [&](std::size_t size) -> std::string {
    return size < one.size() ? "" : size < two.size() ? one : two;
  };
  for (std::size_t size = 0; size < three.size(); ++size) {
    ASSERT_EQ(whole_games(three.substr(0, size), GetParam().format), left_of(size).size()) << size;
  }
  constexpr std::size_t kStep = 101;  // opening files is slow in some places
  for (std::size_t back = 1; back <= three.size(); back += back < 30 ? 1 : kStep) {
    const std::size_t size = three.size() - back;
    write(three.substr(0, size));
    const auto file = GameFile::open(path_, GetParam());
    ASSERT_TRUE(file) << size << ": " << file.error();
    ASSERT_EQ(bytes(), left_of(size)) << size;
    ASSERT_EQ(file->cut(), size - left_of(size).size());
  }
  for (std::size_t size = one.size() - 40; size < one.size(); ++size) {  // where the first game ends
    write(one.substr(0, size));
    EXPECT_TRUE(GameFile::open(path_, GetParam())) << size;
  }
  write(three.substr(0, three.size() - 5));
  auto file = GameFile::open(path_, GetParam());
  EXPECT_TRUE(file->add(sample_game(2)));
  EXPECT_EQ(bytes(), three);
}

TEST_P(GameFiles, AreNotMadeOfFilesOfOthers) {
  const std::string others[] = {"hello\n", "V2.2\nN+a\nPI\n+\n+7776FU\n%TORYO\n",
                                "[Event \"Tournament\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n", "{\"name\":1}\n"};
  for (const std::string& other : others) {
    write(other);
    const auto file = GameFile::open(path_, GetParam());
    ASSERT_FALSE(file) << other;
    EXPECT_THAT(file.error(), HasSubstr("something else"));
    EXPECT_EQ(bytes(), other);
  }
}

TEST_P(GameFiles, BelongToOneMatchAtATime) {
  auto first = GameFile::open(path_, GetParam());
  ASSERT_TRUE(first) << first.error();
  ASSERT_TRUE(first->add(sample_game(0)));
  const std::string one = bytes();
  write(one + "broken");
  EXPECT_THAT(error_of(GameFile::open(path_, GetParam())), HasSubstr(path_.string()));
  EXPECT_EQ(bytes(), one + "broken") << "it may be half a game that the other one is writing";
  first = std::unexpected("over");
  EXPECT_TRUE(GameFile::open(path_, GetParam()));
  EXPECT_EQ(bytes(), one);
}

TEST_P(GameFiles, SayWhereTheyCannotBe) {
  const fs::path nowhere = path_ / "folder/file";
  EXPECT_THAT(GameFile::open(nowhere, GetParam()).error(), HasSubstr(nowhere.string()));
  EXPECT_FALSE(GameFile::open(folder_.path(), GetParam()));
}

TEST_P(GameFiles, FailForGoodOnceTheDiskIsFull) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  auto file = GameFile::open("/dev/full", GetParam());
  if (!file) GTEST_SKIP() << file.error();
  EXPECT_FALSE(file->add(sample_game()));
  EXPECT_THAT(file->add(sample_game()).error(), HasSubstr("cannot be written"));
}

TEST_P(GameFiles, EndWithTheGameBeforeOneThatTheDiskHadNoRoomFor) {
  auto file = GameFile::open(path_, GetParam());
  ASSERT_TRUE(file && file->add(sample_game()));
  const std::string one = bytes();
  const auto added = [&] {
    const test::FullDisk full(one.size() + 10);
    return file->add(sample_game());
  }();
  ASSERT_FALSE(added);
  EXPECT_THAT(added.error(), HasSubstr("cannot be written: File too large"));
  EXPECT_EQ(bytes(), one);
  EXPECT_EQ(file->add(sample_game()).error(), added.error()) << "nobody shall miss a game among others";
}

INSTANTIATE_TEST_SUITE_P(, GameFiles,
                         testing::Values(GameFileOptions{.format = GameFormat::csa},
                                         GameFileOptions{.format = GameFormat::csa,
                                                         .version = record::CsaVersion::v3_0},
                                         GameFileOptions{.format = GameFormat::pgn},
                                         GameFileOptions{.format = GameFormat::pgn, .moves = PgnMoves::none}));

class GameFileContents : public GameFiles {};
INSTANTIATE_TEST_SUITE_P(, GameFileContents,
                         testing::Values(GameFileOptions{.format = GameFormat::csa},
                                         GameFileOptions{.format = GameFormat::csa,
                                                         .version = record::CsaVersion::v3_0}));

TEST_P(GameFileContents, AreRecordsThatAreReadWithoutAWarning) {
  const auto file = record::read_csa(of_games(3));
  ASSERT_TRUE(file) << to_string(file.error());
  ASSERT_EQ(file->games.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(file->games[i].warnings.empty()) << to_string(file->games[i].warnings[0]);
    EXPECT_EQ(file->games[i].version, GetParam().version);
    EXPECT_EQ(file->games[i].game.event, "game " + std::to_string(i + 1));
    EXPECT_EQ(file->games[i].game.comments[0].text, "opening 4; Black time=2000,inc=100; White nodes=5000");
  }
}

}  // namespace
}  // namespace fuhyo::match
