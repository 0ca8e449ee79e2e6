// Certificates with their keys: good ones are taken, and every bad one is refused with the name of the file at fault.
#include "server/net/tls_pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/net/loaded_pair.h"

namespace fuhyo::net {
namespace {

using test::make_certificate;
using test::make_p256_key;
using test::make_rsa_key;
using test::pem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t kDay_s = 86'400, kHour_us = 3'600'000'000;

class TlsPairTest : public testing::Test {
 protected:
  void write(const std::string& certificate_text, const std::string& key_text) {
    test::write_file(certificate, certificate_text);
    test::write_file(key, key_text);
  }
  auto load() { return TlsPair::load(certificate, key, wall_us()); }
  std::string refusal() { return test::error_of(load()); }

  test::TemporaryFolder folder;
  std::filesystem::path certificate = folder / "fullchain.pem", key = folder / "privkey.pem";
  const test::Key own = make_p256_key();
  const std::string good = pem(*make_certificate(*own)), good_key = pem(*own);
};

TEST_F(TlsPairTest, TakesEllipticCurvesAndRsa) {
  for (const auto& each : {make_p256_key(), make_rsa_key(2048)}) {
    write(pem(*make_certificate(*each, {.name = "shogi.example", .until_s = 90 * kDay_s})), pem(*each));
    const auto pair = load();
    ASSERT_TRUE(pair) << pair.error();
    EXPECT_EQ((*pair)->subject(), "CN=shogi.example");
    EXPECT_THAT((*pair)->warnings(), IsEmpty());
    EXPECT_EQ((*pair)->days_left(wall_us() - kHour_us), 90);
    EXPECT_EQ((*pair)->days_left(wall_us() + kHour_us), 89);
    EXPECT_EQ((*pair)->days_left((*pair)->not_after_us()), 0);
    EXPECT_EQ((*pair)->days_left((*pair)->not_after_us() + 1), -1);
  }
}

TEST_F(TlsPairTest, TakesAChainWithItsOwnCertificateFirst) {
  const auto authority = make_p256_key();
  const auto above = make_certificate(*authority, {.name = "Authority"});
  const auto mine = make_certificate(*own, {.issuer = above.get(), .issuer_key = authority.get()});
  write(pem(*mine) + pem(*above), good_key);
  EXPECT_EQ(refusal(), "");
  write(pem(*above) + pem(*mine), good_key);
  EXPECT_THAT(refusal(), AllOf(HasSubstr("privkey.pem: is the key of another"), HasSubstr("first")));
}

TEST_F(TlsPairTest, NamesTheFileThatIsMissingOrCannotBeRead) {
  EXPECT_THAT(refusal(), HasSubstr("fullchain.pem: No such file"));
  test::write_file(certificate, good);
  EXPECT_THAT(refusal(), HasSubstr("privkey.pem: No such file"));
  certificate = folder.path();
  EXPECT_THAT(refusal(), HasSubstr(folder.path().string() + ": "));
}

TEST_F(TlsPairTest, RefusesWhatIsNoPem) {
  for (const char* none : {"once upon a time\n", ""}) {
    write(none, good_key);
    EXPECT_THAT(refusal(), HasSubstr("fullchain.pem: holds no certificate")) << none;
  }
  for (const std::string& none : {good, std::string()}) {
    write(good, none);
    EXPECT_THAT(refusal(), HasSubstr("privkey.pem: holds no private key")) << none;
  }
}

TEST_F(TlsPairTest, RefusesWhatIsDamaged) {
  std::string cut = good, cut_key = good_key;
  cut.replace(100, 8, "????????");
  cut_key.replace(60, 8, "????????");
  write(cut, good_key);
  EXPECT_THAT(refusal(), HasSubstr("fullchain.pem: is damaged"));
  write(good + cut, good_key);
  EXPECT_THAT(refusal(), HasSubstr("fullchain.pem: is damaged"));
  write(good, cut_key);
  EXPECT_THAT(refusal(), HasSubstr("privkey.pem: is damaged"));
}

TEST_F(TlsPairTest, RefusesTheKeyOfAnotherCertificate) {
  write(good, pem(*make_p256_key()));
  EXPECT_THAT(refusal(), AllOf(HasSubstr("privkey.pem"), HasSubstr("another certificate"), HasSubstr("fullchain.pem")));
  write(good, pem(*make_rsa_key(2048)));
  EXPECT_THAT(refusal(), HasSubstr("another certificate"));
}

TEST_F(TlsPairTest, RefusesWhatIsNotValidNow) {
  write(pem(*make_certificate(*own, {.from_s = -10 * kDay_s, .until_s = -1})), good_key);
  EXPECT_THAT(refusal(), HasSubstr("fullchain.pem: expired on 2"));
  write(pem(*make_certificate(*own, {.from_s = kDay_s, .until_s = 9 * kDay_s})), good_key);
  EXPECT_THAT(refusal(), HasSubstr("fullchain.pem: is not valid before 2"));
}

TEST_F(TlsPairTest, RefusesAKeyUnderAPasswordOrThatIsTooShort) {
  write(good, pem(*own, "secret"));
  EXPECT_THAT(refusal(), HasSubstr("privkey.pem: is protected by a password"));
  const auto rsa = make_rsa_key(1024);
  write(pem(*make_certificate(*rsa)), pem(*rsa));
  EXPECT_THAT(refusal(), HasSubstr("fullchain.pem: cannot be used"));
}

TEST_F(TlsPairTest, WarnsOfAKeyThatEverybodyMayRead) {
  write(good, good_key);
  std::filesystem::permissions(key, std::filesystem::perms::others_read, std::filesystem::perm_options::add);
  const auto pair = load();
  ASSERT_TRUE(pair);
  ASSERT_EQ((*pair)->warnings().size(), 1u);
  EXPECT_THAT((*pair)->warnings().front(), HasSubstr("privkey.pem: everybody"));
}

}  // namespace
}  // namespace fuhyo::net
