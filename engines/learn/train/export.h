// A trained model as the file that engines read, and such a file as a model to train on. Pure; any thread.
//
// Rows and their bias are rounded to 1/127, hidden weights to 1/64, the last weights to 127 / (600 FV_SCALE), biases to
// the product of their weights' and their inputs' unit. The file's arithmetic divides hidden sums by 64 and rounds them
// down: half of that is added to the biases, so that it rounds to the nearest.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "engines/learn/train/model.h"
#include "engines/nnue/net/classic_file.h"

namespace fuhyo::learn {

// Integers out of a refreshed model.
nnue::ClassicWeights quantised(const Model& model);
// The bytes of the file.
std::string network_file(const Model& model);

// The weights of a file of the model's own shape and FV_SCALE, in floats, instead of the model's. Rows of several
// places of the king are taken apart again: what they have in common is their mean. The model is refreshed. An error:
// another shape, a damaged file, rows beyond what training can have (those of the untrained network are).
std::expected<void, std::string> take_weights(Model& model, std::string_view file);

}  // namespace fuhyo::learn
