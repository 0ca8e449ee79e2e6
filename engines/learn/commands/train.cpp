// `fuhyo-learn train`: a network out of games.
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/learn/train/game_set.h"
#include "engines/learn/train/trainer.h"
#include "engines/manual/add_command.h"
#include "engines/usi/process_stop.h"

namespace fuhyo::learn {
namespace {

struct TrainArguments {
  TrainOptions options;
  std::vector<std::string> data;
  std::string folder, method = "adam";
};

void add_network_flags(CLI::App& command, TrainArguments& arguments) {
  ModelShape& shape = arguments.options.shape;
  command.add_option("--features", shape.features, "Inputs of the network (K+P)");
  command.add_option("--width", shape.width, "Values of the transformer, one side (256)");
  command.add_option("--hidden1", shape.hidden1, "Values of the first hidden layer (32)");
  command.add_option("--hidden2", shape.hidden2, "... and of the second (32)");
  command.add_option("--from", arguments.options.from, "A network of this shape to go on from (weights by chance)");
  command.add_option("--fv-scale", shape.fv_scale, "What the engine will divide the output by (16)");
}

void add_learning_flags(CLI::App& command, TrainArguments& arguments) {
  TrainOptions& options = arguments.options;
  command.add_option("--lambda", options.lambda, "How much of a target the score is; the rest is the result (0.7)")
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--epochs", options.epochs, "Passes over the games (10)")->check(CLI::Range(1, 10'000));
  command.add_option("--batch", options.batch, "Positions to a step (16384)")->check(CLI::Range(1, 1 << 24));
  command.add_option("--optimiser", arguments.method, "adam, adamw, amsgrad, adabound or amsbound (adam)");
  command.add_option("--rate", options.rate.first, "Learning rate at first (0.001)")->check(CLI::Range(1e-9, 1.0));
  command.add_option("--last-rate", options.rate.last, "... and at the end of a cosine (0.00001)")
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--warm-up", options.rate.warm_up, "Steps in which the rate rises to the first (0)");
  command.add_option("--decay", options.method.decay, "adamw: how fast weights shrink (0.01)")
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--final-rate", options.method.final_rate,
                     "adabound, amsbound: what the bounds close in on (0.1)");
  command.add_option("--seed", options.sampler.seed, "Of everything that is drawn by lot (1)");
}

void add_comparison_flags(CLI::App& command, TrainArguments& arguments) {
  ComparisonOptions& options = arguments.options.comparison;
  CLI::Option* lines = command.add_option("--strong-moves", options.lines,
                                          "Lines of strong players' moves to learn from, plain or compressed");
  const auto add = [&](const std::string& name, auto& value, const std::string& text) {
    return command.add_option(name, value, text)->needs(lines);
  };
  add("--comparisons", options.each_step, "Of them beside each batch (256)")->check(CLI::Range(1, 1 << 20));
  add("--choices", options.choices, "Moves of a comparison, a power of two (16)")->check(CLI::Range(2, 256));
  add("--comparison-weight", options.weight, "Of their loss beside that of positions (0.1)")
      ->check(CLI::Range(0.0, 1e6));
  add("--temperature", options.temperature, "Values so far apart are exp(1) times as probable (100)")
      ->check(CLI::Range(1.0, 1e6));
  add("--strong-first-ply", options.first_ply, "Moves of these plies on (8)")->check(CLI::Range(1, 1'000));
  add("--strong-last-ply", options.last_ply, "... to these (60)")->check(CLI::Range(1, 1'000));
}

void add_data_flags(CLI::App& command, TrainArguments& arguments) {
  TrainOptions& options = arguments.options;
  command
      .add_option("data", arguments.data,
                  "Files of games, folders or patterns; FILE=0.5: half as many positions of each game")
      ->required();
  command
      .add_option(
          "-o,--output", arguments.folder,
          "Folder: gets net.nn.bin, checkpoint and log.jsonl; the same command goes on with what is begun there")
      ->required();
  command.add_option("--per-game", options.sampler.per_game, "Positions of a game in a pass, at most (16)")
      ->check(CLI::Range(1, 1'000));
  command.add_option("--score-limit", options.sampler.score_limit, "Scores beyond are left out (2000)")
      ->check(CLI::Range(1, 32'767));
  command.add_option("--held-back", options.sampler.held_back, "One game of so many is for validation (64); 0: none");
  command
      .add_option("--pool", options.sampler.pool,
                  "Positions that are shuffled with each other, 82 bytes each (2000000)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 32U));
  command.add_option("--validation", options.validation, "Positions to validate with, at most (200000)");
  command.add_option("--positions", options.positions, "Positions whose best move is looked for, at most (2000)");
  command.add_option("-j,--threads", options.threads, "Threads (1); the network does not depend on them")
      ->check(CLI::Range(1, 1'024));
  command.add_option("--kernels", options.kernels, "auto, avx512, avx2 or plain (auto)");
  command.add_option("--checkpoint", options.checkpoint_s, "Seconds between two checkpoints (300)")
      ->check(CLI::Range(1, 1'000'000));
  command.add_option("--every", options.progress_s, "Seconds between two lines of progress (10)")
      ->check(CLI::Range(1, 1'000'000));
}

int run(TrainArguments& arguments) {
  const auto method = parse_method(arguments.method);
  if (!method) return complain("--optimiser: " + method.error()), kExitUsage;
  arguments.options.method.method = *method;
  std::vector<DataSet> sets;
  for (const std::string& name : arguments.data) {
    auto set = game_set(name);
    if (!set) return complain(set.error()), kExitUsage;
    sets.push_back(std::move(*set));
  }
  arguments.options.say = print_line;
  usi::StopBySignal stop;
  const auto trained = train(arguments.options, std::move(sets), arguments.folder, stop.token());
  if (!trained) return complain(trained.error()), kExitFailed;
  if (!trained->complete) return say_stopped();
  print_line(fmt::format("{}/{}: {} steps", arguments.folder, kNetworkName, trained->steps));
  return kExitOk;
}

}  // namespace

Command add_train(CLI::App& root) {
  CLI::App* command = manual::add_command(root, "train", "Train a network with games");
  const auto arguments = std::make_shared<TrainArguments>();
  add_data_flags(*command, *arguments);
  add_network_flags(*command, *arguments);
  add_learning_flags(*command, *arguments);
  add_comparison_flags(*command, *arguments);
  return [arguments] { return run(*arguments); };
}

}  // namespace fuhyo::learn
