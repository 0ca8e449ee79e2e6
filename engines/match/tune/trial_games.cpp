// Trials as games. Pure.
#include "engines/match/tune/trial_games.h"

#include <fmt/format.h>
#include <utility>

namespace fuhyo::match::tune {

std::optional<TrialGame> TrialGames::next() {
  auto it = running_.begin();
  while (it != running_.end() && it->second.handed_out == games_per_trial_) ++it;
  if (it == running_.end()) {
    if (tuner_.games() + static_cast<std::int64_t>(running_.size()) * games_per_trial_ >= wanted_) return std::nullopt;
    Trial trial = tuner_.next();
    const std::uint64_t id = trial.id;
    it = running_.emplace(id, Running{.trial = std::move(trial), .result = {.id = id}}).first;
  }
  Running& running = it->second;
  const std::int64_t index = running.handed_out++;
  trial_of_.emplace(next_number_, running.trial.id);
  return TrialGame{
      .number = next_number_++,
      .opening = static_cast<std::int64_t>(running.trial.openings) * ((games_per_trial_ + 1) / 2) + index / 2,
      .plus_is_black = (static_cast<std::int64_t>(running.trial.id) + index) % 2 == 0,
      .plus = running.trial.plus,
      .minus = running.trial.minus};
}

std::expected<bool, std::string> TrialGames::played(std::int64_t number, int half_points) {
  const auto game = trial_of_.find(number);
  if (game == trial_of_.end()) return std::unexpected(fmt::format("game {} is not under way", number));
  const auto it = running_.find(game->second);
  trial_of_.erase(game);
  TrialResult& result = it->second.result;
  ++(half_points == 2 ? result.wins : half_points == 1 ? result.draws : result.losses);
  if (result.games() < games_per_trial_) return false;
  const TrialResult whole = result;
  running_.erase(it);
  if (auto reported = tuner_.report(whole); !reported) return std::unexpected(reported.error());
  return true;
}

std::int64_t TrialGames::unfinished() const {
  std::int64_t games = 0;
  for (const auto& [id, running] : running_) games += running.result.games();
  return games;
}

}  // namespace fuhyo::match::tune
