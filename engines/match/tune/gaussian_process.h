// A Gaussian process over the unit box (Rasmussen and Williams 2006, chapters 2, 4 and 5): what noisy samples say of a
// smooth function everywhere, with how sure that is. Pure; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "engines/match/linear.h"

namespace fuhyo::match::tune {

struct GpRules {
  enum class Kernel : std::uint8_t { matern52, rbf };
  Kernel kernel = Kernel::rbf;
  bool one_length = true;  // the same length scale for every dimension, instead of one each: surer where noise rules
  int starts = 3;          // of the search for the best hyperparameters
  // Hyperparameters are found on so many samples (the newest of them), each step of that search takes their cube.
  std::size_t fitted = 400;
  std::uint64_t seed = 1;
};

struct GpSample {
  std::vector<double> at;  // 0..1 each
  double value;
  double variance;  // of the noise, above 0
};

struct GpHyper {
  double amplitude = 0.1;       // standard deviation of the function around its mean
  std::vector<double> lengths;  // one a dimension: how far the function keeps its value
};

constexpr std::size_t kMaxGpSamples = 5'000;

class GaussianProcess {
 public:
  // Refused: no samples or too many, samples of different dimensions or with bad numbers.
  static std::expected<GaussianProcess, std::string> fit(std::vector<GpSample> samples, const GpRules& rules);
  // With hyperparameters that are known.
  static std::expected<GaussianProcess, std::string> with(std::vector<GpSample> samples, const GpHyper& hyper,
                                                          GpRules::Kernel kernel);

  struct Prediction {
    double mean, variance;  // of the function itself, without noise
  };
  Prediction predict(const std::vector<double>& at) const;
  // The mean, and its gradient.
  double mean(const std::vector<double>& at, std::vector<double>& gradient) const;
  // Where the mean is highest in the whole box: searched from the best samples and from these points.
  std::vector<double> highest(std::vector<std::vector<double>> starts) const;

  const GpHyper& hyper() const { return hyper_; }
  double log_likelihood() const { return log_likelihood_; }
  // ... and its derivatives by the logarithms of the amplitude and of each length.
  std::vector<double> likelihood_gradient() const;

 private:
  GaussianProcess(std::vector<GpSample> samples, GpHyper hyper, GpRules::Kernel kernel, Cholesky cholesky);
  std::vector<double> covariances(const std::vector<double>& at) const;

  std::vector<GpSample> samples_;
  GpHyper hyper_;
  GpRules::Kernel kernel_;
  Cholesky cholesky_;
  double mean_ = 0;            // of the function far from all samples
  std::vector<double> alpha_;  // inverse covariance times (values - mean)
  double log_likelihood_ = 0;
};

}  // namespace fuhyo::match::tune
