// Argon2id: what is right, what is wrong, what is nonsense; and the thread that does it for others.
#include "server/secrets/password.h"

#include <chrono>
#include <ctime>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "server/secrets/password_hasher.h"
#include "tests/support/thread_work.h"

namespace fuhyo::secrets {
namespace {

using csa::Secret;
using test::thread_work;
using testing::StartsWith;
using Clock = std::chrono::steady_clock;

// "right" as another program encodes it (argon2 0~20171227, `printf right | argon2 saltsaltsaltsalt -id -k 19456 -t 2
// -p 1 -e`).
constexpr std::string_view kRight =
    "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$xXCIAYGJJYjnPtes1Egdv3okPAqnEvT4RItTSZ2clk4";
// The same with less work: `-k 8 -t 1`.
constexpr std::string_view kWeak =
    "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$/rlPheEuIOPjYHKhaPJaJGV9XBSrUYzuHgudziGWdAc";

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
  const auto encoded = hash_password(most);
  ASSERT_TRUE(encoded);
  EXPECT_TRUE(check_password(*encoded, most));
  EXPECT_FALSE(hash_password(most + "x"));
  EXPECT_FALSE(check_password(*encoded, most + "x"));
  EXPECT_FALSE(hash_password(""));
  const auto before = thread_work();
  EXPECT_FALSE(check_password(*encoded, std::string(1 << 20, 'x')));
  EXPECT_LT(thread_work() - before, std::chrono::milliseconds(20)) << "without being looked at";
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
  const auto before = thread_work();
  for (const char* dear : {"m=4194304,t=2", "m=19456,t=4000000000", "m=262145,t=1", "m=8,t=17"}) {
    EXPECT_FALSE(check_password(std::string("$argon2id$v=19$") + dear + ",p=1$c2FsdHNhbHRzYWx0c2FsdA$AAAA", "x"));
  }
  EXPECT_LT(thread_work() - before, std::chrono::milliseconds(50));
}

TEST(Password, NobodysCostsAsMuchAndFitsNothing) {
  const auto time = [](std::string_view encoded) {
    const auto before = thread_work();
    EXPECT_FALSE(check_password(encoded, "wrong"));
    return thread_work() - before;
  };
  time(kRight);
  EXPECT_FALSE(needs_rehash(nobodys_password()));
  EXPECT_GT(time(nobodys_password()) * 4, time(kRight)) << "it is not merely refused";
}

// ---- the hasher ----

struct Answers {
  std::promise<PasswordHasher::Result> promise;
  std::future<PasswordHasher::Result> future = promise.get_future();
  PasswordHasher::Callback callback() {
    return [this](PasswordHasher::Result result) { promise.set_value(std::move(result)); };
  }
};

PasswordHasher::Result ask(PasswordHasher& hasher, PasswordHasher::Job job) {
  Answers answers;
  if (!hasher.submit(std::move(job), answers.callback())) return {};
  return answers.future.get();
}

TEST(PasswordHasher, ChecksAndMakes) {
  PasswordHasher hasher;
  const auto right = ask(hasher, PasswordHasher::Check{std::string(kRight), Secret("right")});
  EXPECT_TRUE(right.ok);
  EXPECT_FALSE(ask(hasher, PasswordHasher::Check{std::string(kRight), Secret("wrong")}).ok);
  EXPECT_EQ(right.encoded, "") << "it stays as it is";
  const auto renewed = ask(hasher, PasswordHasher::Check{std::string(kWeak), Secret("right")});
  EXPECT_TRUE(renewed.ok);
  EXPECT_TRUE(check_password(renewed.encoded, "right"));
  EXPECT_FALSE(needs_rehash(renewed.encoded));
  EXPECT_EQ(ask(hasher, PasswordHasher::Check{std::string(kWeak), Secret("wrong")}).encoded, "");
  EXPECT_FALSE(ask(hasher, PasswordHasher::Check{"", Secret("right")}).ok) << "nobody has that name";
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
  const PasswordHasher::Job job = PasswordHasher::Check{std::string(kWeak), Secret("right")};
  ASSERT_TRUE(hasher.submit(job, [&](const PasswordHasher::Result&) {
    begun.set_value();
    may_go_on.get();
    ++answers;
  }));
  begun.get_future().get();  // from here on it is busy
  Answers last;
  EXPECT_TRUE(hasher.submit(job, [&](const PasswordHasher::Result&) { ++answers; }));
  EXPECT_TRUE(hasher.submit(job, last.callback()));
  EXPECT_EQ(hasher.waiting(), 2u);
  EXPECT_FALSE(hasher.submit(job, [&](const PasswordHasher::Result&) { ADD_FAILURE() << "it was refused"; }));
  go_on.set_value();
  EXPECT_TRUE(last.future.get().ok);
  EXPECT_EQ(answers, 2);
  EXPECT_TRUE(ask(hasher, job).ok) << "there is room again";
}

TEST(PasswordHasher, StopsAtOnceWithoutAnsweringWhatWaits) {
  PasswordHasher hasher({.queue = 64, .share_of_core = 0.001});  // a rest of a minute after the first
  Answers first;
  ASSERT_TRUE(hasher.submit(PasswordHasher::Check{std::string(kRight), Secret("right")}, first.callback()));
  first.future.get();
  for (int i = 0; i < 64; ++i) {
    EXPECT_TRUE(hasher.submit(PasswordHasher::Check{std::string(kRight), Secret("right")},
                              [](const PasswordHasher::Result&) { ADD_FAILURE() << "it was thrown away"; }));
  }
  const auto before = Clock::now();
  hasher.stop();
  EXPECT_LT(Clock::now() - before, std::chrono::seconds(10));
  EXPECT_FALSE(hasher.submit(PasswordHasher::Make{Secret("x")}, [](const PasswordHasher::Result&) {}));
  hasher.stop();
}

// Some tens of jobs: the rest after each is as long as its work was, in CPU time, so together twice as long at least.
TEST(PasswordHasher, TakesNoMoreThanItsShareOfACore) {
  PasswordHasher hasher({.queue = 64, .share_of_core = 0.25});
  ask(hasher, PasswordHasher::Check{std::string(kRight), Secret("wrong")});
  const auto cpu_s = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  const double cpu_before = cpu_s();
  const auto before = Clock::now();
  for (int i = 0; i < 4; ++i) ask(hasher, PasswordHasher::Check{std::string(kRight), Secret("wrong")});
  const std::chrono::duration<double> passed = Clock::now() - before;
  EXPECT_GT(passed.count(), 3 * (cpu_s() - cpu_before) * 0.9) << "four jobs, and a rest before each of them";
}

}  // namespace
}  // namespace fuhyo::secrets
