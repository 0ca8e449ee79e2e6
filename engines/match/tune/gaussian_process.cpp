// Gaussian processes. Pure.
#include "engines/match/tune/gaussian_process.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "engines/match/tune/minimise.h"
#include "engines/match/tune/random.h"

namespace fuhyo::match::tune {
namespace {

using Vector = std::vector<double>;
using Error = std::unexpected<std::string>;
using Kernel = GpRules::Kernel;

constexpr double kLeastLength = 0.05, kMostLength = 20;
constexpr double kLeastAmplitude = 1e-3, kMostAmplitude = 10;
// The logarithm of a length is expected within so much around 0, which is the whole range: noise alone would let some
// lengths become short.
constexpr double kLengthPrior = 0.5;

double scaled_square(const Vector& a, const Vector& b, const Vector& lengths) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double away = (a[i] - b[i]) / lengths[i];
    sum += away * away;
  }
  return sum;
}

// The correlation of two points, and what its derivative by a coordinate (or by a length's logarithm) is per scaled
// difference (or per its square): dk/dx = -slope (x - x') / length^2, dk/d ln length = slope ((x - x') / length)^2.
struct Correlation {
  double value, slope;
};

Correlation correlation(double square, Kernel kernel) {
  if (kernel == Kernel::rbf) {
    const double value = std::exp(-square / 2);
    return {value, value};
  }
  const double root = std::sqrt(5 * square), fading = std::exp(-root);
  return {(1 + root + root * root / 3) * fading, 5.0 / 3 * (1 + root) * fading};
}

Matrix covariance(const std::vector<GpSample>& samples, const GpHyper& hyper, Kernel kernel) {
  Matrix matrix(samples.size());
  const double square = hyper.amplitude * hyper.amplitude;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double away = scaled_square(samples[i].at, samples[j].at, hyper.lengths);
      matrix.row(i)[j] = matrix.row(j)[i] = square * correlation(away, kernel).value;
    }
    matrix.row(i)[i] = square + samples[i].variance;
  }
  return matrix;
}

std::expected<void, std::string> check(const std::vector<GpSample>& samples) {
  if (samples.empty()) return Error("a Gaussian process without samples");
  if (samples.size() > kMaxGpSamples) return Error(fmt::format("more than {} samples", kMaxGpSamples));
  for (const GpSample& each : samples) {
    if (each.at.empty() || each.at.size() != samples[0].at.size()) return Error("samples of different dimensions");
    const bool good = std::isfinite(each.value) && std::isfinite(each.variance) && each.variance > 0 &&
                      std::ranges::all_of(each.at, [](double at) { return at >= 0 && at <= 1; });
    if (!good) return Error("a sample outside of the unit box, or without a value or noise");
  }
  return {};
}

// What is searched: logarithms of the amplitude and of the lengths (or of the one that all share).
GpHyper hyper_of(const Vector& logs, std::size_t dimensions) {
  GpHyper hyper{.amplitude = std::exp(logs[0]), .lengths = {}};
  for (std::size_t i = 0; i < dimensions; ++i) hyper.lengths.push_back(std::exp(logs[logs.size() == 2 ? 1 : i + 1]));
  return hyper;
}

// The negative logarithm of likelihood times prior.
double badness(const std::vector<GpSample>& samples, const Vector& logs, Kernel kernel, Vector& gradient) {
  const auto process = GaussianProcess::with(samples, hyper_of(logs, samples[0].at.size()), kernel);
  if (!process) return std::numeric_limits<double>::infinity();
  double value = -process->log_likelihood();
  const Vector slopes = process->likelihood_gradient();
  std::ranges::fill(gradient, 0.0);
  gradient[0] = -slopes[0];
  for (std::size_t i = 1; i < slopes.size(); ++i) gradient[logs.size() == 2 ? 1 : i] -= slopes[i];
  for (std::size_t i = 1; i < logs.size(); ++i) {
    value += logs[i] * logs[i] / (2 * kLengthPrior * kLengthPrior);
    gradient[i] += logs[i] / (kLengthPrior * kLengthPrior);
  }
  return value;
}

GpHyper best_hyper(const std::vector<GpSample>& samples, const GpRules& rules) {
  const std::size_t dimensions = samples[0].at.size(), size = rules.one_length ? 2 : dimensions + 1;
  const Box box{Vector(size, std::log(kLeastLength)), Vector(size, std::log(kMostLength))};
  Box bounds = box;
  bounds.low[0] = std::log(kLeastAmplitude), bounds.high[0] = std::log(kMostAmplitude);
  Random chance(rules.seed, 0x6770);
  std::optional<Minimum> best;
  for (int start = 0; start < std::max(1, rules.starts); ++start) {
    Vector logs(size, 0.0);
    logs[0] = std::log(0.1);
    for (double& each : logs) each += start == 0 ? 0 : 2 * chance.uniform() - 1;
    Minimum found =
        minimise([&](const Vector& at, Vector& gradient) { return badness(samples, at, rules.kernel, gradient); }, logs,
                 bounds, 60);
    if (!best || found.value < best->value) best = std::move(found);
  }
  return hyper_of(best->at, dimensions);
}

}  // namespace

GaussianProcess::GaussianProcess(std::vector<GpSample> samples, GpHyper hyper, Kernel kernel, Cholesky cholesky)
    : samples_(std::move(samples)), hyper_(std::move(hyper)), kernel_(kernel), cholesky_(std::move(cholesky)) {
  Vector values;
  for (const GpSample& each : samples_) values.push_back(each.value);
  // The mean that is likeliest given the covariance.
  const Vector ones(samples_.size(), 1.0), weights = cholesky_.solve(ones);
  mean_ = dot(weights.data(), values.data(), values.size()) / dot(weights.data(), ones.data(), ones.size());
  for (double& each : values) each -= mean_;
  alpha_ = cholesky_.solve(values);
  log_likelihood_ = -dot(values.data(), alpha_.data(), values.size()) / 2 - cholesky_.log_determinant() / 2 -
                    static_cast<double>(values.size()) / 2 * std::log(2 * std::numbers::pi);
}

std::expected<GaussianProcess, std::string> GaussianProcess::with(std::vector<GpSample> samples, const GpHyper& hyper,
                                                                  Kernel kernel) {
  if (const auto checked = check(samples); !checked) return Error(checked.error());
  if (hyper.lengths.size() != samples[0].at.size()) return Error("as many lengths as dimensions are needed");
  auto cholesky = Cholesky::of(covariance(samples, hyper, kernel));
  if (!cholesky) return Error("the samples' covariance is not positive definite");
  return GaussianProcess(std::move(samples), hyper, kernel, std::move(*cholesky));
}

std::expected<GaussianProcess, std::string> GaussianProcess::fit(std::vector<GpSample> samples, const GpRules& rules) {
  if (const auto checked = check(samples); !checked) return Error(checked.error());
  const auto count = static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(rules.fitted, 1, samples.size()));
  const GpHyper hyper = best_hyper({samples.end() - count, samples.end()}, rules);
  return with(std::move(samples), hyper, rules.kernel);
}

Vector GaussianProcess::likelihood_gradient() const {
  const Matrix inverse = cholesky_.inverse();
  const double square = hyper_.amplitude * hyper_.amplitude;
  Vector gradient(hyper_.lengths.size() + 1);
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    gradient[0] += (alpha_[i] * alpha_[i] - inverse.row(i)[i]) * square;
    for (std::size_t j = 0; j < i; ++j) {
      // Half of the trace, and each pair stands there twice.
      const double weight = (alpha_[i] * alpha_[j] - inverse.row(i)[j]) * square;
      const Correlation both = correlation(scaled_square(samples_[i].at, samples_[j].at, hyper_.lengths), kernel_);
      gradient[0] += 2 * weight * both.value;
      for (std::size_t k = 0; k < hyper_.lengths.size(); ++k) {
        const double away = (samples_[i].at[k] - samples_[j].at[k]) / hyper_.lengths[k];
        gradient[k + 1] += weight * both.slope * away * away;
      }
    }
  }
  return gradient;
}

Vector GaussianProcess::covariances(const Vector& at) const {
  Vector result;
  for (const GpSample& each : samples_) {
    result.push_back(hyper_.amplitude * hyper_.amplitude *
                     correlation(scaled_square(at, each.at, hyper_.lengths), kernel_).value);
  }
  return result;
}

GaussianProcess::Prediction GaussianProcess::predict(const Vector& at) const {
  const Vector shared = covariances(at), explained = cholesky_.solve_lower(shared);
  const double mean = mean_ + dot(shared.data(), alpha_.data(), shared.size());
  const double variance =
      hyper_.amplitude * hyper_.amplitude - dot(explained.data(), explained.data(), explained.size());
  return {mean, std::max(0.0, variance)};
}

double GaussianProcess::mean(const Vector& at, Vector& gradient) const {
  double value = mean_;
  std::ranges::fill(gradient, 0.0);
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const Correlation both = correlation(scaled_square(at, samples_[i].at, hyper_.lengths), kernel_);
    const double weight = alpha_[i] * hyper_.amplitude * hyper_.amplitude;
    value += weight * both.value;
    for (std::size_t k = 0; k < at.size(); ++k) {
      gradient[k] -= weight * both.slope * (at[k] - samples_[i].at[k]) / (hyper_.lengths[k] * hyper_.lengths[k]);
    }
  }
  return value;
}

Vector GaussianProcess::highest(std::vector<Vector> starts) const {
  constexpr std::size_t kBestSamples = 10;
  std::vector<std::pair<double, std::size_t>> order;
  order.reserve(samples_.size());
  Vector slope(hyper_.lengths.size());
  for (std::size_t i = 0; i < samples_.size(); ++i) order.emplace_back(-mean(samples_[i].at, slope), i);
  std::ranges::sort(order);
  for (std::size_t i = 0; i < std::min(kBestSamples, order.size()); ++i) starts.push_back(samples_[order[i].second].at);
  const Box box{Vector(slope.size(), 0.0), Vector(slope.size(), 1.0)};
  std::optional<Minimum> best;
  for (const Vector& start : starts) {
    Minimum found = minimise(
        [this](const Vector& at, Vector& gradient) {
          const double value = mean(at, gradient);
          for (double& each : gradient) each = -each;
          return -value;
        },
        start, box, 200);
    if (!best || found.value < best->value) best = std::move(found);
  }
  return best->at;
}

}  // namespace fuhyo::match::tune
