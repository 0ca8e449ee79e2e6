#include "engines/learn/loop/config.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/learn/data/whole_file.h"
#include "engines/learn/loop/settings_table.h"
#include "engines/learn/train/export.h"
#include "engines/nnue/net/network.h"

namespace fuhyo::learn {
namespace {

using Failure = std::unexpected<std::string>;

// Whole numbers that no game or network is larger than.
constexpr std::int64_t kMany = 1'000'000'000;

void read_training(SettingsTable& table, LoopGeneration& generation) {
  TrainOptions& train = generation.train;
  table.integer("window", generation.window, 1, 1'000);
  table.flag("from_best", generation.from_best);
  table.path("strong_moves", train.comparison.lines);
  fields(table, train.comparison);
  table.text("features", train.shape.features);
  fields(table, train);
}

std::string fault_of(const std::vector<LoopGeneration>& generations) {
  for (std::size_t i = 0; i < generations.size(); ++i) {
    const LoopGeneration& generation = generations[i];
    const ModelShape& shape = generation.train.shape;
    if (const std::string fault = fault_of(shape); !fault.empty())
      return fmt::format("[[generation]] {}: {}", i, fault);
    const auto is_other = [&](const LoopGeneration& before) { return before.train.shape != shape; };
    if (generation.from_best &&
        std::any_of(generations.begin(), generations.begin() + static_cast<std::ptrdiff_t>(i), is_other)) {
      return fmt::format("[[generation]] {}: 'from_best', and a generation before has a network of another shape", i);
    }
  }
  return {};
}

}  // namespace

void read_self_play(SettingsTable& root, std::string& openings, StartOptions& starts,
                    const std::function<void(SettingsTable& table)>& rest) {
  bool says_last = false;
  root.part("self_play", [&](SettingsTable& table) {
    table.path("openings", openings);
    fields(table, starts);
    says_last = table.has("last_ply");
    rest(table);
  });
  if (!says_last) starts.last_ply = usual_last_ply(starts.first_ply, !openings.empty());
}

void read_gate(SettingsTable& table, std::string_view nodes, GateOptions& gate) {
  table.path("openings", gate.openings);
  table.pair("elo", gate.test.elo0, gate.test.elo1, -200, 200, -200);
  table.integer(nodes, gate.test_nodes, 1, kMany);
  table.integer("games", gate.test_games, 2, kMany);
  table.integer(fmt::format("match_{}", nodes), gate.match_nodes, 1, kMany);
  table.integer("match_games", gate.match_games, 0, kMany);
}

std::string fault_of(const GateOptions& gate) {
  if (gate.openings.empty()) return "[gate] says no 'openings'";
  return gate.test.elo0 < gate.test.elo1 ? "" : "'elo' in [gate]: the first number is to be the lower one";
}

std::expected<LoopConfig, std::string> parse_loop_config(std::string_view text, const std::filesystem::path& file) {
  const auto parsed = parse_toml(text, file);
  if (!parsed) return Failure(parsed.error());
  LoopConfig config;
  config.text = text;
  std::string wrong;
  SettingsTable root(*parsed, "", file, wrong);
  root.integer("seed", config.seed, 0, INT64_MAX);
  root.integer("processes", config.processes, 0, 1'024);
  root.path("engine", config.engine);
  root.path("network", config.network);
  root.integer("network_fv_scale", config.fv_scale, 1, 128);
  LoopGeneration usual;  // each generation may say otherwise
  read_self_play(root, config.openings, config.starts, [&](SettingsTable& table) { fields(table, usual.play); });
  root.part("train", [&](SettingsTable& table) { read_training(table, usual); });
  root.part("gate", [&](SettingsTable& table) { read_gate(table, "nodes", config.gate); });
  root.parts("generation", [&](SettingsTable& table) {
    LoopGeneration& generation = config.generations.emplace_back(usual);
    table.integer("games", generation.games, 1, kMany);
    table.integer("nodes", generation.play.nodes, 1, kMany);
    read_training(table, generation);
    table.finish();  // its own mistakes come first
    if (generation.games == 0) table.complain("[[generation]] says no 'games'");
  });
  root.finish();
  if (wrong.empty() && config.generations.empty()) wrong = file.string() + ": there is no [[generation]]";
  if (const std::string fault = fault_of(config.gate); wrong.empty() && !fault.empty()) {
    wrong = fmt::format("{}: {}", file.string(), fault);
  }
  if (const std::string fault = fault_of(config.generations); wrong.empty() && !fault.empty()) {
    wrong = fmt::format("{}: {}", file.string(), fault);
  }
  if (!wrong.empty()) return Failure(wrong);
  return config;
}

std::expected<void, std::string> check(const LoopConfig& config) {
  if (config.network.empty()) return {};
  const auto bytes = read_file(config.network);
  if (!bytes) return Failure(bytes.error());
  const auto wrong = [&](const std::string& why) { return Failure(fmt::format("{}: {}", config.network, why)); };
  if (auto network = nnue::Network::load(config.network); !network) return wrong(network.error());
  for (const LoopGeneration& generation : config.generations) {
    if (!generation.from_best) continue;
    auto model = Model::make(generation.train.shape, 0);
    const auto taken = model ? take_weights(*model, *bytes) : std::expected<void, std::string>(Failure(model.error()));
    if (!taken) return wrong("'from_best': " + taken.error());
  }
  return {};
}

}  // namespace fuhyo::learn
