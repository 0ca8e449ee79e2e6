// The cache of evaluations: bounded, exact, and never another position's.
#include "engines/mcts/tree/evaluation_cache.h"

#include <gtest/gtest.h>

namespace fuhyo::mcts {
namespace {

std::vector<LabelledMove> moves_of(std::uint64_t key) {
  std::vector<LabelledMove> moves;
  for (std::uint16_t i = 0; i < 1 + key % 37; ++i) {
    moves.push_back({.move = i, .label = static_cast<std::uint16_t>((key * 7 + i * 5U) % 200)});
  }
  return moves;
}

std::vector<float> logits_of(std::uint64_t key) {
  std::vector<float> logits(200);
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = static_cast<float>(key) / 3 + static_cast<float>(i) / 7;
  return logits;
}

// How many of the last `count` keys are there; what is found is right.
std::size_t found(const EvaluationCache& cache, std::uint64_t last, std::uint64_t count) {
  std::size_t hits = 0;
  for (std::uint64_t key = last - count + 1; key <= last; ++key) {
    std::vector<float> logits(200, -1);
    const auto value = cache.find(key, logits);
    if (!value) continue;
    ++hits;
    EXPECT_EQ(*value, static_cast<float>(key) / 9);
    for (const LabelledMove& move : moves_of(key)) EXPECT_EQ(logits[move.label], logits_of(key)[move.label]) << key;
  }
  return hits;
}

TEST(EvaluationCache, KeepsTheNewestWithinItsBytes) {
  for (const std::size_t bytes : {std::size_t{4'000}, std::size_t{100'000}}) {
    EvaluationCache cache(bytes);
    EXPECT_LE(cache.bytes(), bytes);
    for (std::uint64_t key = 1; key <= 5'000; ++key) {
      cache.store(key, moves_of(key), logits_of(key), static_cast<float>(key) / 9);
      ASSERT_EQ(found(cache, key, 1), 1U) << key;
    }
    EXPECT_LE(cache.bytes(), bytes);
    const std::size_t hits = found(cache, 5'000, 5'000);
    EXPECT_GE(hits, bytes / 600);  // a slot is for 256 bytes or more
    EXPECT_LE(hits, bytes / 20);
    EXPECT_EQ(found(cache, 1'000, 1'000), 0U);
  }
}

TEST(EvaluationCache, WithoutRoomKeepsNothing) {
  for (const std::size_t bytes : {0U, 1U, 70U}) {
    EvaluationCache cache(bytes);
    EXPECT_LE(cache.bytes(), std::max<std::size_t>(bytes, 64));
    cache.store(5, moves_of(5), logits_of(5), 0.5F);
    EXPECT_EQ(found(cache, 5, 5), 0U);
  }
}

}  // namespace
}  // namespace fuhyo::mcts
