// A network computed as its definition says (model.h), in double, without any cleverness: what the fast back ends are
// compared with, in tests and when a model is loaded. One thread at a time.
#pragma once

#include "engines/nn/backend.h"

namespace fuhyo::nn {

std::unique_ptr<Backend> reference_backend(std::shared_ptr<const Model> model);

}  // namespace fuhyo::nn
