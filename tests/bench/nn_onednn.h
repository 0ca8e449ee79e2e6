// The same network by oneDNN, where it was found when this was built (libdnnl-dev).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/nn/model.h"

namespace fuhyo::bench {

// Its version, or that it is not there. Called first, and once: keeps it to the instruction set of these kernels.
std::string start_onednn(std::string_view kernels);

// A job a thread, each evaluating `batch` positions a call and returning their number; empty without oneDNN.
std::vector<std::function<double()>> onednn_jobs(const nn::Shape& shape, unsigned batch, unsigned threads);

}  // namespace fuhyo::bench
