// A training example of any game: the inputs of a network, and the targets of its outputs.
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
  std::vector<float> shares{};        // of the labels, with sum 1: visits of a search; or none
  std::optional<float> value;         // the chance to win, if it is known
};

}  // namespace fuhyo::learn::policy
