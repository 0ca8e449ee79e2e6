// A trained model as the file that engines read. Pure; any thread.
//
// Rows and their bias are rounded to 1/127, hidden weights to 1/64, the last weights to 127 / (600 FV_SCALE), biases to
// the product of their weights' and their inputs' unit. The file's arithmetic divides hidden sums by 64 and rounds them
// down: half of that is added to the biases, so that it rounds to the nearest.
#pragma once

#include <string>

#include "engines/learn/train/model.h"
#include "engines/nnue/net/classic_file.h"

namespace fuhyo::learn {

// Integers out of a refreshed model.
nnue::ClassicWeights quantised(const Model& model);
// The bytes of the file.
std::string network_file(const Model& model);

}  // namespace fuhyo::learn
