// Random tokens, keyed hashes, the files of keys, and the spelling of bytes.
#include "server/secrets/keyed_hash.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <sys/stat.h>

#include "server/secrets/random.h"
#include "server/secrets/text.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::secrets {
namespace {

using testing::HasSubstr;

Bytes bytes_of(std::string_view text) { return {reinterpret_cast<const unsigned char*>(text.data()), text.size()}; }

// ---- text ----

// RFC 4648, section 10, without its padding.
TEST(SecretsText, IsWhatTheRfcSays) {
  EXPECT_EQ(base64url(bytes_of("")), "");
  EXPECT_EQ(base64url(bytes_of("f")), "Zg");
  EXPECT_EQ(base64url(bytes_of("fo")), "Zm8");
  EXPECT_EQ(base64url(bytes_of("foobar")), "Zm9vYmFy");
  EXPECT_EQ(base64url(bytes_of("\xfb\xff\xfe")), "-__-");
  EXPECT_EQ(base32(bytes_of("f")), "MY");
  EXPECT_EQ(base32(bytes_of("fooba")), "MZXW6YTB");
  EXPECT_EQ(base32(bytes_of("foobar")), "MZXW6YTBOI");
  EXPECT_EQ(hex(bytes_of("foobar")), "666f6f626172");
}

TEST(SecretsText, Base32IsReadBackOrRefused) {
  const auto read = from_base32("MZXW6YTBOI", 6);
  ASSERT_TRUE(read);
  EXPECT_EQ(std::string(read->begin(), read->end()), "foobar");
  EXPECT_EQ(from_base32("", 6)->size(), 0u);
  EXPECT_FALSE(from_base32("MZXW6YTBOI", 5)) << "longer than asked for";
  for (const char* wrong : {"M", "MZX", "MZ", "mzxw6ytboi", "MZXW6YTB0I", "MZXW6YTB OI", "MY======", "\x80\x80"}) {
    EXPECT_FALSE(from_base32(wrong, 20)) << wrong;
  }
}

// ---- random ----

TEST(Random, ATokenFitsACsaPasswordAndIsNewEachTime) {
  std::set<std::string> tokens, ids;
  for (int i = 0; i < 1000; ++i) {
    const std::string token = random_token(), id = random_id();
    ASSERT_EQ(token.size(), 32u);
    ASSERT_TRUE(std::ranges::all_of(token, [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; }));
    ASSERT_EQ(id.size(), 32u);
    tokens.insert(token);
    ids.insert(id);
  }
  EXPECT_EQ(tokens.size(), 1000u);
  EXPECT_EQ(ids.size(), 1000u);
}

// ---- keyed hashes ----

// RFC 4231, test cases 2 and 6: the first half of HMAC-SHA-256.
TEST(KeyedHash, IsHmacSha256) {
  EXPECT_EQ(keyed_hash("Jefe", "what do ya want for nothing?"), "5bdcc146bf60754e6a042426089575c7");
  EXPECT_EQ(keyed_hash(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f");
}

TEST(KeyedHash, OfNothingIsAHashToo) {
  EXPECT_EQ(keyed_hash("", ""), "b613679a0814d9ec772f95d778c35fc5");
  EXPECT_EQ(keyed_hash({}, {}), keyed_hash("", "")) << "also where there is no memory at all";
  EXPECT_NE(keyed_hash("k", ""), keyed_hash("", "k"));
}

TEST(SecretFile, IsMadeOnceForTheOwnerAlone) {
  test::TemporaryFolder folder;
  const auto file = folder.path() / "some.key";
  const auto made = secret_of(file);
  ASSERT_TRUE(made) << made.error();
  EXPECT_EQ(made->size(), 64u);
  EXPECT_EQ(secret_of(file).value(), *made);
  struct stat facts{};
  ASSERT_EQ(::stat(file.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
  EXPECT_NE(secret_of(folder.path() / "other.key").value(), *made);
  EXPECT_FALSE(std::filesystem::exists(file.string() + ".new"));
}

TEST(SecretFile, WhatIsNoneIsRefusedByName) {
  test::TemporaryFolder folder;
  EXPECT_THAT(secret_of(folder.write("short.key", "abc")).error(), HasSubstr("short.key: is not a secret"));
  EXPECT_THAT(secret_of(folder.path() / "gone" / "x.key").error(), HasSubstr("x.key: cannot be made"));
  std::filesystem::create_symlink(folder.write("real.key", std::string(64, 'a')), folder.path() / "link.key");
  EXPECT_THAT(secret_of(folder.path() / "link.key").error(), HasSubstr("link.key: cannot be read"));
}

}  // namespace
}  // namespace fuhyo::secrets
