#include "engines/match/tune/engine_trials.h"

#include <fmt/format.h>
#include <utility>

#include "engines/match/tune/trial_games.h"

namespace fuhyo::match::tune {
namespace {

// The source and sink of a runner: gives games to its slots, and takes their results back.
class TrialSource {
 public:
  using Reported = std::function<std::expected<void, std::string>(const TrialTally&)>;

  TrialSource(const EngineTrials& trials, Tuner& tuner, const Reported& reported, std::stop_source& stop)
      : trials_(trials),
        tuner_(tuner),
        reported_(reported),
        stop_(stop),
        games_(tuner, trials.games_per_trial, trials.games) {}

  std::optional<Assignment> next() {
    const auto game = games_.next();
    if (!game) return std::nullopt;
    const auto count = static_cast<std::int64_t>(trials_.openings.size());
    const std::int64_t index = game->opening % count;
    const Opening& opening = trials_.openings[static_cast<std::size_t>(index)];
    Contestant plus = with_options(trials_.engine, tuner_.parameters(), game->plus);
    Contestant minus = with_options(trials_.engine, tuner_.parameters(), game->minus);
    plus.name = "plus", minus.name = "minus";
    Assignment assignment;
    assignment.game.number = game->number;
    assignment.game.opening = index;
    assignment.game.opening_name = opening.name;
    assignment.game.start = opening.game;
    assignment.game.engines = {game->plus_is_black ? 0 : 1, game->plus_is_black ? 1 : 0};
    assignment.players = {std::move(plus), std::move(minus)};
    if (!game->plus_is_black) std::swap(assignment.players[0], assignment.players[1]);
    return assignment;
  }

  void take(const PlayedGame& game) {
    const int points = half_points(game.result, game.engines[0] == 0 ? shogi::BLACK : shogi::WHITE);
    ++(points == 2 ? tally_.wins : points == 1 ? tally_.draws : tally_.losses);
    if (is_fault(game.ending)) ++tally_.faults;
    const bool broken = game.ending == Ending::crashed || game.ending == Ending::hung;
    faults_in_a_row_ = broken ? faults_in_a_row_ + 1 : 0;
    if (faults_in_a_row_ >= kFaultsInARow) {
      return end(
          fmt::format("{} games in a row ended by a crash or a hang, the last one so: {}", kFaultsInARow, game.detail));
    }
    const auto finished = games_.played(game.number, points);
    if (!finished) return end(finished.error());
    if (!*finished) return;
    if (const auto told = reported_(tally_); !told) end(told.error());
  }

  const std::string& trouble() const { return trouble_; }

 private:
  void end(std::string why) {
    if (trouble_.empty()) trouble_ = std::move(why);
    stop_.request_stop();
  }

  const EngineTrials& trials_;
  Tuner& tuner_;
  const Reported& reported_;
  std::stop_source& stop_;
  TrialGames games_;
  TrialTally tally_;
  int faults_in_a_row_ = 0;
  std::string trouble_;
};

}  // namespace

Contestant with_options(Contestant engine, const Parameters& parameters, const Values& values) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].used) continue;
    std::erase_if(engine.engine.options, [&](const auto& option) { return option.first == parameters[i].name; });
    engine.engine.options.emplace_back(parameters[i].name, value_text(parameters[i], values.at(i)));
  }
  return engine;
}

std::expected<void, std::string> play_trials(
    const EngineTrials& trials, Tuner& tuner,
    const std::function<std::expected<void, std::string>(const TrialTally&)>& reported, const std::stop_token& stop) {
  std::stop_source own;
  const std::stop_callback forward(stop, [&own] { own.request_stop(); });
  TrialSource source(trials, tuner, reported, own);
  Runner::run(
      trials.runner, [&source] { return source.next(); }, [&source](const PlayedGame& game) { source.take(game); },
      own.get_token());
  if (!source.trouble().empty()) return std::unexpected(source.trouble());
  return {};
}

}  // namespace fuhyo::match::tune
