// A network for Othello as one C++ file that plays by it on CodinGame: it needs nothing else, and g++ -O2 -std=c++17
// compiles it. Pure; any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "engines/nn/model.h"

namespace fuhyo::othello {

// CodinGame takes sources of fewer characters than this.
constexpr std::size_t kSourceLimit = 100'000;

// `remark`: what the network is, for people. Weights are rounded to 16 bits. An error: it is no network for Othello,
// has blocks or activations that the player does not compute, weights that 16 bits do not hold, or so many of them that
// the source would not be below kSourceLimit.
std::expected<std::string, std::string> codingame_source(const nn::Model& model, std::string_view remark);

}  // namespace fuhyo::othello
