// Which move of a book is played. Pure, but for the random numbers that are handed in.
#pragma once

#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engines/book/book.h"

namespace fuhyo::book {

using Random = std::mt19937_64;

// By YaneuraOu's options of these names.
struct ChoiceRules {
  bool narrow = false;    // leave out what was played in less than a tenth of the games
  int eval_diff = 30;     // a move may be so much worse than the first one
  int eval_limit = 0;     // and not worse than this
  int depth_limit = 16;   // the first move must have been searched so deeply; 0: any depth
  bool by_count = false;  // moves are chosen as often as they were played; else all alike
};

struct Choice {
  std::optional<BookMove> move;
  std::vector<std::string> notes;  // for people: what was left out, and why
};

// Best first: by count, then by value; else the order stays.
void sort_by_merit(Entry& entry);

// `candidates`: legal, best first.
Choice choose(const Entry& candidates, const ChoiceRules& rules, Random& random);

}  // namespace fuhyo::book
