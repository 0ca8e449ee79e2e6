// The commentator that is built in: what it says of a turn is made of words that are always true of it. Pure; any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "server/core/commentary/turn.h"

namespace fuhyo::core {

// A few sentences, never none; at most kLongestWords bytes each, and names are raw bytes in them.
Words words_of(const Turn& turn);
constexpr std::size_t kLongestWords = 1'000;

struct Told {
  std::int32_t ply = 0;
  Words words;
  bool operator==(const Told&) const = default;
};
// Of each turn that turns_of() knows.
std::vector<Told> commentary_of(const GameStory& game, bool comments, std::size_t ply = 0);
// Puts what has been said of the same plies in place of it, the last words and in the languages that they have.
void say_instead(std::vector<Told>& told, const std::vector<Told>& said);

}  // namespace fuhyo::core
