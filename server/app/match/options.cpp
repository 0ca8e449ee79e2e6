#include "server/app/match/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <thread>

#include <CLI/CLI.hpp>

#include "engines/match/ladder.h"
#include "engines/usi/text.h"
#include "server/app/commands.h"

namespace fuhyo::app {
namespace {

using Failure = std::unexpected<std::string>;
using shogi::DeclarationRule;

constexpr std::array<std::pair<const char*, DeclarationRule>, 6> kDeclarations = {
    {{"27", DeclarationRule::POINTS_27},
     {"27h", DeclarationRule::POINTS_27_H},
     {"24", DeclarationRule::POINTS_24},
     {"24h", DeclarationRule::POINTS_24_H},
     {"try", DeclarationRule::TRY},
     {"none", DeclarationRule::NONE}}};

std::optional<double> to_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "A,B[,C]" of whole numbers.
std::expected<std::vector<int>, std::string> numbers_of(std::string_view flag, const std::string& text,
                                                        std::size_t least, std::size_t most) {
  std::vector<int> numbers;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const auto value = usi::to_integer(rest.substr(0, comma));
    if (!value || *value < 0 || *value > 1'000'000)
      return Failure(fmt::format("{} {}: numbers are expected", flag, text));
    numbers.push_back(static_cast<int>(*value));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (numbers.size() < least || numbers.size() > most) {
    return Failure(fmt::format("{} {}: {} to {} numbers are expected", flag, text, least, most));
  }
  return numbers;
}

std::expected<void, std::string> set_adjudication(const MatchOptions& options, match::Adjudication& out) {
  if (!options.resign.empty()) {
    std::string text = options.resign;
    out.both = text.ends_with(",both");
    if (out.both) text.resize(text.size() - 5);
    const auto numbers = numbers_of("--resign", text, 1, 2);
    if (!numbers) return Failure(numbers.error());
    out.resign_cp = numbers->at(0);
    if (numbers->size() > 1) out.resign_moves = std::max(numbers->at(1), 1);
  }
  if (!options.draw.empty()) {
    const auto numbers = numbers_of("--draw", options.draw, 1, 3);
    if (!numbers) return Failure(numbers.error());
    out.draw_cp = numbers->at(0);
    if (numbers->size() > 1) out.draw_moves = std::max(numbers->at(1), 1);
    if (numbers->size() > 2) out.draw_after = numbers->at(2);
  }
  return {};
}

std::expected<void, std::string> set_rules(const MatchOptions& options, match::Rules& rules) {
  rules.move_limit = options.move_limit;
  rules.margin_ms = options.margin_ms;
  rules.hang_ms = options.hang_ms;
  rules.patience_ms = options.patience_s * 1000;
  for (const auto& [word, rule] : kDeclarations) {
    if (options.declaration == word) rules.declaration = rule;
  }
  return set_adjudication(options, rules.adjudication);
}

std::expected<void, std::string> set_sprt(const MatchOptions& options, std::optional<match::Sprt>& out) {
  if (options.sprt.empty()) return {};
  const std::size_t comma = options.sprt.find(',');
  match::Sprt test{.alpha = options.alpha, .beta = options.beta};
  const auto scale = match::parse_elo_scale(options.sprt_scale);
  if (!scale) return Failure("--sprt-elo: logistic or normalised is expected");
  test.scale = *scale;
  const std::string_view text = options.sprt;
  const auto elo0 = to_number(text.substr(0, comma));
  const auto elo1 = comma == std::string_view::npos ? std::nullopt : to_number(text.substr(comma + 1));
  if (!elo0 || !elo1) return Failure(fmt::format("--sprt {}: ELO0,ELO1 is expected", options.sprt));
  test.elo0 = *elo0;
  test.elo1 = *elo1;
  out = test;
  return {};
}

std::expected<void, std::string> set_engines(const MatchOptions& options, match::MatchPlan& plan) {
  match::Contestant base;
  if (!options.time.empty()) {
    const auto time = match::parse_time_control(options.time);
    if (!time) return Failure(fmt::format("--tc {}: {}", options.time, time.error()));
    base.time = *time;
  }
  const auto each = match::parse_contestant(options.each, base);
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
  match::ScheduleTerms& terms = plan.schedule;
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

std::expected<void, std::string> set_openings(const MatchOptions& options, match::MatchPlan& plan) {
  if (options.openings.empty()) return {};
  match::OpeningOptions reading{.first = static_cast<std::size_t>(options.first_opening - 1)};
  if (options.opening_plies >= 0) reading.max_plies = static_cast<int>(options.opening_plies);
  if (options.shuffle) reading.seed = options.seed;
  auto read = match::read_openings(options.openings, reading);
  if (!read) return Failure(read.error());
  plan.openings = std::move(read->openings);
  return {};
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
  command.add_option("--tc", options.time,
                     "Time control of every engine: 2+0.1, time=2000,inc=100, byoyomi=500, movetime=100, nodes=5000, "
                     "depth=6 (milliseconds)");
  command.add_option("-o,--openings", options.openings,
                     "File of openings (SFEN, USI or CSA moves, buoys, CSA records), or a folder of records");
  command.add_option("--opening-plies", options.opening_plies, "Play openings only so far");
  command.add_option("--first-opening", options.first_opening, "Begin with this one (1)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  command.add_flag("--shuffle", options.shuffle, "Openings in an order that --seed draws");
  command.add_option("-n,--games", options.games, "Games that each two engines play (100)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  command.add_option("--rounds", options.rounds, "The same as openings that each two play")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  command.add_flag("--one-game", options.one_game, "One game from each opening, not one with either colour");
  command.add_flag("--gauntlet", options.gauntlet, "The first engines (--seeds) against all others");
  command.add_flag("--chain", options.chain, "Each engine against the next one: levels, versions")
      ->excludes("--gauntlet");
  command.add_option("--seeds", options.seeds, "... how many of them (1)");
  command.add_option("-j,--concurrency", options.concurrency, "Games at a time (1)")->check(CLI::Range(1, 1024));
  command.add_flag("--pin", options.pin, "Bind the engines of each game to a core of their own");
  command.add_option("--seed", options.seed, "Of everything that is drawn by lot (1)");
  command.add_option("--sprt", options.sprt, "ELO0,ELO1: stop as soon as it is known which of the two holds");
  command.add_option("--sprt-elo", options.sprt_scale, "Its scale: normalised (default) or logistic");
  command.add_option("--alpha", options.alpha, "Chance to accept ELO1 where ELO0 is true (0.05)");
  command.add_option("--beta", options.beta, "Chance to accept ELO0 where ELO1 is true (0.05)");
  command.add_option("--max-moves", options.move_limit, "A draw after so many plies, openings included; 0: none (320)")
      ->check(CLI::Range(0, 100'000));
  std::vector<std::string> rules;
  for (const auto& [word, rule] : kDeclarations) rules.emplace_back(word);
  command.add_option("--declaration", options.declaration, "Rule of declared wins: 27, 27h, 24, 24h, try, none (27)")
      ->check(CLI::IsMember(rules));
  command.add_option("--margin", options.margin_ms, "Milliseconds over the clock before it is lost (20)")
      ->check(CLI::Range(0, 1'000'000));
  command.add_option("--hang", options.hang_ms, "... before an engine is taken to hang and started anew (10000)")
      ->check(CLI::Range(1, 1'000'000'000));
  command.add_option("--patience", options.patience_s, "The same for engines without a clock, seconds (600)")
      ->check(CLI::Range(1, 1'000'000));
  command.add_option("--resign", options.resign,
                     "CP[,MOVES][,both]: lost after MOVES (4) own scores of -CP or worse, agreed to by the opponent's");
  command.add_option("--draw", options.draw,
                     "CP[,MOVES[,PLY]]: drawn after MOVES (8) scores of either side within CP, "
                     "from PLY (160) on");
  command.add_flag("--stop-at-fault", options.stop_at_fault,
                   "End at the first crash, hang, illegal move or loss on time");
  command.add_option("--out", options.games_file,
                     "File of all games, a line of JSON each; a match that was interrupted goes on from it");
  command.add_option("--pgn", options.pgn, "Also add each game to this file as PGN, for Ordo and BayesElo");
  command.add_option("--csa", options.csa, "... as CSA V3.0 records with times and evaluations");
  command.add_option("--protocol-log", options.protocol_log, "Every line to and from the engines");
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
  add_queue_flags(command, options);
}

std::expected<match::MatchPlan, PlanError> plan_of(const MatchOptions& options) {
  const auto wrong = [](std::string text, int code = kExitUsage) {
    return std::unexpected(PlanError{std::move(text), code});
  };
  match::MatchPlan plan;
  if (auto set = set_engines(options, plan); !set) return wrong(set.error());
  if (auto set = set_rules(options, plan.runner.rules); !set) return wrong(set.error());
  if (auto set = set_sprt(options, plan.sprt); !set) return wrong(set.error());
  if (auto set = set_openings(options, plan); !set) return wrong(set.error(), kExitNoInput);
  set_schedule(options, plan);
  plan.runner.concurrency = options.concurrency;
  plan.runner.seed = options.seed;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  for (int slot = 0; options.pin && slot < options.concurrency; ++slot) {
    plan.runner.cores.push_back(cores > 0 ? slot % cores : 0);
  }
  plan.stop_at_fault = options.stop_at_fault;
  plan.ledger = options.games_file;
  return plan;
}

}  // namespace fuhyo::app
