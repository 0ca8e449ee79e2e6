// What a move costs that is not the engines': an engine that answers at once plays itself, and what is left of the wall
// clock after its answers is the runner's (judging the move, repetition, clocks, writing the game).
//   bench_match_overhead ENGINE [GAMES [CONCURRENCY]]
// ENGINE: a USI engine that answers "go" at once (the tests' fake_engine does). Printed beside it: the same number of
// lines sent through the same kind of pipe and back with nothing done in between, which no runner can beat.
#include <cstdio>
#include <fmt/core.h>

#include "engines/match/match.h"
#include "tests/bench/measure.h"
#include "tests/support/temporary_folder.h"

namespace {

using namespace fuhyo;
using bench::Clock, bench::fail;

struct Cost {
  std::int64_t moves = 0;
  double wall_us = 0, answer_us = 0;  // a move: of each slot; of the engine, as its clock was charged
};

Cost play(const std::string& engine, std::int64_t games, int concurrency, const std::string& ledger) {
  const std::string seat = "'" + engine + "' good tc=byoyomi=600000 name=";
  match::MatchPlan plan{.engines = {*match::parse_contestant(seat + "a"), *match::parse_contestant(seat + "b")},
                        .schedule = {.rounds = games / 2},
                        .runner = {.concurrency = concurrency},
                        .ledger = ledger};
  auto match = match::Match::make(std::move(plan));
  if (!match || !match->resume()) fail("the match does not begin");
  Cost cost;
  const auto began = Clock::now();
  double spent = 0;
  match->run(
      [&](const match::PlayedGame& game) {
        for (const match::MoveData& data : game.moves) spent += static_cast<double>(data.spent_us);
        cost.moves += static_cast<std::int64_t>(game.moves.size());
      },
      {});
  cost.wall_us = 1e6 * bench::seconds_since(began) * concurrency / static_cast<double>(cost.moves);
  cost.answer_us = spent / static_cast<double>(cost.moves);
  return cost;
}

double ping_us(const std::string& engine, int times) {
  match::UsiPlayer player({.command = "'" + engine + "' good"}, "ping");
  if (!player.new_game({})) fail("the engine does not begin");
  const std::string line = "position startpos";
  const shogi::Position start;
  const auto began = Clock::now();
  for (int i = 0; i < times; ++i) {
    // The engine answers a position that it does not look at twice with different moves.
    const std::string asked = i % 2 == 0 ? line : line + " moves 2h3h 8b7b";
    if (!player.think({.line = asked, .position = start, .limits = {}, .patience_us = 600'000'000})) fail("no answer");
  }
  return 1e6 * bench::seconds_since(began) / times;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_match_overhead ENGINE [GAMES [CONCURRENCY]]\n");
    return 2;
  }
  const std::string engine = argv[1];
  const std::int64_t games = argc > 2 ? std::atoll(argv[2]) : 200;
  const int concurrency = argc > 3 ? std::atoi(argv[3]) : 2;
  const test::TemporaryFolder folder;
  const std::string ledger = folder.file("ledger");
  fmt::print("a question and its answer, nothing else: {:.1f} us\n", ping_us(engine, static_cast<int>(100 * games)));
  for (int slots = 1; slots <= concurrency; ++slots) {
    const Cost cost = play(engine, games, slots, ledger);
    std::remove(ledger.c_str());
    fmt::print("{} at a time: {} moves, {:.1f} us a move, {:.1f} of them the engine's answer: overhead {:.1f} us\n",
               slots, cost.moves, cost.wall_us, cost.answer_us, cost.wall_us - cost.answer_us);
  }
  return 0;
}
