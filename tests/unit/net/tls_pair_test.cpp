// Certificates with their keys: good ones are taken, and every bad one is refused with the name of the file at fault.
#include "server/net/tls_pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  TlsPairTest() : certificate(folder.path() / "fullchain.pem"), key(folder.path() / "privkey.pem") {}

  void write(const std::string& certificate_text, const std::string& key_text) {
    test::write_file(certificate, certificate_text);
    test::write_file(key, key_text);
  }
  std::string refusal() {
    const auto pair = TlsPair::load(certificate, key, wall_us());
    return pair ? "taken" : pair.error();
  }

  test::TemporaryFolder folder;
  std::filesystem::path certificate, key;
};

TEST_F(TlsPairTest, TakesEllipticCurvesAndRsa) {
  for (const auto& own : {make_p256_key(), make_rsa_key(2048)}) {
    write(pem(*make_certificate(*own, {.name = "shogi.example", .until_s = 90 * kDay_s})), pem(*own));
    const auto pair = TlsPair::load(certificate, key, wall_us());
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
  const auto own = make_p256_key(), authority = make_p256_key();
  const auto above = make_certificate(*authority, {.name = "Authority"});
  const auto mine = make_certificate(*own, {.issuer = above.get(), .issuer_key = authority.get()});
  write(pem(*mine) + pem(*above), pem(*own));
  EXPECT_EQ(refusal(), "taken");
  write(pem(*above) + pem(*mine), pem(*own));
  EXPECT_THAT(refusal(), AllOf(HasSubstr("privkey.pem: is the key of another"), HasSubstr("first")));
}

TEST_F(TlsPairTest, NamesTheFileThatIsMissingOrCannotBeRead) {
  EXPECT_THAT(refusal(), HasSubstr("fullchain.pem: No such file"));
  const auto own = make_p256_key();
  test::write_file(certificate, pem(*make_certificate(*own)));
  EXPECT_THAT(refusal(), HasSubstr("privkey.pem: No such file"));
  certificate = folder.path();
  EXPECT_THAT(refusal(), HasSubstr(folder.path().string() + ": "));
}

TEST_F(TlsPairTest, RefusesWhatIsNoPem) {
  const auto own = make_p256_key();
  const std::string good = pem(*make_certificate(*own));
  write("once upon a time\n", pem(*own));
  EXPECT_THAT(refusal(), HasSubstr("fullchain.pem: holds no certificate"));
  write("", pem(*own));
  EXPECT_THAT(refusal(), HasSubstr("fullchain.pem: holds no certificate"));
  write(good, good);
  EXPECT_THAT(refusal(), HasSubstr("privkey.pem: holds no private key"));
  write(good, "");
  EXPECT_THAT(refusal(), HasSubstr("privkey.pem: holds no private key"));
}

TEST_F(TlsPairTest, RefusesWhatIsDamaged) {
  const auto own = make_p256_key();
  const std::string good = pem(*make_certificate(*own)), good_key = pem(*own);
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
  const auto own = make_p256_key(), other = make_p256_key(), rsa = make_rsa_key(2048);
  write(pem(*make_certificate(*own)), pem(*other));
  EXPECT_THAT(refusal(), AllOf(HasSubstr("privkey.pem"), HasSubstr("another certificate"), HasSubstr("fullchain.pem")));
  write(pem(*make_certificate(*own)), pem(*rsa));
  EXPECT_THAT(refusal(), HasSubstr("another certificate"));
}

TEST_F(TlsPairTest, RefusesWhatIsNotValidNow) {
  const auto own = make_p256_key();
  write(pem(*make_certificate(*own, {.from_s = -10 * kDay_s, .until_s = -1})), pem(*own));
  EXPECT_THAT(refusal(), HasSubstr("fullchain.pem: expired on 2"));
  write(pem(*make_certificate(*own, {.from_s = kDay_s, .until_s = 9 * kDay_s})), pem(*own));
  EXPECT_THAT(refusal(), HasSubstr("fullchain.pem: is not valid before 2"));
}

TEST_F(TlsPairTest, RefusesAKeyUnderAPassword) {
  const auto own = make_p256_key();
  write(pem(*make_certificate(*own)), pem(*own, "secret"));
  EXPECT_THAT(refusal(), HasSubstr("privkey.pem: is protected by a password"));
}

TEST_F(TlsPairTest, RefusesAKeyThatIsTooShort) {
  const auto own = make_rsa_key(1024);
  write(pem(*make_certificate(*own)), pem(*own));
  EXPECT_THAT(refusal(), HasSubstr("fullchain.pem: cannot be used"));
}

TEST_F(TlsPairTest, WarnsOfAKeyThatEverybodyMayRead) {
  const auto own = make_p256_key();
  write(pem(*make_certificate(*own)), pem(*own));
  std::filesystem::permissions(key, std::filesystem::perms::others_read, std::filesystem::perm_options::add);
  const auto pair = TlsPair::load(certificate, key, wall_us());
  ASSERT_TRUE(pair);
  ASSERT_EQ((*pair)->warnings().size(), 1u);
  EXPECT_THAT((*pair)->warnings().front(), HasSubstr("privkey.pem: everybody"));
}

}  // namespace
}  // namespace fuhyo::net
