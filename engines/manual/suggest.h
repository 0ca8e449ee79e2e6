// What somebody may have meant who wrote a word that nobody knows. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fuhyo::manual {

// The known word with the fewest letters inserted, left out, changed or swapped with their neighbour, where these are
// at most a third of the word; empty if there is none. Case does not count, and _ is -.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

// "; did you mean max-moves?", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace fuhyo::manual
