#include "engines/learn/train/optimiser.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

namespace fuhyo::learn {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"adam", "adamw", "amsgrad", "adabound", "amsbound"};

}  // namespace

std::string_view to_string(Method method) { return kNames[static_cast<std::size_t>(method)]; }

std::expected<Method, std::string> parse_method(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found != kNames.end()) return static_cast<Method>(found - kNames.begin());
  return std::unexpected(fmt::format("no optimiser is called '{}'; there are {}", name, fmt::join(kNames, ", ")));
}

StepSizes step_sizes(const MethodTerms& terms, std::uint64_t number, double rate, double first_rate) {
  const auto t = static_cast<double>(number);
  const bool bounded = terms.method == Method::adabound || terms.method == Method::amsbound;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  StepSizes sizes{.rate = static_cast<float>(rate / (1 - std::pow(double{terms.beta1}, t))),
                  .root = static_cast<float>(1 / std::sqrt(1 - std::pow(double{terms.beta2}, t))),
                  .keep = terms.method == Method::adamw ? static_cast<float>(1 - rate * double{terms.decay}) : 1.0F,
                  .beta1 = terms.beta1,
                  .beta2 = terms.beta2,
                  .epsilon = terms.epsilon,
                  .lower = 0,
                  .upper = kInfinity,
                  .least = -kInfinity,
                  .most = kInfinity};
  if (bounded) {
    const double last = double{terms.final_rate} * rate / first_rate, closing = double{terms.closing};
    sizes.lower = static_cast<float>(last * (1 - 1 / (closing * t + 1)));
    sizes.upper = static_cast<float>(last * (1 + 1 / (closing * t)));
  }
  return sizes;
}

double rate_at(const RateTerms& terms, std::uint64_t number, std::uint64_t steps) {
  if (number <= terms.warm_up) return terms.first * static_cast<double>(number) / static_cast<double>(terms.warm_up);
  const std::uint64_t falling = steps > terms.warm_up ? steps - terms.warm_up : 0;
  if (falling <= 1) return terms.first;
  const double part = static_cast<double>(number - terms.warm_up - 1) / static_cast<double>(falling - 1);
  return terms.last + (terms.first - terms.last) * (1 + std::cos(std::numbers::pi * std::min(part, 1.0))) / 2;
}

}  // namespace fuhyo::learn
