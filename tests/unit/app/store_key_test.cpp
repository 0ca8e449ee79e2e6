// The key of all secrets beside the store that belongs to it: the right one, another one, none.
#include "server/app/serve/store_key.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/app/commands.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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
  stands.standing.push_back({core::Seq{1}, core::NameForbidden{.name = "eve", .by = "", .why = "", .at = {}}});
  stands.standing.push_back({core::Seq{2}, core::KeyKept{.fingerprint = "f", .at = {}}});
  EXPECT_EQ(kept_fingerprint(stands), "f");
}

}  // namespace
}  // namespace fuhyo::app
