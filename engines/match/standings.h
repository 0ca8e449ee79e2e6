// The results of a match so far. The result of a game that is a copy of an earlier one (game_hash) does not count, its
// faults do. Pure; one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engines/match/game.h"
#include "engines/match/schedule.h"
#include "engines/match/statistics/counts.h"

namespace fuhyo::match {

// All games of one engine.
struct EngineRecord {
  GameCounts counts;  // without copies, as all results below
  std::array<GameCounts, 2> by_color{};
  std::int64_t crashes = 0, hangs = 0, illegal_moves = 0, false_declarations = 0, time_losses = 0;
  std::int64_t moves = 0, spent_us = 0;
  std::int64_t told_depths = 0, depths = 0;  // moves with a depth, and the sum of these
  std::int64_t told_nodes = 0, nodes = 0, nodes_us = 0;
  std::int64_t worst_over_us = INT64_MIN;  // the most time over the clock (positive) or nearest to it

  std::int64_t faults() const { return crashes + hangs + illegal_moves + false_declarations + time_losses; }
};

// The games of two engines, seen from the one with the lower number.
struct Meeting {
  GameCounts games;
  PairCounts pairs;                      // of encounters with two finished games that are in no other pair
  std::array<GameCounts, 2> by_color{};  // games in which the lower number was Black, White
};

class Standings {
 public:
  explicit Standings(const Schedule& schedule);

  // Adds a game of the schedule; once.
  void add(const PlayedGame& game);

  std::int64_t games() const { return games_; }
  std::int64_t draws() const { return draws_; }
  std::int64_t black_wins() const { return black_wins_; }
  std::int64_t plies() const { return plies_; }
  // Games that are copies of earlier ones; and the length of the current series of copies.
  std::int64_t repeats() const { return repeats_; }
  std::int64_t repeats_in_row() const { return repeats_in_row_; }
  const std::vector<EngineRecord>& engines() const { return engines_; }
  const std::map<std::pair<int, int>, Meeting>& meetings() const { return meetings_; }
  const std::map<Ending, std::int64_t>& endings() const { return endings_; }
  // The current series of games in which the engine failed before its first move.
  int failed_starts(int engine) const { return failed_starts_[static_cast<std::size_t>(engine)]; }

 private:
  void add_moves(const PlayedGame& game, shogi::Color color);
  void add_result(const PlayedGame& game);
  void add_to_pair(const PlayedGame& game, std::uint64_t hash);
  void add_fault(const PlayedGame& game);

  Schedule schedule_;
  std::int64_t games_ = 0, draws_ = 0, black_wins_ = 0, plies_ = 0, repeats_ = 0, repeats_in_row_ = 0;
  std::vector<EngineRecord> engines_;
  std::vector<int> failed_starts_;
  std::map<std::pair<int, int>, Meeting> meetings_;
  struct Half {
    int half_points;  // of the lower number
    std::uint64_t hash;
  };
  std::map<std::int64_t, Half> halves_;  // encounter -> the first of its games that is over
  std::map<Ending, std::int64_t> endings_;
  std::set<std::uint64_t> hashes_, paired_;  // of all games; of those that stand in a pair
};

}  // namespace fuhyo::match
