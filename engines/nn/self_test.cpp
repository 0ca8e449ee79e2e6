#include "engines/nn/self_test.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engines/nn/reference_backend.h"

namespace fuhyo::nn {
namespace {

// Also true of what is not a number.
bool differs(float found, float expected) {
  return !(std::abs(found - expected) <= kLargestError * std::max(1.F, std::abs(expected)));
}

}  // namespace

std::expected<void, std::string> self_test(const std::shared_ptr<const Model>& model, Backend& backend,
                                           const Batch& inputs) {
  Evaluations found(model->shape, inputs.size()), expected(model->shape, inputs.size());
  if (auto done = backend.evaluate(inputs, found); !done) return done;
  if (auto done = reference_backend(model)->evaluate(inputs, expected); !done) return done;
  const auto wrong = [&](std::string_view what, float is, float should) {
    return std::unexpected(
        fmt::format("{} computes wrongly: {} is {} where {} is right", backend.name(), what, is, should));
  };
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t label = 0; label < model->shape.policy_size(); ++label) {
      const float is = found.logits(i)[label], should = expected.logits(i)[label];
      if (differs(is, should)) return wrong(fmt::format("logit {}", label), is, should);
    }
    if (differs(found.value(i), expected.value(i))) return wrong("the value", found.value(i), expected.value(i));
  }
  return {};
}

}  // namespace fuhyo::nn
