// Simultaneous perturbation stochastic approximation (Spall 1992) on the results of games: every trial changes all
// parameters at once, each up or down at random; the values move towards the side that wins. Either with decreasing
// gains, as fishtest and OpenBench, or with constant ones, as YaneuraOu's scripts. TUNING.md has the formulas and their
// sources. Pure; one thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>
#include <vector>

#include "engines/match/tune/plot.h"
#include "engines/match/tune/random.h"
#include "engines/match/tune/state_file.h"
#include "engines/match/tune/tuner.h"

namespace fuhyo::match::tune {

struct SpsaRules {
  enum class Gains : std::uint8_t { fishtest, yaneuraou };
  // Whom the changed values play: each other, or each of the two the values of the beginning.
  enum class Against : std::uint8_t { each_other, base };
  // Whole numbers: by chance to either neighbour, so that the mean stays (fishtest), or to the nearest (YaneuraOu).
  enum class Rounding : std::uint8_t { stochastic, nearest };

  Gains gains = Gains::fishtest;
  Against against = Against::each_other;
  Rounding rounding = Rounding::stochastic;
  std::uint64_t seed = 1;
  std::int64_t pairs = 30'000;  // of games, in the whole run: what the gains are planned for (fishtest's num_iter)
  // fishtest: A as a share of the pairs, and the exponents of both gains.
  double a_ratio = 0.1, alpha = 0.602, gamma = 0.101;
  // YaneuraOu: steps to try, and how far a result moves, as multiples of a parameter's own. scale 0 moves nothing in
  // the games, which measures the values themselves.
  double scale = 1, mobility = 1;
  bool operator==(const SpsaRules&) const = default;
};

// As YaneuraOu's scripts: constant gains, against the values of the beginning, rounded to the nearest.
SpsaRules yaneuraou_rules();

class Spsa final : public Tuner {
 public:
  // Refused: rules out of range.
  static std::expected<Spsa, std::string> begin(Parameters parameters, const SpsaRules& rules);
  static std::expected<Spsa, std::string> load(const StateFile& state);

  Trial next() override;
  std::expected<void, std::string> report(const TrialResult& result) override;
  std::int64_t games() const override { return games_; }
  Values best() const override { return values_; }
  const Parameters& parameters() const override { return parameters_; }
  std::string save() const override;
  std::string plot() const override;

  const SpsaRules& rules() const { return rules_; }
  // Where the values were, about two hundred times a run.
  const std::vector<TracePoint>& trace() const { return trace_; }

  struct Gain {
    double reach;  // how far a trial goes to either side (c_k)
    double move;   // how far a game won by `plus` moves the value its way (R_k c_k)
  };
  // Of a parameter, after so many pairs.
  Gain gain(const Parameter& parameter, double pairs) const;

 private:
  Spsa(Parameters parameters, const SpsaRules& rules);
  void make_trials();
  double to_play(const Parameter& parameter, double value, Random& chance) const;
  std::uint64_t draw_of(std::uint64_t trial) const;

  Parameters parameters_;
  SpsaRules rules_;
  Values values_;
  std::uint64_t next_id_ = 0;
  std::int64_t games_ = 0;
  TrialList open_;
  std::vector<TracePoint> trace_;
};

}  // namespace fuhyo::match::tune
