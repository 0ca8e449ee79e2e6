// The value of a move on the scale of all members: a win rate, or a proof. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "engines/usi/values.h"

namespace fuhyo::members {

struct Value {
  enum class Kind : std::uint8_t { estimate, win, loss };  // win, loss: proven for the side to move
  Kind kind = Kind::estimate;
  double chance = 0.5;  // to win, draws counted to both sides; 1 and 0 of what is proven
  int plies = 0;        // to the mate; 0 if not known
  bool operator==(const Value&) const = default;
};

// `scale`: the centipawns at which a member wins e games for every one that it loses; not used where the line has
// "wdl". Nothing if the line has no score, or a bound of a mate that proves nothing.
std::optional<Value> value_of(const usi::Info& info, double scale);

// The value of the move before, for its side: the same, seen from the opponent.
Value before_move(const Value& value);

// The score for a GUI. wdl_of() of its centipawns gives back the win rate.
usi::Score score_of(const Value& value);

// Whether a proven mate comes sooner than another one; a length that is not known is the longest.
bool sooner(const Value& a, const Value& b);

}  // namespace fuhyo::members
