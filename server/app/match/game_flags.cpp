#include "server/app/match/game_flags.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <thread>
#include <utility>

#include <CLI/CLI.hpp>

#include "engines/match/openings.h"
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

std::expected<void, std::string> set_adjudication(const GameFlags& flags, match::Adjudication& out) {
  if (!flags.resign.empty()) {
    std::string text = flags.resign;
    out.both = text.ends_with(",both");
    if (out.both) text.resize(text.size() - 5);
    const auto numbers = numbers_of("--resign", text, 1, 2);
    if (!numbers) return Failure(numbers.error());
    out.resign_cp = numbers->at(0);
    if (numbers->size() > 1) out.resign_moves = std::max(numbers->at(1), 1);
  }
  if (!flags.draw.empty()) {
    const auto numbers = numbers_of("--draw", flags.draw, 1, 3);
    if (!numbers) return Failure(numbers.error());
    out.draw_cp = numbers->at(0);
    if (numbers->size() > 1) out.draw_moves = std::max(numbers->at(1), 1);
    if (numbers->size() > 2) out.draw_after = numbers->at(2);
  }
  return {};
}

std::expected<void, std::string> set_rules(const GameFlags& flags, match::Rules& rules) {
  rules.move_limit = flags.move_limit;
  rules.margin_ms = flags.margin_ms;
  rules.hang_ms = flags.hang_ms;
  rules.patience_ms = flags.patience_s * 1000;
  for (const auto& [word, rule] : kDeclarations) {
    if (flags.declaration == word) rules.declaration = rule;
  }
  return set_adjudication(flags, rules.adjudication);
}

}  // namespace

void add_game_flags(CLI::App& command, GameFlags& flags) {
  const auto option = [&](const char* names, auto& value, const char* help) {
    return command.add_option(names, value, help)->group("Games");
  };
  option("--tc", flags.time,
         "Time control of every engine: 2+0.1, time=2000,inc=100, byoyomi=500, movetime=100, nodes=5000, depth=6 "
         "(milliseconds)");
  option("-o,--openings", flags.openings,
         "File of openings (SFEN, USI or CSA moves, buoys, CSA records), or a folder of records");
  option("--opening-plies", flags.opening_plies, "Play openings only so far");
  option("--first-opening", flags.first_opening, "Begin with this one (1)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  command.add_flag("--shuffle", flags.shuffle, "Openings in an order that --seed draws")->group("Games");
  option("-j,--concurrency", flags.concurrency, "Games at a time (1)")->check(CLI::Range(1, 1024));
  command.add_flag("--pin", flags.pin, "Bind the engines of each game to a core of their own")->group("Games");
  option("--seed", flags.seed, "Of everything that is drawn by lot (1)");
  option("--max-moves", flags.move_limit, "A draw after so many plies, openings included; 0: none (320)")
      ->check(CLI::Range(0, 100'000));
  std::vector<std::string> rules;
  for (const auto& [word, rule] : kDeclarations) rules.emplace_back(word);
  option("--declaration", flags.declaration, "Rule of declared wins: 27, 27h, 24, 24h, try, none (27)")
      ->check(CLI::IsMember(rules));
  option("--margin", flags.margin_ms, "Milliseconds over the clock before it is lost (20)")
      ->check(CLI::Range(0, 1'000'000));
  option("--hang", flags.hang_ms, "... before an engine is taken to hang and started anew (10000)")
      ->check(CLI::Range(1, 1'000'000'000));
  option("--patience", flags.patience_s, "The same for engines without a clock, seconds (600)")
      ->check(CLI::Range(1, 1'000'000));
  option("--usiok-timeout", flags.usiok_s, "Seconds that an engine may take from its start to usiok (30)")
      ->check(CLI::Range(1, 86'400));
  option("--readyok-timeout", flags.readyok_s, "Seconds of silence between isready and readyok (300)")
      ->check(CLI::Range(1, 86'400));
  option("--resign", flags.resign,
         "CP[,MOVES][,both]: lost after MOVES (4) own scores of -CP or worse, agreed to by the opponent's");
  option("--draw", flags.draw,
         "CP[,MOVES[,PLY]]: drawn after MOVES (8) scores of either side within CP, from PLY (160) on");
  option("--protocol-log", flags.protocol_log, "Every line to and from the engines")->type_name("FILE");
}

std::expected<match::Contestant, ExitError> engine_base(const GameFlags& flags) {
  match::Contestant base;
  base.engine.start_ms = flags.usiok_s * 1000;
  base.engine.ready_ms = flags.readyok_s * 1000;
  if (flags.time.empty()) return base;
  const auto time = match::parse_time_control(flags.time);
  if (!time) return std::unexpected(ExitError{fmt::format("--tc {}: {}", flags.time, time.error()), kExitUsage});
  base.time = *time;
  return base;
}

std::vector<int> cores_of(const GameFlags& flags) {
  std::vector<int> cores;
  const int there = static_cast<int>(std::thread::hardware_concurrency());
  for (int slot = 0; flags.pin && slot < flags.concurrency; ++slot) cores.push_back(there > 0 ? slot % there : 0);
  return cores;
}

std::expected<match::RunnerOptions, ExitError> runner_terms(const GameFlags& flags) {
  match::RunnerOptions terms{
      .rules = {}, .concurrency = flags.concurrency, .seed = flags.seed, .cores = cores_of(flags)};
  if (auto set = set_rules(flags, terms.rules); !set) return std::unexpected(ExitError{set.error(), kExitUsage});
  return terms;
}

std::expected<std::vector<match::Opening>, ExitError> openings_of(const GameFlags& flags) {
  if (flags.openings.empty()) return {};
  match::OpeningOptions reading{.first = static_cast<std::size_t>(flags.first_opening - 1)};
  if (flags.opening_plies >= 0) reading.max_plies = static_cast<int>(flags.opening_plies);
  if (flags.shuffle) reading.seed = flags.seed;
  auto read = match::read_openings(flags.openings, reading);
  if (!read) return std::unexpected(ExitError{read.error(), kExitNoInput});
  return std::move(read->openings);
}

}  // namespace fuhyo::app
