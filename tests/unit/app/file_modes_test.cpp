// What others may read of a data folder, and what they may not though the host says so.
#include "server/app/serve/file_modes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class FileModes : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(records);
    for (const char* name : {"fuhyo.db", "secret.key"}) chmod(folder.write(name, "x"), 0600);
    chmod(records, 0755);
    chmod(data, 0700);
  }
  static void chmod(const fs::path& path, unsigned mode) {
    fs::permissions(path, static_cast<fs::perms>(mode), fs::perm_options::replace);
  }
  std::string warning() const { return too_open(data, records).value_or(""); }
  std::string shut(std::uint32_t mode) const { return out_of_reach(data, records, mode).value_or(""); }

  test::TemporaryFolder folder;
  fs::path data = folder.path(), records = folder / "records";
};

TEST_F(FileModes, AFolderForItsUserAloneIsFineWhateverIsInIt) {
  chmod(folder / "fuhyo.db", 0666);
  EXPECT_EQ(warning(), "");
}

TEST_F(FileModes, WhatOthersMayReadIsNamed) {
  chmod(data, 0755);
  chmod(folder / "fuhyo.db", 0644);
  fs::create_directory(folder / "rooms");
  chmod(folder / "rooms", 0750);
  EXPECT_THAT(warning(), HasSubstr("may read or change " + fs::canonical(data).string() + " (0755), "));
  EXPECT_THAT(warning(), HasSubstr("fuhyo.db (0644), "));
  EXPECT_THAT(warning(), HasSubstr("rooms (0750): chmod -R go-rwx "));
  EXPECT_THAT(warning(), Not(HasSubstr("secret.key")));
  EXPECT_THAT(warning(), Not(HasSubstr("records"))) << "they are as the host says";
}

TEST_F(FileModes, AFolderToPassThroughIsFineIfNothingInItIsOpen) {
  chmod(data, 0711);
  EXPECT_EQ(warning(), "");
  chmod(folder / "secret.key", 0640);
  EXPECT_THAT(warning(), HasSubstr("secret.key (0640)"));
  EXPECT_THAT(warning(), Not(HasSubstr("(0711)")));
  chmod(folder / "secret.key", 0600);
  fs::create_symlink("secret.key", folder / "link");  // whose mode is 0777
  EXPECT_EQ(warning(), "");
}

TEST_F(FileModes, OnlyTheFirstOfManyAreNamed) {
  chmod(data, 0711);
  for (int i = 0; i < 7; ++i) chmod(folder.write("x" + std::to_string(i), ""), 0644);
  EXPECT_THAT(warning(), HasSubstr("x4 (0644) and 2 more: "));
}

TEST_F(FileModes, RecordsThatNobodyCanReachAreTold) {
  EXPECT_EQ(shut(0600), "");
  EXPECT_THAT(shut(0644), HasSubstr("records-mode 0644 does not help those whom " + fs::canonical(data).string() +
                                    " (0700) keeps out: chmod 0711 it"));
  chmod(data, 0711);
  EXPECT_EQ(shut(0644), "");
  chmod(records, 0750);
  EXPECT_EQ(shut(0640), "");
  EXPECT_THAT(shut(0644), HasSubstr("records (0750) keeps out: chmod 0755 it"));
  chmod(data, 0700);
  test::TemporaryFolder elsewhere;
  chmod(elsewhere.path(), 0755);
  EXPECT_EQ(out_of_reach(data, elsewhere.path(), 0644), std::nullopt) << "the data folder is not above it";
}

}  // namespace
}  // namespace fuhyo::app
