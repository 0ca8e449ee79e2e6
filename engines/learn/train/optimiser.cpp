#include "engines/learn/train/optimiser.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

namespace fuhyo::learn {

std::expected<Method, std::string> parse_method(std::string_view name) {
  if (const auto method = value_named<Method>(name)) return *method;
  return std::unexpected(
      fmt::format("no optimiser is called '{}'; there are {}", name, fmt::join(names_of(Method{}), ", ")));
}

StepSizes step_sizes(const MethodOptions& options, std::uint64_t number, double rate, double first_rate) {
  const auto t = static_cast<double>(number);
  const bool bounded = options.method == Method::adabound || options.method == Method::amsbound;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  StepSizes sizes{.rate = static_cast<float>(rate / (1 - std::pow(double{options.beta1}, t))),
                  .root = static_cast<float>(1 / std::sqrt(1 - std::pow(double{options.beta2}, t))),
                  .keep = options.method == Method::adamw ? static_cast<float>(1 - rate * double{options.decay}) : 1.0F,
                  .beta1 = options.beta1,
                  .beta2 = options.beta2,
                  .epsilon = options.epsilon,
                  .lower = 0,
                  .upper = kInfinity,
                  .least = -kInfinity,
                  .most = kInfinity};
  if (bounded) {
    const double last = double{options.final_rate} * rate / first_rate, closing = double{options.closing};
    sizes.lower = static_cast<float>(last * (1 - 1 / (closing * t + 1)));
    sizes.upper = static_cast<float>(last * (1 + 1 / (closing * t)));
  }
  return sizes;
}

double rate_at(const RateOptions& options, std::uint64_t number, std::uint64_t steps) {
  if (number <= options.warm_up)
    return options.first * static_cast<double>(number) / static_cast<double>(options.warm_up);
  const std::uint64_t falling = steps > options.warm_up ? steps - options.warm_up : 0;
  if (falling <= 1) return options.first;
  const double part = static_cast<double>(number - options.warm_up - 1) / static_cast<double>(falling - 1);
  return options.last + (options.first - options.last) * (1 + std::cos(std::numbers::pi * std::min(part, 1.0))) / 2;
}

}  // namespace fuhyo::learn
