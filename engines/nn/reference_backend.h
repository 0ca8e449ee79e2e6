// The reference implementation of a network (model.h), in double and without optimisation. The fast backends are
// compared with it, in tests and when a model is loaded. One thread at a time.
#pragma once

#include "engines/nn/backend.h"

namespace fuhyo::nn {

std::unique_ptr<Backend> reference_backend(std::shared_ptr<const Model> model);

}  // namespace fuhyo::nn
