// The interface of a tuning method: it proposes two sets of values to play each other, and learns from the result.
// Trials may be played at the same time and reported in any order. One thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "engines/match/tune/parameters.h"

namespace fuhyo::match::tune {

// A batch of games of one set of values against another one. Whole numbers where the parameters are.
struct Trial {
  std::uint64_t id = 0;
  Values plus, minus;
  std::uint64_t openings = id;  // trials of the same number here are best played from the same positions
  bool operator==(const Trial&) const = default;
};

// Its result, counted for `plus`.
struct TrialResult {
  std::uint64_t id = 0;
  std::int64_t wins = 0, draws = 0, losses = 0;

  std::int64_t games() const { return wins + draws + losses; }
  double score() const {
    return (static_cast<double>(wins) + static_cast<double>(draws) / 2) / static_cast<double>(games());
  }
};

class Tuner {
 public:
  virtual ~Tuner() = default;

  // The next trial. After a state was loaded, those first that had been handed out and not been reported.
  virtual Trial next() = 0;
  // Refused: a trial that is not open (twice reported, or never handed out), a result without games, negative counts.
  virtual std::expected<void, std::string> report(const TrialResult& result) = 0;
  // Games reported so far.
  virtual std::int64_t games() const = 0;
  // The values it would choose now; not rounded.
  virtual Values best() const = 0;
  // As the tuning began.
  virtual const Parameters& parameters() const = 0;
  // Everything, as text: load_tuner() makes a tuner of it that goes on exactly as this one would.
  virtual std::string save() const = 0;
  // A line about best(), empty if there is nothing to say.
  virtual std::string summary() const { return {}; }
  // How it went, as SVG.
  virtual std::string plot() const = 0;
};

// What save() wrote; the error names the line of `file`.
std::expected<std::unique_ptr<Tuner>, std::string> load_tuner(std::string_view text, std::string_view file);

}  // namespace fuhyo::match::tune
