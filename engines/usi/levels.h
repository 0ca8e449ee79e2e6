// Strength levels limit the strength of an engine. Level 1 is a beginner, level 30 the strongest; 0 is full strength. A
// level searches a fixed number of nodes, so that it is equally strong on every machine. Then it plays one of the best
// lines at random, the better ones more often: softmax over their scores.
// How strong the levels are, and how that was measured: LEVELS.md. Pure functions of their arguments; any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engines/shogi/position.h"
#include "engines/usi/engine.h"
#include "engines/usi/options.h"
#include "engines/usi/values.h"

namespace fuhyo::usi {

struct Level {
  std::int64_t nodes;  // to think for; the first iteration is finished in any case
  int lines;           // to choose from (MultiPV)
  // A line that is worse than the best one by so many centipawns, near equality, is played e times less often.
  double temperature;
};

constexpr int kHighestLevel = 30;
// `number`: 1 to kHighestLevel.
const Level& level(int number);

// Declares "Level" (0, the default: full strength), and "LevelSeed": 0 chooses differently in every game; any other
// number makes the choices repeatable.
void add_level_options(OptionTable& table);
// 0, or the level that these limits are to be played at. An analysis ("go infinite") has none.
int level_of(const OptionTable& table, const GoLimits& limits);
// The seed of a game's choices. `fresh`: a random number, used if LevelSeed is 0.
std::uint64_t level_seed(const OptionTable& table, std::uint64_t fresh);

// What every level sees without a search: a mate in one, and the moves that allow none.
struct SafeMoves {
  shogi::Move mate;                // a move that mates at once, or no move
  std::vector<shogi::Move> moves;  // those that do not allow a mate in one; all of them, if there is no other
};
// `moves`: legal in the position.
SafeMoves find_safe_moves(const shogi::Position& position, std::span<const shogi::Move> moves);

// The probability of each line to be played, in order; the sum is 1. Differences count less the farther the scores are
// from equality. A mate counts as some 20 pawns.
std::vector<double> chances(std::span<const Score> scores, double temperature);
// The index of the line that `random`, from [0, 1), chooses. `scores` must not be empty.
std::size_t choose(std::span<const Score> scores, double temperature, double random);

// A move at a level, for any engine with MultiPV: what to search, what to report, what to play.
class LevelMove {
 public:
  using Report = std::function<void(const Info&)>;

  // `wanted_lines`: that the GUI asked for (MultiPV). `moves`: to choose from, legal, not empty.
  LevelMove(const Level& level, int wanted_lines, const shogi::Position& position, std::span<const shogi::Move> moves);

  const std::vector<shogi::Move>& moves() const { return moves_; }
  int lines() const { return std::max(level_.lines, wanted_lines_); }
  GoLimits limits(GoLimits given) const;
  // Reports the lines that the GUI asked for.
  void tell(Info info, const Report& report) const;
  // Chooses the move after the search. Reports its line last, so that the GUI shows the line and score of the move
  // played.
  SearchResult choose(SearchResult found, double random, const Report& report) const;

 private:
  Level level_;
  int wanted_lines_;
  std::vector<shogi::Move> moves_;
};

}  // namespace fuhyo::usi
