// How far a word is from another one: what was probably meant. Pure; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace fuhyo::core {

// How many letters have to be written, left out or changed.
std::size_t distance(std::string_view a, std::string_view b);

}  // namespace fuhyo::core
