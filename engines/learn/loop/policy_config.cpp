#include "engines/learn/loop/policy_config.h"

#include <fmt/format.h>

#include "engines/learn/loop/settings_table.h"
#include "engines/learn/policy/taken_weights.h"
#include "engines/mcts/shogi/shogi_model.h"

namespace fuhyo::learn {
namespace {

using Failure = std::unexpected<std::string>;

constexpr std::int64_t kMostOfAll = 1'000'000'000;  // no number of games or steps is larger

void read_machine(SettingsTable& table, PolicyLoopConfig& config) {
  table.path("network", config.network);
  table.path("checkpoint", config.checkpoint);
  table.path("engine", config.engine);
  table.integer("processes", config.processes, 0, 1'024);
  table.integer("at_once", config.at_once, 1, 65'536);
  table.integer("cache_mb", config.cache_mb, 0, 1 << 20);
}

void read_learning(SettingsTable& table, PolicyGeneration& generation) {
  table.integer("window", generation.window, 1, 1'000);
  policy::learning_fields(table, generation.train);
}

void read_training(SettingsTable& table, PolicyLoopConfig& config, PolicyGeneration& generation) {
  policy::shape_fields(table, generation.train.shape);
  table.paths("teacher", config.mix.files);
  fields(table, config.mix);
  table.paths("tests", config.tests);
  read_learning(table, generation);
}

std::string fault_of(const PolicyLoopConfig& config) {
  if (config.network.empty()) return "[policy] says no 'network'";
  if (config.tests.empty()) return "[train] says no 'tests'";
  if (std::string fault = fault_of(config.gate); !fault.empty()) return fault;
  if (config.generations.empty()) return "there is no [[generation]]";
  const nn::Shape& shape = config.generations.front().train.shape;  // that of all
  if (const auto layout = policy::Layout::make(shape); !layout) return "[train]: " + layout.error();
  for (const PolicyGeneration& generation : config.generations) {
    if (generation.games == 0) return "a [[generation]] says no 'games'";
    if (generation.train.batch % generation.train.learn.pass != 0) {
      return "'batch' in [train] is to be a multiple of 'norm_batch'";
    }
  }
  return {};
}

}  // namespace

std::expected<PolicyLoopConfig, std::string> parse_policy_config(std::string_view text,
                                                                 const std::filesystem::path& file) {
  const auto parsed = parse_toml(text, file);
  if (!parsed) return Failure(parsed.error());
  PolicyLoopConfig config;
  config.text = text;
  PolicyGeneration usual;
  usual.train.shape = policy::default_shape();
  usual.train.rate = {.first = 2e-4, .last = 1e-5, .warm_up = 100};
  std::string wrong;
  SettingsTable root(*parsed, "", file, wrong);
  root.integer("seed", config.seed, 0, INT64_MAX);
  root.part("policy", [&](SettingsTable& table) { read_machine(table, config); });
  read_self_play(root, config.openings, config.starts, [&](SettingsTable& table) { fields(table, usual.play); });
  root.part("train", [&](SettingsTable& table) { read_training(table, config, usual); });
  root.part("gate", [&](SettingsTable& table) { read_gate(table, "playouts", config.gate); });
  root.parts("generation", [&](SettingsTable& table) {
    PolicyGeneration& generation = config.generations.emplace_back(usual);
    table.integer("games", generation.games, 1, kMostOfAll);
    table.integer("playouts", generation.play.playouts, 1, kMostPlayouts);
    read_learning(table, generation);
  });
  root.finish();
  if (const std::string fault = fault_of(config); wrong.empty() && !fault.empty()) {
    wrong = fmt::format("{}: {}", file.string(), fault);
  }
  if (!wrong.empty()) return Failure(wrong);
  return config;
}

std::expected<void, std::string> check(const PolicyLoopConfig& config) {
  if (auto network = mcts::load_shogi_model(std::filesystem::path(config.network)); !network) {
    return Failure(network.error());
  }
  if (config.checkpoint.empty()) return {};
  const auto layout = policy::Layout::make(config.generations.front().train.shape);
  if (!layout) return Failure(layout.error());
  policy::Learner::State state;
  for (Floats* weights : {&state.weights, &state.mean, &state.square}) weights->resize(layout->size);
  state.statistics.resize(layout->statistics);
  if (auto taken = policy::take_weights(config.checkpoint, *layout, state); !taken) return Failure(taken.error());
  return {};
}

}  // namespace fuhyo::learn
