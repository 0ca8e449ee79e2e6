// Pieces of a file are there whole or not at all.
#include "engines/jobs/files/append_file.h"

#include <gtest/gtest.h>
#include <string_view>

#include "tests/support/expected.h"
#include "tests/support/full_disk.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::jobs {
namespace {

class AppendFileTest : public testing::Test {
 protected:
  AppendFile open() const { return test::value_of(AppendFile::open(folder_ / "file")); }
  static auto append(AppendFile& file, std::string_view piece) { return file.append(std::as_bytes(std::span(piece))); }

  const test::TemporaryFolder folder_;
};

TEST_F(AppendFileTest, GoesOnWhereItEnded) {
  {
    AppendFile file = open();
    EXPECT_EQ(file.size(), 0U);
    EXPECT_TRUE(append(file, "one\n"));
    EXPECT_EQ(folder_.read("file"), "one\n") << "at once";
  }
  AppendFile file = open();
  EXPECT_EQ(file.size(), 4U);
  EXPECT_TRUE(append(file, "two\n"));
  EXPECT_TRUE(file.sync());
  EXPECT_EQ(file.size(), 8U);
  EXPECT_EQ(folder_.read("file"), "one\ntwo\n");
}

TEST_F(AppendFileTest, TakesBackWhatAFullDiskTookOfAPiece) {
  AppendFile file = open();
  ASSERT_TRUE(append(file, "one\n"));
  {
    const test::FullDisk full(6);
    EXPECT_EQ(test::error_of(append(file, "three\n")), "File too large");
  }
  EXPECT_EQ(folder_.read("file"), "one\n");
  EXPECT_EQ(file.size(), 4U);
  EXPECT_TRUE(append(file, "two\n"));
  EXPECT_EQ(folder_.read("file"), "one\ntwo\n");
}

TEST_F(AppendFileTest, SaysWhyNot) {
  EXPECT_EQ(test::error_of(AppendFile::open(folder_ / "no/file")), "No such file or directory");
  EXPECT_EQ(test::error_of(AppendFile::open(folder_.path())), "Is a directory");
}

}  // namespace
}  // namespace fuhyo::jobs
