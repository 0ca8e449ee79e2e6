// Games against the clock, in no time: members that are prompt, late, deaf to "movetime", silent or dying, by chance.
#include <gtest/gtest.h>
#include <random>

#include "tests/support/case_names.h"
#include "tests/unit/mix/simulation.h"

namespace fuhyo::mix {
namespace {

struct Control {
  const char* name;
  std::int64_t main_ms, byoyomi_ms, increment_ms;
  usi::TimeOptions options;
  std::int64_t latency_ms;  // of the way to the server, at worst
};

constexpr usi::TimeOptions exact(std::int64_t delay_ms) {
  return {
      .network_delay_ms = delay_ms, .network_delay2_ms = delay_ms, .minimum_thinking_ms = 1, .whole_seconds = false};
}

const std::vector<Control> kControls = {
    {"byoyomi 1 s", 0, 1'000, 0, {}, 490},
    {"byoyomi 3 s", 0, 3'000, 0, {}, 1'100},
    {"0.1 s a move", 0, 0, 100, exact(20), 19},
    {"2 s + 0.1 s", 2'000, 0, 100, exact(10), 9},
    {"20 s + 2 s", 20'000, 0, 2'000, {}, 1'100},
    {"sudden death, 20 s", 20'000, 0, 0, exact(20), 19},
    {"10 s and byoyomi 2 s", 10'000, 2'000, 0, {}, 990},
};

Script any_script(std::mt19937_64& random) {
  const auto one_in = [&](unsigned n) { return random() % n == 0; };
  Script script{.move = one_in(2) ? "7g7f" : "2g2f"};
  script.honours_movetime = !one_in(4);
  script.honours_searchmoves = !one_in(8);
  script.answers = !one_in(6);
  script.speaks = !one_in(6);
  script.delay = static_cast<std::int64_t>(random() % (one_in(5) ? 2'000 : 20));
  if (one_in(8)) script.dies_after = static_cast<std::int64_t>(random() % 1'500);
  if (one_in(8)) script.answer = "5e5d";
  return script;
}

void PrintTo(const Control& control, std::ostream* out) { *out << control.name; }

class Clocks : public ::testing::TestWithParam<Control> {};

TEST_P(Clocks, NoFlagFallsWhateverMembersDo) {
  const Control& control = GetParam();
  std::mt19937_64 random(1);
  for (int game = 0; game < 2; ++game) {
    Simulation simulation({Script{}, Script{}});
    std::int64_t main = control.main_ms;
    for (int ply = 0; ply < 120; ply += 2) {
      for (const auto& engine : simulation.engines) {
        engine->script = any_script(random);
        if (engine->member.state() == Member::State::off) engine->start(simulation.now), engine->pass(simulation.now);
        if (random() % 8 != 0) engine->pass(simulation.now);  // else it is not ready yet
      }
      const usi::GoLimits limits{.time_ms = {main, main},
                                 .inc_ms = {control.increment_ms, control.increment_ms},
                                 .byoyomi_ms = control.byoyomi_ms,
                                 .timed = true};
      VoteOptions vote = Simulation::options("startpos", limits);
      vote.plan = usi::TimePlan::make(limits, shogi::BLACK, ply, control.options);
      const std::int64_t most = vote.plan.maximum_ms();
      const VoteResult& result = simulation.decide(vote, most);
      ASSERT_TRUE(vote.game.current().is_legal(result.choice.move));
      ASSERT_LE(simulation.spent(), most) << "move " << ply << " of game " << game;
      const auto latency = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(control.latency_ms + 1));
      std::int64_t charged = simulation.spent() + latency;
      if (control.options.whole_seconds) charged = charged / 1'000 * 1'000;
      ASSERT_GT(main + control.increment_ms + control.byoyomi_ms, charged) << "the flag has fallen at move " << ply;
      main = std::max<std::int64_t>(main + control.increment_ms - charged, 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Clocks, ::testing::ValuesIn(kControls), test::NameOfCase());

}  // namespace
}  // namespace fuhyo::mix
