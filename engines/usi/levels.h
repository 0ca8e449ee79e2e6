// Strength levels: how an engine plays weaker than it can, and always equally weak. Level 1 is a beginner, level 30 the
// strongest; 0 means no level at all. A level thinks for a fixed number of nodes, so that it is the same player on
// every machine, and then plays one of the best lines by chance, the better ones more often: softmax over their scores.
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
  // A line that is this much worse than the best one, in centipawns near equality, is played e times less often.
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
// What to seed the choices of a game with; `fresh` is a number from the machine's own source.
std::uint64_t level_seed(const OptionTable& table, std::uint64_t fresh);

// What is certain about moves without any search, and no level gets wrong.
struct Sifted {
  shogi::Move mate;                // a move that mates at once, or no move
  std::vector<shogi::Move> moves;  // those that do not allow a mate in one; all of them, if there is no other
};
// `moves`: legal in the position.
Sifted sift(const shogi::Position& position, std::span<const shogi::Move> moves);

// How likely each of these lines is to be played, in order; the sum is 1. Scores count less the farther they are from
// equality: nobody is careful about the third rook, and a mate is worth some 20 pawns to who may overlook it.
std::vector<double> chances(std::span<const Score> scores, double temperature);
// The line that a random number of [0, 1) chooses. `scores` must not be empty.
std::size_t choose(std::span<const Score> scores, double temperature, double random);

// A move at a level, for any engine that searches several lines: what to search, what to tell of it, what to play.
class LevelMove {
 public:
  using Report = std::function<void(const Info&)>;

  // `wanted_lines`: that the GUI asked for (MultiPV). `moves`: to choose from, legal, not empty.
  LevelMove(const Level& level, int wanted_lines, const shogi::Position& position, std::span<const shogi::Move> moves);

  const std::vector<shogi::Move>& moves() const { return moves_; }
  int lines() const { return std::max(level_.lines, wanted_lines_); }
  GoLimits limits(GoLimits given) const;
  // Passes on what the search says of the lines that were asked for.
  void tell(Info info, const Report& report) const;
  // What to play after that search; told last, so that the GUI shows the line and the score of what is played.
  SearchResult choose(SearchResult found, double random, const Report& report) const;

 private:
  Level level_;
  int wanted_lines_;
  std::vector<shogi::Move> moves_;
};

}  // namespace fuhyo::usi
