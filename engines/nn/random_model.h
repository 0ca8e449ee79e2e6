// Networks with random initial weights: for training, tests and benchmarks. Pure; any thread.
#pragma once

#include <cstdint>

#include "engines/nn/model.h"

namespace fuhyo::nn {

// The same for the same seed on every machine. Numbers keep about their size from layer to layer (He), the second
// layer of a block adds half of that. The shape must have no fault.
Model random_model(const Shape& shape, std::uint64_t seed);

}  // namespace fuhyo::nn
