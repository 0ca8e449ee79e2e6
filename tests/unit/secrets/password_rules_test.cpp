// Which passwords may be chosen: those of lists, rows of keys, names and short ones may not.
#include "server/secrets/password_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/secrets/password.h"

namespace fuhyo::secrets {
namespace {

using testing::HasSubstr;

std::string why(std::string_view text, std::string_view name = "aki") {
  const std::vector<std::string> servers{"fuhyo", "wednesday"};
  return why_no_password(text, name, servers).value_or("");
}

TEST(PasswordRules, WhatNobodyGuessesMayBeTaken) {
  for (const char* good : {"correct horse battery staple", "x8K!p2q0", "hisshatora kabuto", "0b7d61e09c14",
                           "\u3075\u3072\u3087\u3046\u3068\u91d1\u3068\u9280", "        u7.Q        "}) {
    EXPECT_EQ(why(good), "") << good;
  }
}

TEST(PasswordRules, HasLimits) {
  for (const char* shorter : {"", "x8K!p2q", "\u98db\u8eca\u89d2\u884c\u91d1\u5c06"}) {
    EXPECT_THAT(why(shorter), HasSubstr("8 characters")) << shorter;
  }
  const std::string words = "x8K!p2q0 and much more ";
  std::string most;
  while (most.size() < kMaxPassword) most += words;
  most.resize(kMaxPassword);
  EXPECT_EQ(why(most), "");
  EXPECT_THAT(why(most + "x"), HasSubstr("1024 bytes"));
  EXPECT_NE(why(std::string(kMaxPassword, 'x')), "") << "long alone is not enough";
}

// Some of the 3,000 most common ones that are long enough, from the first to the last and rare kinds among them.
TEST(PasswordRules, ASVS_6_2_4_CommonOnesAreRefused) {
  for (const char* common : {"password", "12345678", "iloveyou", "trustno1", "jordan23", "michael1", "c3por2d2",
                             "5hsu75kpot", "ufhvjybz", "nbuhtyjr", "dkflbvbhjdyf", "badnaamhere"}) {
    EXPECT_THAT(why(common), HasSubstr("most common")) << common;
  }
  EXPECT_THAT(why("PassWord"), HasSubstr("most common")) << "also in other letters";
}

TEST(PasswordRules, WhatIsGuessedSoonIsRefused) {
  for (const char* easy : {"password2026", "aaaaaaaaaaaaaaaa", "abcdefghijklmnop", "qwertyuiop12", "P4ssw0rd!",
                           "shogishogishogi", "monkeymonkeymonkey"}) {
    EXPECT_NE(why(easy), "") << easy;
  }
  EXPECT_NE(why(std::string("password\0x8K!p2q0zzT", 20)), "") << "what is behind a NUL counts nothing";
}

TEST(PasswordRules, ASVS_6_2_11_NamesAreRefused) {
  EXPECT_THAT(why("x8K!aki:p2q0"), HasSubstr("the name that it is for"));
  EXPECT_THAT(why("x8K!AKI:p2q0"), HasSubstr("the name that it is for"));
  EXPECT_THAT(why("x8K!p2q0-Fuhyo"), HasSubstr("name of the server"));
  EXPECT_THAT(why("wednesday/x8K!p2q0"), HasSubstr("name of the server"));
  EXPECT_EQ(why("x8K!aki:p2q0", "bob"), "") << "it is another's";
  EXPECT_EQ(why("x8K!a:p2q0zz", "a"), "") << "that name is in everything";
  EXPECT_THAT(why("xkxkxkxk", "xk"), HasSubstr("easy to guess")) << "and yet worth nothing";
  EXPECT_EQ(why_no_password("x8K!p2q0", "", {}), std::nullopt);
}

}  // namespace
}  // namespace fuhyo::secrets
