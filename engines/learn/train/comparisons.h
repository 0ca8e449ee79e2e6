// Moves that strong players chose, each beside others that they could have made: a network learns to find the position
// after the first one better (comparison training: Tesauro 1989; for shogi, Hoki 2006). Only what a static value can
// tell: the side to move is not in check, and neither the move nor those beside it capture, promote or lose material
// where they go. Immutable once made; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "engines/learn/data/line_tree.h"
#include "engines/learn/setting.h"
#include "engines/learn/train/sample.h"
#include "engines/match/tune/random.h"

namespace fuhyo::learn {

constexpr std::size_t kMostChoices = 256;

struct ComparisonOptions {
  std::string lines;            // file of lines, every move of which is a strong one; empty: no comparisons
  std::size_t each_step = 256;  // comparisons beside a batch of positions
  std::size_t choices = 16;     // moves of a comparison, the strong one among them: a power of two from 2 to 256
  double weight = 0.1;          // of the comparisons' mean loss beside that of the positions
  double temperature = 100;     // values so far apart are exp(1) times as probable
  int first_ply = 8, last_ply = 60;
  bool operator==(const ComparisonOptions&) const = default;

  bool any() const { return !lines.empty(); }
};
// Without the file.
template <class A>
void fields(A& a, ComparisonOptions& options) {
  a(options.each_step, {"comparisons", "Of them beside each batch (256)", 1, 1 << 20, {}, "each_step"});
  a(options.choices, {"choices", "Moves of a comparison, a power of two (16)", 2, kMostChoices});
  a(options.weight, {"comparison_weight", "Of their loss beside that of positions (0.1)", 0, 1e6, {}, "weight"});
  a(options.temperature, {"temperature", "Values so far apart are exp(1) times as probable (100)", 1, 1e6});
  a(options.first_ply, {"strong_first_ply", "Moves of these plies on (8)", 1, 1'000, {}, "first_ply"});
  const double first = A::kReads ? options.first_ply : 1;
  a(options.last_ply, {"strong_last_ply", "... to these (60)", first, 1'000, {}, "last_ply"});
}

class Comparisons {
 public:
  Comparisons() = default;
  // An error: a file that cannot be read or has nothing to compare, a number of choices that is none.
  static std::expected<Comparisons, std::string> read(const ComparisonOptions& options);
  static std::expected<Comparisons, std::string> make(const ComparisonOptions& options, LineTree lines);

  // Positions after ComparisonOptions::choices different moves of one position, the strong move first, the others at
  // random. The same random numbers give the same ones.
  std::vector<Sample> draw(match::tune::Random& random) const { return draw(random, false); }
  // ... of those that are held back, one of 64.
  std::vector<Sample> draw_held_back(match::tune::Random& random) const { return draw(random, true); }

  std::uint64_t moves() const { return lines_.size(); }
  const std::string& remark() const { return lines_.remark(); }

 private:
  Comparisons(const ComparisonOptions& options, LineTree lines) : options_(options), lines_(std::move(lines)) {}
  std::vector<Sample> draw(match::tune::Random& random, bool held_back) const;
  std::vector<Sample> compare(const shogi::Position& position, shogi::Move strong, match::tune::Random& random) const;

  ComparisonOptions options_;
  LineTree lines_;
};

}  // namespace fuhyo::learn
