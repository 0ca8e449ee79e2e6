// Secrets: seen only where they are asked for, wiped when they go.
#include "server/csa/secret.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <ostream>
#include <utility>

namespace fuhyo::csa {
namespace {

template <class T>
concept Streams = requires(std::ostream& out, const T& value) { out << value; };
static_assert(Streams<std::string> && !Streams<Secret>);
static_assert(fmt::is_formattable<std::string>::value && !fmt::is_formattable<Secret>::value);
static_assert(!std::is_convertible_v<Secret, std::string> && !std::is_convertible_v<Secret, std::string_view>);
static_assert(!std::is_convertible_v<std::string, Secret>);

TEST(Secret, IsSeenOnlyByReveal) {
  const Secret secret("foo-300-10,trip");
  EXPECT_EQ(secret.reveal(), "foo-300-10,trip");
  EXPECT_EQ(secret.size(), 15u);
  EXPECT_TRUE(Secret().empty());
}

TEST(Secret, LeavesNothingWhereItWasMovedFrom) {
  Secret from("short");  // kept inside of the object
  Secret to(std::move(from));
  EXPECT_TRUE(from.empty());  // NOLINT: what a move leaves is the promise
  EXPECT_EQ(to.reveal(), "short");
  Secret again;
  again = std::move(to);
  EXPECT_TRUE(to.empty());  // NOLINT
  again = Secret("another one, longer than what fits into a small string");
  EXPECT_EQ(again.reveal(), "another one, longer than what fits into a small string");
}

// A place of our own shows what is left of an object after its end.
TEST(Secret, WipesItsMemoryAtItsEnd) {
  alignas(Secret) unsigned char place[sizeof(Secret)];
  auto* secret = new (place) Secret("hunter2");
  const auto holds = [&] {
    return std::string_view(reinterpret_cast<char*>(place), sizeof place).find("hunter2") != std::string_view::npos;
  };
  ASSERT_TRUE(holds());
  secret->~Secret();
  EXPECT_FALSE(holds());
}

TEST(Secret, ComparisonIsOfContent) {
  EXPECT_TRUE(same("abc", "abc"));
  EXPECT_FALSE(same("abc", "abd"));
  EXPECT_FALSE(same("abc", "ab"));
  EXPECT_TRUE(same("", ""));
}

}  // namespace
}  // namespace fuhyo::csa
