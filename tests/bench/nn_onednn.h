// The same network by oneDNN, where it was found when this was built (libdnnl-dev).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engines/nn/model.h"

namespace fuhyo::bench {

// Its version, or that it is not there.
std::string onednn_version();

// A job a thread, each evaluating `batch` positions a call and returning their number; empty without oneDNN.
std::vector<std::function<double()>> onednn_jobs(const nn::Shape& shape, unsigned batch, unsigned threads);

}  // namespace fuhyo::bench
