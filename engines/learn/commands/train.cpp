// `fuhyo-learn train`: a network out of games.
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/learn/commands/setting_flags.h"
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

void add_flags(CLI::App& command, TrainArguments& arguments) {
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
  command.add_option("--from", options.from, "A network of this shape to go on from (weights by chance)");
  command.add_option("--features", options.shape.features, "Inputs of the network (K+P)");
  command.add_option("--optimiser", arguments.method, "adam, adamw, amsgrad, adabound or amsbound (adam)");
  SettingFlags flags(command);
  fields(flags, options);
  SettingFlags comparison_flags(
      command, command.add_option("--strong-moves", options.comparison.lines,
                                  "Lines of strong players' moves to learn from, plain or compressed"));
  fields(comparison_flags, options.comparison);
  add_training_flags(command, options, 1'024);
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
  CLI::App* command = manual::add_command(root, "train", "Trains a network with games");
  const auto arguments = std::make_shared<TrainArguments>();
  add_flags(*command, *arguments);
  return [arguments] { return run(*arguments); };
}

}  // namespace fuhyo::learn
