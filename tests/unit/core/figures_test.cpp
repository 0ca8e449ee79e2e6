// Histograms of delays and waits.
#include "server/core/figures.h"

#include <gtest/gtest.h>
#include <set>
#include <string_view>

namespace fuhyo::core {
namespace {

TEST(Histogram, CountsUpToAndWithEachBound) {
  static constexpr std::int64_t kBounds[] = {10, 100};
  Histogram histogram(kBounds);
  EXPECT_EQ(histogram.count(), 0U);
  for (const std::int64_t us : {-5, 10, 11, 100, 101, 1'000'000}) histogram.add(us);
  EXPECT_EQ(histogram.upto(0), 2U) << "what is less than 0, and the bound itself";
  EXPECT_EQ(histogram.upto(1), 4U);
  EXPECT_EQ(histogram.upto(2), 6U);
  EXPECT_EQ(histogram.count(), 6U);
  EXPECT_EQ(histogram.sum_us(), 10 + 11 + 100 + 101 + 1'000'000);
}

TEST(Histogram, BoundsAscendAndFit) {
  for (const auto bounds : {Histogram::delays_us(), Histogram::waits_us()}) {
    EXPECT_LE(bounds.size(), Histogram::kMostBounds);
    for (std::size_t i = 1; i < bounds.size(); ++i) EXPECT_LT(bounds[i - 1], bounds[i]);
  }
}

// Labels of a family must differ, and be words.
template <class Word>
void expect_words(std::size_t count) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view word = to_string(static_cast<Word>(i));
    EXPECT_TRUE(seen.insert(word).second) << word;
    EXPECT_EQ(word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), word.npos) << word;
  }
}

TEST(Figures, HaveAWordForEachCause) {
  expect_words<Refusal>(kRefusals);
  expect_words<PairedBy>(kPairedBy);
  expect_words<SessionState>(kSessionStates);
  EXPECT_EQ(to_string(Refusal::crowded), "crowded");
  EXPECT_EQ(to_string(Refusal::bad_line), "bad_line");
  EXPECT_EQ(to_string(PairedBy::restart), "restart");
  EXPECT_EQ(to_string(SessionState::leaving), "leaving");
}

}  // namespace
}  // namespace fuhyo::core
