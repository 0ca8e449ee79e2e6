// Compares engines/shogi with the oracle on random positions: moves, checks, mates, ends, repetition under both rule
// sets.
//   oracle_check [--positions N] [--seed S]     defaults: 100,000 and 1
// Exit code 1 at the first difference, which is printed with its position, or if the run met too little of something.

#include <charconv>
#include <fmt/core.h>

#include "tests/oracle/random_games.h"

namespace {

using fuhyo::oracle::Difference;
using fuhyo::oracle::Pair;
using fuhyo::oracle::Player;
using fuhyo::oracle::Tally;

constexpr int kMaxPlies = 250;

// One game, until it ends or `positions` have been compared.
Difference play_game(std::mt19937& random, std::uint64_t positions, Tally& tally) {
  Pair pair(fuhyo::oracle::random_start(random));
  Player player(random);
  for (int ply = 0; ply < kMaxPlies && tally.positions < positions; ++ply) {
    auto difference = pair.compare(tally, random);
    if (!difference && (pair.moves().empty() || pair.over())) return std::nullopt;
    const std::string sfen = pair.position().sfen();
    if (!difference) difference = pair.play(player.choose(pair), tally);
    if (difference) return sfen + "\ndiffers in " + *difference;
  }
  return std::nullopt;
}

// What a run of this length must have met.
bool met_everything(const Tally& t) {
  if (t.positions < 25'000) return true;  // too short to ask
  return t.checks > 0 && t.no_moves > 0 && t.pawn_drop_mates > 0 && t.declarations > 0 && t.draws > 0 &&
         t.perpetual_checks > 0 && t.server_draws > 0 && t.server_perpetual_checks > 0;
}

void print(const Tally& t, std::uint64_t games) {
  fmt::print(
      "{} positions of {} games agree: {} moves, {} checks, {} without a move, {} drop-pawn mates, {} declarations,\n"
      "{} draws and {} perpetual checks by repetition; by shogi-server's way {} and {}\n",
      t.positions, games, t.moves, t.checks, t.no_moves, t.pawn_drop_mates, t.declarations, t.draws, t.perpetual_checks,
      t.server_draws, t.server_perpetual_checks);
}

bool parse(std::string_view text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t positions = 100'000, seed = 1;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    std::uint64_t* value = name == "--positions" ? &positions : name == "--seed" ? &seed : nullptr;
    if (value == nullptr || i + 1 == argc || !parse(argv[i + 1], *value)) {
      fmt::print(stderr, "usage: oracle_check [--positions N] [--seed S]\n");
      return 2;
    }
  }
  Tally tally;
  std::uint64_t games = 0;
  for (; tally.positions < positions; ++games) {
    std::mt19937 random(static_cast<std::uint32_t>(seed * 1'000'003 + games));
    if (const Difference difference = play_game(random, positions, tally)) {
      fmt::print("seed {}, game {}: {}\n", seed, games, *difference);
      return 1;
    }
  }
  print(tally, games);
  if (met_everything(tally)) return 0;
  fmt::print("the run met too little\n");
  return 1;
}
