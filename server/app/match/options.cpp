#include "server/app/match/options.h"

#include <algorithm>
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "engines/match/ladder.h"
#include "engines/shogi/number.h"
#include "server/app/commands.h"

namespace fuhyo::app {
namespace {

using Failure = std::unexpected<std::string>;

std::expected<void, std::string> set_sprt(const MatchOptions& options, std::optional<match::Sprt>& out) {
  if (options.sprt.empty()) return {};
  const std::size_t comma = options.sprt.find(',');
  match::Sprt test{.alpha = options.alpha, .beta = options.beta};
  const auto scale = match::parse_elo_scale(options.sprt_scale);
  if (!scale) return Failure("--sprt-elo: logistic or normalised is expected");
  test.scale = *scale;
  const std::string_view text = options.sprt;
  const auto elo0 = shogi::number_of<double>(text.substr(0, comma));
  const auto elo1 = comma == std::string_view::npos ? std::nullopt : shogi::number_of<double>(text.substr(comma + 1));
  if (!elo0 || !elo1) return Failure(fmt::format("--sprt {}: ELO0,ELO1 is expected", options.sprt));
  test.elo0 = *elo0;
  test.elo1 = *elo1;
  out = test;
  return {};
}

std::expected<void, std::string> set_engines(const MatchOptions& options, match::MatchPlan& plan) {
  const auto base = engine_base(options);
  if (!base) return Failure(base.error().text);
  const auto each = match::parse_contestant(options.each, *base);
  if (!each) return Failure(fmt::format("--each: {}", each.error()));
  for (const std::string& text : options.engines) {
    auto engine = match::parse_contestant(text, *each);
    if (!engine) return Failure(fmt::format("--engine {}: {}", text, engine.error()));
    plan.engines.push_back(std::move(*engine));
  }
  if (!options.ladder) return {};
  std::ranges::move(match::ladder(), std::back_inserter(plan.engines));
  return {};
}

void set_schedule(const MatchOptions& options, match::MatchPlan& plan) {
  match::ScheduleOptions& terms = plan.schedule;
  const bool gauntlet = options.gauntlet || options.ladder;
  terms.tournament = gauntlet        ? match::Tournament::gauntlet
                     : options.chain ? match::Tournament::chain
                                     : match::Tournament::round_robin;
  terms.seeds = options.ladder ? static_cast<int>(options.engines.size()) : options.seeds;
  terms.games_per_encounter = options.one_game ? 1 : 2;
  terms.rounds = options.rounds;
  if (options.rounds > 0) return;
  // Games that two engines play, and as many between any other two.
  const std::int64_t games = options.games > 0 ? options.games : 100;
  terms.rounds = (games + terms.games_per_encounter - 1) / terms.games_per_encounter;
}

void add_queue_flags(CLI::App& command, MatchOptions& options) {
  command.add_option("--queue", options.queue,
                     "Have the games played by the workers of this queue: a folder that all of them see, or "
                     "postgres://USER@HOST/DATABASE");
  command.add_option("--worker", options.worker, "Play for this queue, -j games at a time, until stopped");
  command.add_option("--batch", options.batch,
                     "The match's name in the queue (one that its content gives); of a worker: play for no other one");
  command.add_option("--chunk", options.chunk, "Openings that a worker takes at a time (4)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 20));
  command.add_flag("--drain", options.drain, "A worker ends when nothing is left to be played");
  command.add_option("--worker-name", options.worker_name, "Its name, of no other process (HOST-PROCESS)");
  command.add_option("--lease", options.lease_s, "Seconds after which a silent worker's games go to others (120)")
      ->check(CLI::Range(1, 86'400));
}

}  // namespace

void add_match_flags(CLI::App& command, MatchOptions& options) {
  command
      .add_option("-e,--engine", options.engines,
                  "An engine: its command, and KEY=VALUE words (name, dir, tc, ponder, stderr, player); any other KEY "
                  "is an option of the engine. Once for each engine")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  command.add_option("--each", options.each, "KEY=VALUE words for every engine");
  command.add_option("-n,--games", options.games, "Games that each two engines play (100)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  command.add_option("--rounds", options.rounds, "The same as openings that each two play")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  command.add_flag("--one-game", options.one_game, "One game from each opening, not one with either colour");
  command.add_flag("--gauntlet", options.gauntlet, "The first engines (--seeds) against all others");
  command.add_flag("--chain", options.chain, "Each engine against the next one: levels, versions")
      ->excludes("--gauntlet");
  command.add_option("--seeds", options.seeds, "... how many of them (1)");
  command.add_option("--sprt", options.sprt, "ELO0,ELO1: stop as soon as it is known which of the two holds");
  command.add_option("--sprt-elo", options.sprt_scale, "Its scale: normalised (default) or logistic");
  command.add_option("--alpha", options.alpha, "Chance to accept ELO1 where ELO0 is true (0.05)");
  command.add_option("--beta", options.beta, "Chance to accept ELO0 where ELO1 is true (0.05)");
  command.add_flag("--stop-at-fault", options.stop_at_fault,
                   "End at the first crash, hang, illegal move or loss on time");
  command.add_option("--out", options.games_file,
                     "File of all games, a line of JSON each; a match that was interrupted goes on from it");
  command.add_option("--pgn", options.pgn, "Also add each game to this file as PGN, for Ordo and BayesElo");
  command.add_option("--csa", options.csa, "... as CSA V3.0 records with times and evaluations");
  command.add_option("--every", options.every, "Games between two lines of the table (10)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  command
      .add_flag("--ladder", options.ladder,
                "Against the ladder of built-in players: places each engine on one scale, on which random is 0")
      ->excludes("--chain");
  command
      .add_option("--report", options.report,
                  "Play nothing: ratings from all games in these files of --out; --pgn and --csa write them")
      ->excludes("--engine");
  command.add_flag("--check", options.check_only, "Play nothing: start each engine and say what it is");
  add_game_flags(command, options);
  add_queue_flags(command, options);
}

std::expected<match::MatchPlan, ExitError> plan_of(const MatchOptions& options) {
  const auto wrong = [](std::string text) { return std::unexpected(ExitError{std::move(text), kExitUsage}); };
  match::MatchPlan plan;
  if (auto set = set_engines(options, plan); !set) return wrong(set.error());
  if (auto set = set_sprt(options, plan.sprt); !set) return wrong(set.error());
  auto runner = runner_terms(options);
  if (!runner) return std::unexpected(runner.error());
  plan.runner = std::move(*runner);
  auto openings = openings_of(options);
  if (!openings) return std::unexpected(openings.error());
  plan.openings = std::move(*openings);
  set_schedule(options, plan);
  plan.stop_at_fault = options.stop_at_fault;
  plan.ledger = options.games_file;
  return plan;
}

}  // namespace fuhyo::app
