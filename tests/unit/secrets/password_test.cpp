// Passwords: Argon2id and the thread that does it for others; and which may be chosen: none of lists, rows of keys,
// names and short ones.
#include "server/secrets/password.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "server/secrets/password_hasher.h"
#include "server/secrets/password_rules.h"
#include "tests/support/thread_work.h"

namespace fuhyo::secrets {
namespace {

using Clock = std::chrono::steady_clock;
using csa::Secret;
using test::thread_work;
using testing::HasSubstr;
using testing::StartsWith;

// "right" as another program encodes it (argon2 0~20171227, `printf right | argon2 saltsaltsaltsalt -id -k 19456 -t 2
// -p 1 -e`).
constexpr std::string_view kRight =
    "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$xXCIAYGJJYjnPtes1Egdv3okPAqnEvT4RItTSZ2clk4";
// The same with less work, `-k 8 -t 1`, and with as much as is done for a stored hash and more.
constexpr std::string_view kWeak =
    "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$/rlPheEuIOPjYHKhaPJaJGV9XBSrUYzuHgudziGWdAc";

constexpr std::string_view kMostPasses =
    "$argon2id$v=19$m=8,t=16,p=1$Zz7NT9AFX7T47yZgUZkfLA$NhPn311FOeAoy+mfu3hHJEH3fEgP7QypP7On8TslMA0";
constexpr std::string_view kTooManyPasses =
    "$argon2id$v=19$m=8,t=17,p=1$1uR5NwcE7+EY3x98pKiNdQ$/xGv6lNBB6n+bwgnXguf9ITJOH1Wh3tinPISUBdb0MU";
constexpr std::string_view kMostMemory =
    "$argon2id$v=19$m=262144,t=1,p=1$+FnaoA1gmCgf6NCB/9EDEQ$QaeWmc6xgMdUjVTye3yXYSRcmWm0BFLVurUIYvtfjFI";
constexpr std::string_view kTooMuchMemory =
    "$argon2id$v=19$m=262145,t=1,p=1$y71ApfUwdMew1hvHqPxzpA$VwN6CqNy4bHAqccg96cjVzCDBc9q6rgbKj26QSWEDnE";
// 1024 and 1025 times "x".
constexpr std::string_view kLongest =
    "$argon2id$v=19$m=8,t=1,p=1$/ZYx8R/tjIku3uU2/9P6KQ$L2r5FDUcu8/dGh6rOYyM2K2wQfLQsNdbdDDmmopjdEw";
constexpr std::string_view kTooLong =
    "$argon2id$v=19$m=8,t=1,p=1$wbCR0VEv7aue72D3uKaZvA$3m62hR3syH19+vy3JHIfjuKrjauOHOUPjrBJRanSGjY";

TEST(Password, OnlyTheRightOneFits) {
  const auto encoded = hash_password("correct horse");
  ASSERT_TRUE(encoded);
  EXPECT_THAT(*encoded, StartsWith("$argon2id$v=19$m=19456,t=2,p=1$"));
  EXPECT_NE(*encoded, hash_password("correct horse")) << "each has a salt of its own";
  EXPECT_TRUE(check_password(*encoded, "correct horse"));
  for (const char* wrong : {"", "correct hors", "correct horse ", "Correct horse"}) {
    EXPECT_FALSE(check_password(*encoded, wrong)) << wrong;
  }
  EXPECT_FALSE(needs_rehash(*encoded));
}

TEST(Password, IsReadAsOtherProgramsWriteIt) {
  EXPECT_TRUE(check_password(kRight, "right"));
  EXPECT_FALSE(check_password(kRight, "wrong"));
  EXPECT_FALSE(needs_rehash(kRight));
  EXPECT_TRUE(check_password(kWeak, "right")) << "an older setting still opens";
  EXPECT_TRUE(needs_rehash(kWeak)) << "and is made anew";
}

TEST(Password, HasALimit) {
  const std::string most(kMaxPassword, 'x');
  EXPECT_TRUE(hash_password(most));
  EXPECT_FALSE(hash_password(most + "x"));
  EXPECT_FALSE(hash_password(""));
  EXPECT_TRUE(check_password(kLongest, most));
  EXPECT_FALSE(check_password(kTooLong, most + "x")) << "whose hash it is";
}

TEST(Password, BytesOfAnyKindAreItsOwn) {
  const std::string zeros("a\0b", 3);
  const auto encoded = hash_password(zeros);
  ASSERT_TRUE(encoded);
  EXPECT_TRUE(check_password(*encoded, zeros));
  EXPECT_FALSE(check_password(*encoded, "a"));
}

TEST(Password, AMalformedHashFitsNothing) {
  const std::string right(kRight);
  const std::vector<std::string> malformed = {
      "",
      "right",
      "$argon2id$",
      "$argon2id$v=19$",
      right + std::string(1, '\0'),
      right + std::string(1000, 'A'),
      "$argon2i" + right.substr(9),
      "$argon2id$v=18" + right.substr(14),
      "$argon2id$v=19$m=0,t=0,p=1$c2FsdHNhbHRzYWx0c2FsdA$AAAA",
      "$argon2id$v=19$m=19456,t=2,p=2$c2FsdHNhbHRzYWx0c2FsdA$AAAA",
      "$argon2id$v=19$m=-1,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$AAAA",
      "$argon2id$v=19$m=19456;t=2;p=1$c2FsdHNhbHRzYWx0c2FsdA$AAAA",
      "$argon2id$v=19$m=19456,t=2,p=1$****$****",
      "5f4dcc3b5aa765d61d8327deb882cf99",
  };
  for (const std::string& encoded : malformed) {
    EXPECT_FALSE(check_password(encoded, "right")) << encoded;
    EXPECT_TRUE(needs_rehash(encoded)) << encoded;
  }
  for (const std::string& close : {right.substr(0, right.size() - 1), right + "A", right.substr(0, right.size() - 4)}) {
    EXPECT_FALSE(check_password(close, "right")) << close;
  }
}

// A row that somebody else wrote must not make this program take all memory, or an hour.
TEST(Password, AStoredHashDoesNotChooseHowMuchWorkItCosts) {
  EXPECT_TRUE(check_password(kMostPasses, "right"));
  EXPECT_TRUE(check_password(kMostMemory, "right"));
  EXPECT_FALSE(check_password(kTooManyPasses, "right"));
  EXPECT_FALSE(check_password(kTooMuchMemory, "right"));
  EXPECT_FALSE(check_password("$argon2id$v=19$m=19456,t=4000000000,p=1$c2FsdHNhbHRzYWx0c2FsdA$AAAA", "x"));
}

TEST(Password, NobodysCostsAsMuchAndFitsNothing) {
  const auto least_work = [](std::string_view encoded) {
    auto least = std::chrono::nanoseconds::max();
    for (int i = 0; i < 3; ++i) {
      const auto before = thread_work();
      EXPECT_FALSE(check_password(encoded, "wrong"));
      least = std::min(least, thread_work() - before);
    }
    return least;
  };
  EXPECT_FALSE(needs_rehash(nobodys_password()));
  EXPECT_GT(least_work(nobodys_password()) * 4, least_work(kRight)) << "it is not merely refused";
}

// ---- the hasher ----

struct Answers {
  std::promise<PasswordHasher::Result> promise;
  std::future<PasswordHasher::Result> future = promise.get_future();
  PasswordHasher::Callback callback() {
    return [this](PasswordHasher::Result result) { promise.set_value(std::move(result)); };
  }
};

PasswordHasher::Job check(std::string_view encoded, const char* password) {
  return PasswordHasher::Check{std::string(encoded), Secret(password)};
}

PasswordHasher::Result ask(PasswordHasher& hasher, PasswordHasher::Job job) {
  Answers answers;
  if (!hasher.submit(std::move(job), answers.callback())) return {};
  return answers.future.get();
}

TEST(PasswordHasher, ChecksAndMakes) {
  PasswordHasher hasher;
  const auto right = ask(hasher, check(kRight, "right"));
  EXPECT_TRUE(right.ok);
  EXPECT_FALSE(ask(hasher, check(kRight, "wrong")).ok);
  EXPECT_EQ(right.encoded, "") << "it stays as it is";
  const auto renewed = ask(hasher, check(kWeak, "right"));
  EXPECT_TRUE(renewed.ok);
  EXPECT_TRUE(check_password(renewed.encoded, "right"));
  EXPECT_FALSE(needs_rehash(renewed.encoded));
  EXPECT_EQ(ask(hasher, check(kWeak, "wrong")).encoded, "");
  EXPECT_FALSE(ask(hasher, check("", "right")).ok) << "nobody has that name";
  const auto made = ask(hasher, PasswordHasher::Make{Secret("new one")});
  ASSERT_TRUE(made.ok);
  EXPECT_TRUE(check_password(made.encoded, "new one"));
  EXPECT_FALSE(ask(hasher, PasswordHasher::Make{Secret("")}).ok);
}

TEST(PasswordHasher, TheQueueHasALimit) {
  PasswordHasher hasher({.queue = 2, .share_of_core = 0.5});
  std::promise<void> begun, go_on;
  std::future<void> may_go_on = go_on.get_future();
  int answers = 0;
  const PasswordHasher::Job job = PasswordHasher::Make{Secret("new one")};
  ASSERT_TRUE(hasher.submit(job, [&](const PasswordHasher::Result&) {
    begun.set_value();
    may_go_on.get();
    ++answers;
  }));
  begun.get_future().get();  // from here on it is busy
  Answers last;
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(hasher.submit(job, [&](const PasswordHasher::Result&) { ++answers; }));
  EXPECT_EQ(hasher.waiting(), 2u);
  EXPECT_FALSE(hasher.submit(job, [&](const PasswordHasher::Result&) { ADD_FAILURE() << "it was refused"; }));
  EXPECT_TRUE(hasher.submit(check(kWeak, "right"), last.callback()))
      << "nobody is kept from logging in by those who choose passwords";
  go_on.set_value();
  EXPECT_TRUE(last.future.get().ok);
  EXPECT_EQ(answers, 3);
  EXPECT_TRUE(ask(hasher, job).ok) << "there is room again";
}

TEST(PasswordHasher, StopsAtOnceWithoutAnsweringWhatWaits) {
  PasswordHasher hasher({.queue = 64, .share_of_core = 1e-9});  // a rest of months after the first
  Answers first;
  ASSERT_TRUE(hasher.submit(check(kRight, "right"), first.callback()));
  first.future.get();
  for (int i = 0; i < 64; ++i) {
    EXPECT_TRUE(hasher.submit(check(kRight, "right"),
                              [](const PasswordHasher::Result&) { ADD_FAILURE() << "it was thrown away"; }));
  }
  hasher.stop();
  EXPECT_FALSE(hasher.submit(PasswordHasher::Make{Secret("x")}, [](const PasswordHasher::Result&) {}));
  hasher.stop();
}

// After each job a rest of three times its work, in CPU time.
TEST(PasswordHasher, TakesNoMoreThanItsShareOfACore) {
  PasswordHasher hasher({.queue = 64, .share_of_core = 0.25});
  const auto job = [&] { ask(hasher, check(kRight, "wrong")); };
  const auto cpu_s = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  const double cpu_before = cpu_s();
  const auto before = Clock::now();
  for (int i = 0; i < 3; ++i) job();
  const double worked_s = cpu_s() - cpu_before;
  job();
  const std::chrono::duration<double> passed = Clock::now() - before;
  EXPECT_GT(passed.count(), 3 * worked_s * 0.9) << "the rests before the last job; little of the work is this thread's";
}

// ---- which may be chosen ----

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

// Of the lists of both versions of zxcvbn that are packaged; from near the first to near the last in their order.
TEST(PasswordRules, ASVS_6_2_4_CommonOnesAreRefused) {
  for (const char* common : {"00000001", "12345678", "awesome123", "c3por2d2", "iloveyou", "jordan23", "michael1",
                             "nbuhtyjr", "password", "trustno1", "zz8807zpl"}) {
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
