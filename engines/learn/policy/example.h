// A position as a network learns from it: inputs, and what it should say of them. It knows no game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engines/nn/backend.h"

namespace fuhyo::learn::policy {

struct Example {
  std::vector<nn::Plane> planes;
  std::vector<float> scalars;
  std::vector<std::uint16_t> labels;  // of all legal moves, each once
  std::size_t played = 0;             // which of them is the one to learn, unless there are shares
  std::vector<float> shares{};        // of the labels, together 1: what a search thought of the moves; or none
  std::optional<float> value;         // the chance to win, if it is known
};

}  // namespace fuhyo::learn::policy
