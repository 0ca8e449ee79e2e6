// Trials that were made and not yet reported, and what their tuner remembers of each. Pure; one thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engines/match/tune/tuner.h"

namespace fuhyo::match::tune {

struct OpenTrial {
  Trial trial;
  double made_at = 0;       // of its tuner's progress
  bool handed_out = false;  // by next(), since the start or the load
};

class TrialList {
 public:
  void add(OpenTrial open) { open_.push_back(std::move(open)); }
  // The oldest one that nobody plays.
  std::optional<Trial> hand_out() {
    const auto it = std::ranges::find(open_, false, &OpenTrial::handed_out);
    if (it == open_.end()) return std::nullopt;
    it->handed_out = true;
    return it->trial;
  }
  // Takes the trial of a result out of the list.
  std::expected<OpenTrial, std::string> take(const TrialResult& result) {
    if (result.wins < 0 || result.draws < 0 || result.losses < 0 || result.games() == 0) {
      return std::unexpected(
          fmt::format("trial {}: a result of {}-{}-{}", result.id, result.wins, result.draws, result.losses));
    }
    const auto it = std::ranges::find(open_, result.id, [](const OpenTrial& each) { return each.trial.id; });
    if (it == open_.end()) return std::unexpected(fmt::format("trial {} is not open", result.id));
    OpenTrial taken = std::move(*it);
    open_.erase(it);
    return taken;
  }
  const std::vector<OpenTrial>& all() const { return open_; }

 private:
  std::vector<OpenTrial> open_;  // by id
};

}  // namespace fuhyo::match::tune
