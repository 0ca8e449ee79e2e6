// One-time codes: the vectors of RFC 6238, the window, and that none is good twice.
#include "server/secrets/totp.h"

#include <gtest/gtest.h>

namespace fuhyo::secrets {
namespace {

// The RFC's secret, "12345678901234567890".
constexpr std::string_view kSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

// Appendix B gives eight digits; six of them are the last six.
TEST(Totp, GivesTheCodesOfTheRfc) {
  EXPECT_EQ(totp_code(kSecret, 59 / 30), "287082");
  EXPECT_EQ(totp_code(kSecret, 1111111109 / 30), "081804");
  EXPECT_EQ(totp_code(kSecret, 1111111111 / 30), "050471");
  EXPECT_EQ(totp_code(kSecret, 1234567890 / 30), "005924");
  EXPECT_EQ(totp_code(kSecret, 2000000000 / 30), "279037");
  EXPECT_EQ(totp_code(kSecret, 20000000000 / 30), "353130");
}

TEST(Totp, ACodeIsGoodOneStepAroundItsOwnAndNoLonger) {
  constexpr std::int64_t kStep = 1111111111 / 30;
  const auto at = [](std::int64_t wall_s) { return check_totp(kSecret, "050471", wall_s, kNoTotpStep); };
  EXPECT_EQ(at((kStep - 1) * 30 - 1), std::nullopt);
  EXPECT_EQ(at((kStep - 1) * 30), kStep);
  EXPECT_EQ(at(kStep * 30), kStep);
  EXPECT_EQ(at((kStep + 2) * 30 - 1), kStep);
  EXPECT_EQ(at((kStep + 2) * 30), std::nullopt);
}

TEST(Totp, EachCodeIsGoodOnce) {
  constexpr std::int64_t kWall_s = 1111111111, kStep = kWall_s / 30;
  EXPECT_EQ(check_totp(kSecret, "050471", kWall_s, kStep - 1), kStep);
  EXPECT_EQ(check_totp(kSecret, "050471", kWall_s, kStep), std::nullopt);
  EXPECT_EQ(check_totp(kSecret, "081804", kWall_s, kStep), std::nullopt) << "nor an older one after it";
  EXPECT_EQ(check_totp(kSecret, "081804", kWall_s, kNoTotpStep), kStep - 1);
}

TEST(Totp, WhatIsNoCodeIsNone) {
  for (const char* code : {"", "05047", "0504710", "50471", " 050471", "050471\n", "05047a", "000000"}) {
    EXPECT_EQ(check_totp(kSecret, code, 1111111111, kNoTotpStep), std::nullopt) << code;
  }
  EXPECT_EQ(check_totp("", "050471", 1111111111, kNoTotpStep), std::nullopt);
  EXPECT_EQ(check_totp("GEZDGNBV", "050471", 1111111111, kNoTotpStep), std::nullopt) << "a secret of five bytes";
  EXPECT_EQ(check_totp(kSecret, "287082", -1000, kNoTotpStep), std::nullopt);
  EXPECT_EQ(totp_code("not base 32", 1), std::nullopt);
  EXPECT_EQ(totp_code(std::string(1 << 20, 'A'), 1), std::nullopt);
}

TEST(Totp, TheUriIsEscaped) {
  EXPECT_EQ(totp_uri(kSecret, "Fuhyo cup", "aki@home&x=1"),
            "otpauth://totp/Fuhyo%20cup:aki%40home%26x%3D1?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
            "&issuer=Fuhyo%20cup&algorithm=SHA1&digits=6&period=30");
}

}  // namespace
}  // namespace fuhyo::secrets
