// How gradients become steps: Adam (Kingma and Ba 2015), AdamW (Loshchilov and Hutter 2019: weights also shrink by rate
// x decay), AMSGrad (Reddi, Kale and Kumar 2018: the largest mean square so far counts), AdaBound and AMSBound (Luo et
// al. 2019: the size of a step is kept between two bounds that close in on a last rate). All with Adam's corrections
// for the means' start at 0. Rates follow a cosine. Pure; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "engines/learn/train/kernels.h"

namespace fuhyo::learn {

enum class Method : std::uint8_t { adam, adamw, amsgrad, adabound, amsbound };
std::string_view to_string(Method method);
std::expected<Method, std::string> parse_method(std::string_view name);  // an error names all of them
constexpr bool keeps_largest(Method method) { return method == Method::amsgrad || method == Method::amsbound; }

struct MethodOptions {
  Method method = Method::adam;
  float beta1 = 0.9F, beta2 = 0.999F, epsilon = 1e-8F;
  float decay = 0.01F;      // AdamW
  float final_rate = 0.1F;  // AdaBound, AMSBound: what the bounds close in on, while the rate is what it was at first;
                            // it falls with the rate
  float closing = 1e-3F;    // ... and how fast
  bool operator==(const MethodOptions&) const = default;
};

// Sizes of step `number` (1 is the first), without bounds on weights. `first_rate`: what the rate's curve begins with.
StepSizes step_sizes(const MethodOptions& options, std::uint64_t number, double rate, double first_rate);

struct RateOptions {
  double first = 1e-3, last = 1e-5;
  std::uint64_t warm_up = 0;  // steps in which the rate rises evenly to the first
  bool operator==(const RateOptions&) const = default;
};
// The rate of step `number` of `steps` (1 to steps): after warming up, half a period of a cosine from the first to the
// last.
double rate_at(const RateOptions& options, std::uint64_t number, std::uint64_t steps);

}  // namespace fuhyo::learn
