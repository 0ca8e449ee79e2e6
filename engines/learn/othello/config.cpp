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
  nn::Shape& shape = config.train.shape;
  table.integer("channels", shape.channels, 1, nn::kMaxChannels);
  table.integer("blocks", shape.blocks, 0, nn::kMaxBlocks);
  table.integer("value_planes", shape.value_planes, 1, nn::kMaxPlanes);
  table.integer("value_hidden", shape.value_hidden, 1, nn::kMaxHidden);
}

void read_training(SettingsTable& table, OthelloConfig& config) {
  policy::TrainTerms& train = config.train;
  double value_weight = train.learn.value_weight, decay = train.learn.decay;
  table.integer("window", config.window, 1, 10'000);
  table.integer("passes", train.epochs, 1, 10'000);
  table.integer("batch", train.batch, 2, 1 << 20);
  table.integer("norm_batch", train.learn.pass, 2, 1 << 12);
  table.pair("rate", train.rate.first, train.rate.last, 0, 1);
  table.integer("warm_up", train.rate.warm_up, 0, 1'000'000'000);
  table.real("value_weight", value_weight, 0, 1e6);
  table.real("decay", decay, 0, 1);
  train.learn.value_weight = static_cast<float>(value_weight);
  train.learn.decay = static_cast<float>(decay);
}

void read_arena(SettingsTable& table, OthelloConfig& config) {
  table.integer("games", config.arena_games, 1, kMostGames);
  table.integer("playouts", config.arena_playouts, 1, kMostPlayouts);
  table.integers("table", config.arena_table, 1, kMostPlayouts);
}

}  // namespace

bool is_othello_config(std::string_view text) {
  const toml::parse_result parsed = toml::parse(text);
  return parsed && parsed.table().contains("othello");
}

std::expected<OthelloConfig, std::string> parse_othello_config(std::string_view text,
                                                               const std::filesystem::path& file) {
  const toml::parse_result parsed = toml::parse(text, file.string());
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return std::unexpected(fmt::format("{}:{}: {}", file.string(), error.source().begin.line, error.description()));
  }
  OthelloConfig config;
  config.train.shape = othello::default_shape();
  config.train.rate = {.first = 2e-3, .last = 2e-4, .warm_up = 100};
  config.train.epochs = 1;
  config.train.validations = 1;
  std::string wrong;
  SettingsTable root(parsed.table(), "", file, wrong);
  root.integer("seed", config.seed, 0, INT64_MAX);
  root.integer("threads", config.threads, 0, static_cast<int>(policy::kMostLanes));
  const auto part = [&](std::string_view name, const auto& read) {
    if (const toml::table* found = root.part(name)) {
      SettingsTable table(*found, std::string(name), file, wrong);
      read(table, config);
      table.finish();
    }
  };
  part("othello", read_games);
  part("train", read_training);
  part("arena", read_arena);
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
