#include "engines/learn/othello/config.h"

#include <fmt/format.h>

#include "engines/learn/loop/settings_table.h"
#include "engines/othello/othello_game.h"

namespace fuhyo::learn {
namespace {

constexpr std::int64_t kMostGames = 100'000'000;
constexpr int kMostPlayouts = 1'000'000;

void read_games(SettingsTable& table, OthelloConfig& config) {
  table.integer("epochs", config.epochs, 1, 10'000);
  table.integer("games", config.games, 1, kMostGames);
  table.integer("part", config.part, 1, 1'000'000);
  table.integer("playouts", config.play.search.playouts, 1, kMostPlayouts);
  table.real("exploration", config.play.search.exploration, 0, 100);
  table.real("noise", config.play.search.noise, 0, 1);
  table.real("noise_alpha", config.play.search.alpha, 1e-3, 1e3);
  table.integer("at_once", config.play.at_once, 1, 4'096);
  policy::shape_fields(table, config.train.shape);
}

void read_training(SettingsTable& table, OthelloConfig& config) {
  table.integer("window", config.window, 1, 10'000);
  table.integer("passes", config.train.epochs, 1, 10'000);
  fields(table, config.train.learn);
  fields(table, config.train.rate);
  policy::batch_field(table, config.train.batch);
}

void read_arena(SettingsTable& table, OthelloConfig& config) {
  table.integer("games", config.arena_games, 1, kMostGames);
  table.integer("playouts", config.arena_playouts, 1, kMostPlayouts);
  table.integers("table", config.arena_table, 1, kMostPlayouts);
}

}  // namespace

std::expected<OthelloConfig, std::string> parse_othello_config(std::string_view text,
                                                               const std::filesystem::path& file) {
  const auto parsed = parse_toml(text, file);
  if (!parsed) return std::unexpected(parsed.error());
  OthelloConfig config;
  config.train.shape = othello::default_shape();
  config.train.rate = {.first = 2e-3, .last = 2e-4, .warm_up = 100};
  config.train.epochs = 1;
  config.train.validations = 1;
  std::string wrong;
  SettingsTable root(*parsed, "", file, wrong);
  root.integer("seed", config.seed, 0, INT64_MAX);
  root.integer("threads", config.threads, 0, static_cast<int>(policy::kMostLanes));
  root.part("othello", [&](SettingsTable& table) { read_games(table, config); });
  root.part("train", [&](SettingsTable& table) { read_training(table, config); });
  root.part("arena", [&](SettingsTable& table) { read_arena(table, config); });
  root.finish();
  if (const auto fits = othello::check_shape(config.train.shape); wrong.empty() && !fits) {
    wrong = fmt::format("{}: {}", file.string(), fits.error());
  }
  if (wrong.empty() && config.train.batch % config.train.learn.pass != 0) {
    wrong = fmt::format("{}: 'batch' in [train] is to be a multiple of 'norm_batch'", file.string());
  }
  if (!wrong.empty()) return std::unexpected(wrong);
  return config;
}

}  // namespace fuhyo::learn
