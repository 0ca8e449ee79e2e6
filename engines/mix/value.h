// What members say of a move, on one scale: a chance to win, or a proof. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "engines/usi/values.h"

namespace fuhyo::mix {

struct Value {
  enum class Kind : std::uint8_t { estimate, win, loss };  // win, loss: proven for the side to move
  Kind kind = Kind::estimate;
  double chance = 0.5;  // to win, draws counted to both sides; 1 and 0 of what is proven
  int plies = 0;        // to the mate; 0 if not known
  bool operator==(const Value&) const = default;
};

// `scale`: the centipawns at which a member wins e games for every one that it loses; not asked where the line has its
// chances ("wdl"). Nothing if the line says no value, or bounds a mate from the side that proves nothing.
std::optional<Value> value_of(const usi::Info& info, double scale);

// The same for the side that moves before the one that it was said for.
Value before_move(const Value& value);

// What a GUI is told. The centipawns are those whose wdl_of() is the chance.
usi::Score score_of(const Value& value);

// Whether a proven mate comes sooner than another one; a length that is not known is the longest.
bool sooner(const Value& a, const Value& b);

}  // namespace fuhyo::mix
