// How gradients become steps: Adam (Kingma and Ba 2015), AdamW (Loshchilov and Hutter 2019: weights also shrink by rate
// x decay), AMSGrad (Reddi, Kale and Kumar 2018: the largest mean square so far counts), AdaBound and AMSBound (Luo et
// al. 2019: the size of a step is kept between two bounds that close in on a last rate). All with Adam's corrections
// for the means' start at 0. Rates follow a cosine. Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "engines/learn/setting.h"
#include "engines/learn/train/kernels.h"

namespace fuhyo::learn {

enum class Method : std::uint8_t { adam, adamw, amsgrad, adabound, amsbound };
constexpr std::array<std::string_view, 5> names_of(Method /*any*/) {
  return {"adam", "adamw", "amsgrad", "adabound", "amsbound"};
}
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
// The flag of the optimiser is the command's: it names all of them if there is none of this name.
template <class A>
void fields(A& a, MethodOptions& method) {
  a(method.method, {"optimiser"});
  a(method.beta1, {"beta1", {}, 0, 1, {}, {}, false});
  a(method.beta2, {"beta2", {}, 0, 1, {}, {}, false});
  a(method.epsilon, {"epsilon", {}, 0, 1, {}, {}, false});
  a(method.decay, {"decay", "adamw: how fast weights shrink (0.01)", 0, 1, {}, {}, false});
  a(method.final_rate, {"final_rate", "adabound, amsbound: what the bounds close in on (0.1)", 0, 0, {}, {}, false});
  a(method.closing, {"closing", {}, 0, 1, {}, {}, false});
}

// Sizes of step `number` (1 is the first), without bounds on weights. `first_rate`: what the rate's curve begins with.
StepSizes step_sizes(const MethodOptions& options, std::uint64_t number, double rate, double first_rate);

constexpr double kLeastRate = 1e-9;  // that a training begins with

struct RateOptions {
  double first = 1e-3, last = 1e-5;
  std::uint64_t warm_up = 0;  // steps in which the rate rises evenly to the first
  bool operator==(const RateOptions&) const = default;
};
// In TOML both rates are one list, `rate`.
template <class A>
void fields(A& a, RateOptions& rate) {
  if constexpr (requires { a.pair("rate", rate.first, rate.last, 0, 1, kLeastRate); }) {
    a.pair("rate", rate.first, rate.last, 0, 1, kLeastRate);
  } else {
    a(rate.first, {"rate", "Learning rate at first ({})", kLeastRate, 1});
    a(rate.last, {"last_rate", "... and at the end of a cosine (0.00001)", 0, 1});
  }
  a(rate.warm_up, {"warm_up", "Steps in which the rate rises to the first ({})", 0, 1e9});
}
// The rate of step `number` of `steps` (1 to steps): after warming up, half a period of a cosine from the first to the
// last.
double rate_at(const RateOptions& options, std::uint64_t number, std::uint64_t steps);

}  // namespace fuhyo::learn
