// What `fuhyo admin seat` brought, over restarts; and programs that are not there.
#include "server/app/serve/seated_engines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "server/app/serve/engine_means.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(SeatedEngines, AreReadAsTheyWereWritten) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(read_seated(folder.path()).value(), IsEmpty()) << "no file";
  const std::vector<SeatedLine> lines = {{"Oni-1", "name=Oni engine='/bin/oni -q' count=2"},
                                         {"Gps", "name=Gps engine=gps password=secret"}};
  ASSERT_TRUE(write_seated(folder.path(), lines));
  EXPECT_EQ(read_seated(folder.path()).value(), lines);
  struct stat status{};
  ASSERT_EQ(::stat((folder.path() / "seated-engines").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u) << "lines may hold trips";
  ASSERT_TRUE(write_seated(folder.path(), {}));
  EXPECT_THAT(read_seated(folder.path()).value(), IsEmpty());
}

TEST(SeatedEngines, WhatIsNoLineIsLeftOut) {
  const test::TemporaryFolder folder;
  folder.write("seated-engines", "\nOni\nGps name=Gps engine=gps");
  EXPECT_EQ(read_seated(folder.path()).value(), (std::vector<SeatedLine>{{"Gps", "name=Gps engine=gps"}}));
}

TEST(SeatedEngines, AProgramThatIsNotThereIsNamed) {
  const test::TemporaryFolder folder;
  host::BuiltinPlayer player;
  const auto missing = [&](const std::string& program, const std::string& in = "") {
    player.command = {program};
    player.working_dir = in;
    return missing_program(player);
  };
  EXPECT_EQ(missing("/bin/sh"), "");
  EXPECT_EQ(missing("sh"), "") << "by PATH";
  EXPECT_EQ(missing("./sh", "/bin"), "") << "from its own folder";
  EXPECT_THAT(missing("./sh", folder.path().string()), HasSubstr("./sh is no program"));
  EXPECT_THAT(missing("no-such-engine"), HasSubstr("no program no-such-engine in PATH"));
  EXPECT_THAT(missing("/bin"), HasSubstr("/bin is no program")) << "a folder";
  EXPECT_THAT(missing(folder.write("text", "x").string()), HasSubstr("is no program")) << "nobody may execute it";
}

}  // namespace
}  // namespace fuhyo::app
