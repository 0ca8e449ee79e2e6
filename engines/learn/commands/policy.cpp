// `fuhyo-learn policy`: a policy and value network out of samples.
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/learn/commands/setting_flags.h"
#include "engines/learn/policy/shogi_sample_source.h"
#include "engines/manual/add_command.h"
#include "engines/usi/process_stop.h"

namespace fuhyo::learn {
namespace {

struct PolicyArguments {
  policy::TrainOptions options{.shape = policy::default_shape()};
  std::vector<std::string> data, tests;
  policy::MixOptions mix;
  std::string folder;
};

void add_flags(CLI::App& command, PolicyArguments& arguments) {
  policy::TrainOptions& options = arguments.options;
  command.add_option("data", arguments.data, "Files of samples to learn, or of games with visits (.hcpe3)")
      ->required()
      ->check(CLI::ExistingFile);
  command.add_option("--test", arguments.tests, "Files of samples to validate with")
      ->required()
      ->check(CLI::ExistingFile);
  command
      .add_option("-o,--output", arguments.folder,
                  "Folder: gets policy.nn, policy.nn.ini, checkpoint and log.jsonl; the same command goes on with what "
                  "is begun there")
      ->required();
  auto* mix = command
                  .add_option("--mix", arguments.mix.files,
                              "Files of a teacher's samples to learn beside them, so that they are not forgotten")
                  ->check(CLI::ExistingFile);
  SettingFlags mix_flags(command, mix);
  fields(mix_flags, arguments.mix);
  command.add_option("--from", options.from,
                     "A checkpoint of a training of this shape to take weights from (weights by chance); of another "
                     "value head, all but that");
  SettingFlags flags(command);
  fields(flags, options);
  command.add_option("--validations", options.validations, "In each epoch (8)")->check(CLI::Range(1, 10'000));
  command.add_option("--validation", options.validation, "Samples of one; the last one takes all (10000)");
  add_training_flags(command, options, policy::kMostLanes);
}

int run(PolicyArguments& arguments) {
  arguments.options.say = print_line;
  usi::StopBySignal stop;
  const auto trained =
      policy::train(arguments.options, arguments.data, arguments.tests, arguments.folder, stop.token(), arguments.mix);
  if (!trained) return complain(trained.error()), kExitFailed;
  if (!trained->complete) return say_stopped();
  print_line(fmt::format("{}/{}: {} steps", arguments.folder, policy::kNetworkName, trained->steps));
  return kExitOk;
}

}  // namespace

Command add_policy(CLI::App& root) {
  CLI::App* command = manual::add_command(root, "policy", "Trains a policy and value network with samples");
  const auto arguments = std::make_shared<PolicyArguments>();
  add_flags(*command, *arguments);
  return [arguments] { return run(*arguments); };
}

}  // namespace fuhyo::learn
