// The simulator over fifty seeds, and the proof that each of its checks notices what it is for.
#include <gtest/gtest.h>

#include "tests/sim/world.h"
#include "tests/support/sanitized.h"

namespace fuhyo::sim {
namespace {

constexpr std::uint64_t kSeeds = 50, kSeedsPerCase = 5;

std::string told(const Report& report) {
  std::string text = "seed " + std::to_string(report.seed) + ":";
  for (const Violation& v : report.violations) text += "\n  " + std::string(to_string(v.check)) + ": " + v.text;
  return text;
}

class Seeds : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Seeds, KeepEveryPromise) {
  std::uint64_t moves = 0;
  for (std::uint64_t seed = GetParam(); seed < GetParam() + kSeedsPerCase; ++seed) {
    const Report report = run(draw_scenario(seed));
    EXPECT_TRUE(report.violations.empty()) << told(report) << "\nsee it with: fuhyo_sim --trace --seed " << seed;
    moves += report.moves;
  }
  EXPECT_GT(moves, 100u);
}
INSTANTIATE_TEST_SUITE_P(Fifty, Seeds, testing::Range<std::uint64_t>(1, 1 + kSeeds, kSeedsPerCase));

// Two players who know their line of play, with five seconds each for the whole game; every commit takes seconds.
TEST(SlowStore, IsChargedToNobody) {
  Scenario scenario;
  scenario.seed = 1;
  scenario.honest = 2;
  scenario.games_each = 3;
  scenario.games = {"drawn-5-0"};
  scenario.pace_us = kMillisecond;
  scenario.last_moment = 0;
  scenario.network.latency_us = 50;
  scenario.store = {.commit_us = kMillisecond, .slow = 1, .slow_us = 10 * kSecond};
  scenario.span_us = 3600 * kSecond;
  const Report report = run(scenario);
  EXPECT_TRUE(report.violations.empty()) << told(report);
  EXPECT_EQ(report.marks.count("end_sennichite"), 3u);
  EXPECT_EQ(report.marks.count("end_time_up"), 0u);
  EXPECT_GT(report.marks.count("presend_in_slow_commit"), 0u);
}

// A simulator that no longer reaches the rare branches finds nothing, and says so by passing.
TEST(Marks, AreReached) {
  if (test::kSanitized) GTEST_SKIP() << "what seeds reach is the same in every build";
  Marks marks;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) marks.add(run(draw_scenario(seed)).marks);
  // What takes a line of play to the end, which few seeds do: on their own, and without crashes.
  for (const char* name : {"perpetual-60-5", "pawnmate-60-5", "declared-60-5"}) {
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
      Scenario scenario = draw_scenario(seed);
      scenario.games = {name};
      scenario.crash = 0;
      scenario.crash_every_us = 0;
      scenario.max_moves = 256;
      marks.add(run(scenario).marks);
    }
  }
  for (std::size_t i = 0; i < kMarks.size(); ++i) {
    const bool rare = kMarks[i] == "end_kachi" || kMarks[i] == "end_illegal_kachi";  // one in hundreds of seeds
    EXPECT_TRUE(rare || marks.counts()[i] > 0) << kMarks[i];
  }
}

TEST(Digest, IsTheSameForTheSameSeed) {
  for (const std::uint64_t seed : {3u, 11u, 12u}) {
    EXPECT_EQ(run(draw_scenario(seed)).digest, run(draw_scenario(seed)).digest) << "seed " << seed;
  }
}

TEST(Digest, DiffersBetweenSeeds) { EXPECT_NE(run(draw_scenario(1)).digest, run(draw_scenario(2)).digest); }

TEST(Digest, NoticesWhatIsNotTheSeeds) {
  const Scenario scenario = draw_scenario(3, Plant::entropy);
  EXPECT_NE(run(scenario).digest, run(scenario).digest);
}

struct Planted {
  Plant plant;
  Check check;  // that must notice
};
void PrintTo(const Planted& planted, std::ostream* out) { *out << to_string(planted.plant); }

class Plants : public testing::TestWithParam<Planted> {};

// Not every seed gives the fault an occasion; some do early.
TEST_P(Plants, AreCaught) {
  if (test::kSanitized) GTEST_SKIP() << "what is noticed is the same in every build";
  constexpr std::uint64_t kMost = 30;
  for (std::uint64_t seed = 1; seed <= kMost; ++seed) {
    if (run(draw_scenario(seed, GetParam().plant)).violates(GetParam().check)) return;
  }
  FAIL() << to_string(GetParam().plant) << " went by " << to_string(GetParam().check);
}
INSTANTIATE_TEST_SUITE_P(
    Each, Plants,
    testing::Values(Planted{Plant::gate_open, Check::gate}, Planted{Plant::ack_early, Check::gate},
                    Planted{Plant::drop_row, Check::one_order}, Planted{Plant::swap_rows, Check::one_order},
                    Planted{Plant::phantom_row, Check::phantom}, Planted{Plant::lose_tail, Check::lost_move},
                    Planted{Plant::tear_step, Check::whole_step}, Planted{Plant::skip_seq, Check::sequence},
                    Planted{Plant::garble_payload, Check::codec}, Planted{Plant::forget_game, Check::deadline},
                    Planted{Plant::forget_stamp, Check::sequence}, Planted{Plant::wrong_board, Check::verdict},
                    Planted{Plant::swallow_line, Check::told}, Planted{Plant::forget_logout, Check::told},
                    Planted{Plant::forget_drained, Check::drain}, Planted{Plant::duplicate_result, Check::one_result},
                    Planted{Plant::flip_outcome, Check::one_result}, Planted{Plant::charge_commit, Check::clock},
                    Planted{Plant::remaining_wrong, Check::clock}, Planted{Plant::echo_wrong_time, Check::echo},
                    Planted{Plant::accept_illegal, Check::legality}, Planted{Plant::wrong_verdict, Check::verdict},
                    Planted{Plant::keep_old_session, Check::sessions}, Planted{Plant::forget_timer, Check::deadline},
                    Planted{Plant::flag_early, Check::flag}, Planted{Plant::overtake, Check::one_order},
                    Planted{Plant::clock_in_pause, Check::clock}, Planted{Plant::corrupt_honest, Check::honest},
                    Planted{Plant::charge_stall, Check::clock}, Planted{Plant::rest_wrong, Check::clock},
                    Planted{Plant::swallow_start, Check::told}, Planted{Plant::tell_secret, Check::secret},
                    Planted{Plant::no_limit, Check::limits}, Planted{Plant::stale_rate, Check::ratings},
                    Planted{Plant::leak_session, Check::leak}, Planted{Plant::any_secret, Check::owner},
                    Planted{Plant::open_doors, Check::owner}, Planted{Plant::show_early, Check::late}),
    [](const auto& planted) { return std::string(to_string(planted.param.plant)); });

TEST(Plants, AllAreTried) {
  // Every plant but none and entropy has its line above; entropy has a test of its own.
  EXPECT_EQ(kPlants, 38u + 2u);
}

}  // namespace
}  // namespace fuhyo::sim
