// Compares a backend with the reference, when a model is loaded.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "engines/nn/backend.h"

namespace fuhyo::nn {

// How far a logit, or a value, may be from what the definition gives.
constexpr float kLargestError = 1e-3F;

// Evaluates the positions by the back end and by the reference, which takes up to a second or two for each. An error
// says what differs. A logit larger than 1 may differ by as much of itself.
std::expected<void, std::string> self_test(const std::shared_ptr<const Model>& model, Backend& backend,
                                           const Batch& inputs);

}  // namespace fuhyo::nn
