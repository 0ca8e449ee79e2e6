// What lies in a data folder: who may read it, the key of all secrets, what `fuhyo admin seat` brought.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "server/app/commands.h"
#include "server/app/serve/engine_means.h"
#include "server/app/serve/file_modes.h"
#include "server/app/serve/seated_engines.h"
#include "server/app/serve/store_key.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// ---- modes ----

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

// ---- the key beside the store that belongs to it: the right one, another one, none ----

const std::string kOne(64, 'a'), kOther(64, 'b');

class StoreKey : public ::testing::Test {
 protected:
  auto open(std::string_view kept, bool accept = false) { return open_store_key(file_, "fuhyo.db", kept, accept); }
  // What a start is told; empty: it is let go on.
  std::string refusal(std::string_view kept) {
    const auto key = open(kept);
    if (key) return {};
    EXPECT_EQ(key.error().exit_code, kExitIo);
    return key.error().text;
  }

  test::TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "secret.key";
};

TEST_F(StoreKey, TheFingerprintIsTheKeysOwnAndTellsNothingOfIt) {
  EXPECT_EQ(key_fingerprint(kOne), key_fingerprint(kOne));
  EXPECT_NE(key_fingerprint(kOne), key_fingerprint(kOther));
  EXPECT_EQ(key_fingerprint(kOne).size(), 32u);
  EXPECT_THAT(key_fingerprint(kOne), Not(HasSubstr("aaaa")));
}

TEST_F(StoreKey, OfAStoreThatHadNoneIsMadeOrTaken) {
  const auto made = open("");
  ASSERT_TRUE(made) << made.error().text;
  EXPECT_TRUE(std::filesystem::exists(file_));
  EXPECT_EQ(open("").value(), *made);
  EXPECT_EQ(open(key_fingerprint(*made)).value(), *made);
}

TEST_F(StoreKey, AnotherOneIsRefusedAndLeftAlone) {
  folder_.write("secret.key", kOther);
  const std::string why = refusal(key_fingerprint(kOne));
  EXPECT_THAT(why, HasSubstr("secret.key is not the key of the store fuhyo.db"));
  EXPECT_THAT(why, HasSubstr("--accept-key"));
  EXPECT_THAT(why, Not(HasSubstr(kOther)));
  EXPECT_EQ(open(key_fingerprint(kOther)).value(), kOther);
}

TEST_F(StoreKey, NoneWhereThereWasOneIsRefusedAndNotMade) {
  EXPECT_THAT(refusal(key_fingerprint(kOne)),
              HasSubstr("secret.key is not there: it was the key of the store fuhyo.db"));
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(StoreKey, WhoSaysSoGoesOnWithAnotherOrANewOne) {
  EXPECT_NE(open(key_fingerprint(kOne), true).value(), kOne);
  folder_.write("secret.key", kOther);
  EXPECT_EQ(open(key_fingerprint(kOne), true).value(), kOther);
}

TEST_F(StoreKey, WhatIsNoKeyIsRefusedWhateverIsSaid) {
  folder_.write("secret.key", "abc");
  for (const bool accept : {false, true}) {
    const auto key = open(key_fingerprint(kOne), accept);
    ASSERT_FALSE(key);
    EXPECT_EQ(key.error().exit_code, kExitCannotCreate);
    EXPECT_THAT(key.error().text, HasSubstr("secret.key: is not a secret"));
  }
}

TEST_F(StoreKey, TheStoreTellsTheNewestOfItsFacts) {
  core::Recovery stands;
  EXPECT_EQ(kept_fingerprint(stands), "");
  stands.keyed_facts.push_back({core::Seq{1}, core::NameForbidden{.name = "eve", .by = "", .why = "", .at = {}}});
  stands.keyed_facts.push_back({core::Seq{2}, core::KeyKept{.fingerprint = "f", .at = {}}});
  EXPECT_EQ(kept_fingerprint(stands), "f");
}

// ---- seated engines, over restarts; and programs that are not there ----

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
