// `fuhyo rate`: ratings of the players of recorded games, by the model with draws and the first move, or exactly as
// shogi-server's mk_rate makes them.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "engines/record/record_format.h"
#include "engines/shogi/number.h"
#include "server/app/commands.h"
#include "server/app/rate/report.h"
#include "server/app/serve/host_facts.h"
#include "server/core/counted.h"
#include "server/core/rating/model.h"
#include "server/core/rating/shogi_server.h"
#include "server/store/records/disk.h"
#include "server/store/results/collector.h"
#include "server/store/shogi_server/local_time.h"
#include "server/store/shogi_server/players_file.h"
#include "server/store/store.h"

namespace fuhyo::app {
namespace {

namespace fs = std::filesystem;
namespace rating = core::rating;

constexpr std::size_t kFaultsShown = 20;

struct RateOptions {
  std::vector<std::string> files;
  std::string store;
  std::string anchor, draws = "davidson", first_move = "auto", date, players_yaml;
  double anchor_rate = 1500, mean = 1000, half_life = -1, half_life_ignore = 7, ignore = 730;
  int abnormal = 30;
  bool shogi_server = false, json = false, all_faults = false;

  bool as_shogi_server() const { return shogi_server || !players_yaml.empty(); }
};

int rate_error(const std::string& text, int code = kExitUsage) {
  fmt::print(stderr, "fuhyo rate: {}\n", text);
  return code;
}

// ---- what there is to read ----

bool is_results_file(const fs::path& path) {
  const std::string ending = path.extension().string();
  return (!ending.empty() && record::format_by_extension(ending.substr(1))) || path.extension() == ".pgn" ||
         path.filename().string().starts_with("00LIST");
}

// The files that were named, and those with results in folders that were.
std::expected<std::vector<fs::path>, std::string> find_files(const std::vector<std::string>& named) {
  std::vector<fs::path> files;
  for (const std::string& name : named) {
    std::error_code error;
    if (!fs::is_directory(name, error)) {
      if (!fs::exists(name, error)) return std::unexpected(fmt::format("{}: no such file", name));
      files.emplace_back(name);
      continue;
    }
    const std::size_t first = files.size();
    for (fs::recursive_directory_iterator it(name, error), end; !error && it != end; it.increment(error)) {
      if (it->is_regular_file() && is_results_file(it->path())) files.push_back(it->path());
    }
    if (error) return std::unexpected(fmt::format("{}: {}", name, error.message()));
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
  }
  return files;
}

std::expected<void, std::string> read_files(const std::vector<fs::path>& files, store::ResultCollector& results) {
  for (const fs::path& path : files) {
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in.is_open() || in.bad()) return std::unexpected(fmt::format("{}: cannot be read", path.string()));
    results.add_file(bytes, path.string());
  }
  return {};
}

void tell_faults(const store::ResultCollector& results, bool all) {
  const std::size_t count = results.faults().size();
  const std::size_t shown = all ? count : std::min(count, kFaultsShown);
  for (std::size_t i = 0; i < shown; ++i) fmt::print(stderr, "{}\n", to_string(results.faults()[i]));
  if (shown < count) fmt::print(stderr, "... and {} more (--all-faults lists them)\n", count - shown);
  fmt::print(stderr, "{} read; left out: {} unreadable, {} without a result, {} read before\n",
             core::counted(results.games().size(), "game"), count, results.without_result(), results.repeated());
  if (results.without_time() > 0) {
    fmt::print(stderr, "games that do not say when they were played, and count as very old: {}\n",
               results.without_time());
  }
}

std::expected<rating::Games, std::string> games_of_files(const RateOptions& options, const core::TimeZone& zone) {
  const auto files = find_files(options.files);
  if (!files) return std::unexpected(files.error());
  store::ResultCollector results(zone);
  if (auto read = read_files(*files, results); !read) return std::unexpected(read.error());
  tell_faults(results, options.all_faults);
  return results.games();
}

// Those that a running server rates by.
std::expected<rating::Games, std::string> games_of_store(const std::string& where) {
  const auto store = store::make_store(where);
  if (!store) return std::unexpected(fmt::format("--store: {}", store.error()));
  const auto archive = (*store)->open_ratings();
  if (!archive) return std::unexpected(archive.error());
  rating::Games games;
  if (auto read = (*archive)->read_new_games(games); !read) return std::unexpected(read.error());
  return games;
}

// ---- the two ways to rate ----

rating::ShogiServerRules shogi_server_rules(const RateOptions& options, core::Wall base) {
  rating::ShogiServerRules rules{.base = base,
                                 .half_life_days = options.half_life < 0 ? 60 : options.half_life,
                                 .half_life_ignore_days = options.half_life_ignore,
                                 .ignore_days = options.ignore,
                                 .abnormal_plies = options.abnormal,
                                 .skip_draws = options.draws == "skip"};
  if (!options.anchor.empty()) {
    rules.fixed = {.player = options.anchor, .rate = static_cast<std::int32_t>(options.anchor_rate)};
  }
  return rules;
}

int rate_as_shogi_server(const RateOptions& options, const rating::Games& games, core::Wall base,
                         const core::TimeZone& zone) {
  const auto rated = rating::rate_as_shogi_server(games, shogi_server_rules(options, base));
  if (!rated) return rate_error(rated.error(), kExitFailed);
  const std::string text = store::write_players(rated->table, zone);
  if (options.players_yaml.empty()) {
    fmt::print("{}", text);
    return kExitOk;
  }
  if (const auto written = store::replace_file(options.players_yaml, text); !written) {
    return rate_error(written.error(), kExitCannotCreate);
  }
  fmt::print(stderr, "{} rated, {} with too few games\n", core::counted(rated->exact.size(), "player"),
             rated->table.players.size() - rated->exact.size());
  return kExitOk;
}

std::optional<double> parse_points(const std::string& text) {
  const auto value = shogi::number_of<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

int rate_by_model(const RateOptions& options, const rating::Games& games, core::Wall base) {
  rating::ModelRules rules{.mean = options.mean};
  if (options.draws != "davidson") rules.draws = options.draws == "half" ? rating::Draws::half : rating::Draws::skip;
  if (options.first_move != "auto") {
    rules.first_move = parse_points(options.first_move);
    if (!rules.first_move) {
      return rate_error(fmt::format("--first-move: '{}' is neither a number nor 'auto'", options.first_move));
    }
  }
  if (!options.anchor.empty()) rules.anchor = {.player = options.anchor, .rate = options.anchor_rate};
  if (options.half_life > 0) rules.half_life_days = options.half_life;
  if (options.half_life > 0 || !options.date.empty()) rules.base = base;
  const auto rated = rating::rate_by_model(games, rules);
  if (!rated) return rate_error(rated.error(), kExitFailed);
  fmt::print("{}", options.json ? rating_json(*rated) : rating_table(*rated));
  return kExitOk;
}

core::Wall now() {
  using std::chrono::duration_cast, std::chrono::microseconds;
  return {duration_cast<microseconds>(std::chrono::system_clock::now().time_since_epoch()).count()};
}

int run(const RateOptions& options) {
  if (options.files.empty() == options.store.empty()) return rate_error("which games? FILES, or --store ADDRESS");
  if (options.json && options.as_shogi_server()) return rate_error("--json does not go with --shogi-server");
  if (options.as_shogi_server() && options.half_life == 0) return rate_error("--half-life: must be above 0");
  constexpr std::int64_t kTwentyYears = 20LL * 366 * 86'400 * core::kSecond;
  const core::TimeZone zone = local_time_zone({now().us - kTwentyYears});
  core::Wall base = now();
  if (!options.date.empty()) {
    const auto date =
        store::parse_local_time(options.date.contains(' ') ? options.date : options.date + " 00:00:00", zone);
    if (!date) return rate_error(fmt::format("--date: '{}' is no day like 2026/01/31", options.date));
    base = *date;
  }
  const auto games = options.store.empty() ? games_of_files(options, zone) : games_of_store(options.store);
  if (!games) return rate_error(games.error(), kExitNoInput);
  if (games->size() == 0) return rate_error("there is no game to rate by", kExitNoInput);
  return options.as_shogi_server() ? rate_as_shogi_server(options, *games, base, zone)
                                   : rate_by_model(options, *games, base);
}

void add_model_options(CLI::App& rate, RateOptions& options) {
  rate.add_option("--anchor", options.anchor, "this player's rate is --anchor-rate")->type_name("ID");
  rate.add_option("--anchor-rate", options.anchor_rate, "see --anchor")->capture_default_str();
  rate.add_option("--mean", options.mean, "mean of all rates where there is no anchor")->capture_default_str();
  rate.add_option("--draws", options.draws, "davidson (a result of its own), half (half a win for each), skip")
      ->check(CLI::IsMember({"davidson", "half", "skip"}))
      ->capture_default_str();
  rate.add_option("--first-move", options.first_move, "points that the first move is worth; auto: found from the games")
      ->capture_default_str();
  rate.add_option("--half-life", options.half_life,
                  "days after which a game weighs half; 0: none (default; 60 with --shogi-server)")
      ->check(CLI::Range(0.0, 36500.0));
  rate.add_option("--date", options.date, "rates of that day: later games do not count (now)")->type_name("YYYY/MM/DD");
  rate.add_flag("--json", options.json, "JSON instead of a table");
  rate.add_flag("--all-faults", options.all_faults, "names every line that cannot be read, not only the first ones");
}

void add_shogi_server_options(CLI::App& rate, RateOptions& options) {
  rate.add_flag("--shogi-server", options.shogi_server, "as shogi-server's mk_rate: players.yaml on standard output");
  rate.add_option("--players-yaml", options.players_yaml, "the same, into this file")->type_name("FILE");
  rate.add_option("--half-life-ignore", options.half_life_ignore, "with --shogi-server: days before games lose weight")
      ->check(CLI::Range(0.0, 36500.0))
      ->capture_default_str();
  rate.add_option("--ignore", options.ignore, "with --shogi-server: older games, in days, do not count")
      ->check(CLI::Range(0.0, 36500.0))
      ->capture_default_str();
  rate.add_option("--abnormal-threshold", options.abnormal,
                  "with --shogi-server: games that a player left count beyond so many moves; 0: never")
      ->check(CLI::Range(0, 10000))
      ->capture_default_str();
}

}  // namespace

Command add_rate(CLI::App& root) {
  auto options = std::make_shared<RateOptions>();
  CLI::App* rate = manual::add_command(root, "rate", "Rates players by their games");
  rate->add_option("FILES", options->files,
                   "records (CSA, KIF, KI2, JKF), lists of results (00LIST*), PGN (*.pgn), and folders of them");
  rate->add_option("--store", options->store,
                   "instead of files: a server's rated games; sqlite:FILE or postgres://USER@HOST/DATABASE")
      ->type_name("ADDRESS");
  add_model_options(*rate, *options);
  add_shogi_server_options(*rate, *options);
  return [options] { return run(*options); };
}

}  // namespace fuhyo::app
