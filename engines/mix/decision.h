// The rules of a vote: which of several moves is played, as functions of the members' opinions. Pure; any thread.
// MIX.md has them in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engines/members/value.h"
#include "engines/shogi/types.h"

namespace fuhyo::mix {

using members::Value;

struct MoveValue {
  shogi::Move move;
  Value value;
  bool operator==(const MoveValue&) const = default;
};

// The opinion of one member.
struct Opinion {
  double weight = 1;
  shogi::Move move{};               // what it would play; no move: it did not say
  std::vector<MoveValue> values{};  // of this and of other moves, as far as known, each move once

  const Value* value_of(shogi::Move wanted) const;
};

enum class Reason : std::uint8_t {
  only,        // there is no other move
  mate,        // a member, or the short search of our own, has proven that it wins
  agreed,      // all say the same
  alone,       // one member said a move, the others nothing
  veto,        // all the others were proven lost
  values,      // the highest mean, each member having valued every move
  own_values,  // the highest value by the member that chose it, without cross-examination
  last_line,   // no member answered: the last line of one of them
  fallback,    // no member said anything: a legal move
};
std::string_view to_text(Reason reason);

struct Choice {
  shogi::Move move{};
  Reason reason = Reason::fallback;
  std::optional<Value> value{};
};

// The share of the first member, of 1, which the others share alike: from `start_percent` up to ply 40 to
// `end_percent` from ply 120 on.
double first_weight(int start_percent, int end_percent, int ply);

// The different moves that members would play, in the order of members.
std::vector<shogi::Move> candidates(std::span<const Opinion> opinions);

// A decision that needs no cross-examination: a mate, the same move of all, only one move. Nothing if members differ,
// or none has a move.
std::optional<Choice> decide_at_once(std::span<const Opinion> opinions);

// Among the candidates, of which there must be one. `refuted`: moves that are known to allow a mate.
Choice decide(std::span<const Opinion> opinions, std::span<const shogi::Move> refuted);

// The weighted mean of the members that value the move; a proof of any of them is the result. Nothing if none values
// it.
std::optional<Value> mean_value(std::span<const Opinion> opinions, shogi::Move move);

}  // namespace fuhyo::mix
