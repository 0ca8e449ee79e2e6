// Tuning in two stages, as tanuki- did it (nodchip 2016-19): the Parzen estimator proposes sets of values, each plays a
// batch of games against the values of the beginning, and in the end not the set with the best score is taken, which is
// mostly luck, but the one that a Gaussian process over all samples predicts to be best. TUNING.md has the sources.
// Pure; one thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "engines/match/tune/gaussian_process.h"
#include "engines/match/tune/plot.h"
#include "engines/match/tune/state_file.h"
#include "engines/match/tune/tpe.h"
#include "engines/match/tune/tuner.h"

namespace fuhyo::match::tune {

struct TwoStageRules {
  std::uint64_t seed = 1;
  TpeRules tpe{};
  GpRules::Kernel kernel = GpRules::Kernel::rbf;
  bool one_length = true;  // GpRules
};

class TwoStage final : public Tuner {
 public:
  // Refused: rules out of range, parameters none of which is used.
  static std::expected<TwoStage, std::string> begin(Parameters parameters, const TwoStageRules& rules);
  static std::expected<TwoStage, std::string> load(const StateFile& state);

  Trial next() override;
  std::expected<void, std::string> report(const TrialResult& result) override;
  std::int64_t games() const override { return games_; }
  Values best() const override { return choose().values; }
  const Parameters& parameters() const override { return parameters_; }
  std::string save() const override;
  std::string plot() const override;
  std::string summary() const override;

  struct Sample {
    Values values;
    TrialResult result;
  };
  const std::vector<Sample>& samples() const { return samples_; }

  struct Choice {
    Values values;            // playable
    double score, deviation;  // predicted, against the beginning
  };
  // The beginning, with a score of one half, as long as nothing was reported. Takes the cube of the number of samples:
  // a second for some hundred.
  Choice choose() const;

 private:
  TwoStage(Parameters parameters, const TwoStageRules& rules) : parameters_(std::move(parameters)), rules_(rules) {}
  std::expected<void, std::string> read(const StateLine& line);
  Values start() const;
  std::vector<double> units(const Values& values) const;
  GaussianProcess fitted() const;
  Choice choose(const GaussianProcess& process) const;

  Parameters parameters_;
  TwoStageRules rules_;
  std::uint64_t next_id_ = 0;
  std::int64_t games_ = 0;
  TrialList open_;
  std::vector<Sample> samples_;  // in the order of their reports
};

}  // namespace fuhyo::match::tune
