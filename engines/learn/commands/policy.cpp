// `fuhyo-learn policy`: a policy and value network out of samples.
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
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

void add_network_flags(CLI::App& command, PolicyArguments& arguments) {
  nn::Shape& shape = arguments.options.shape;
  command.add_option("--blocks", shape.blocks, "Of the network (5)");
  command.add_option("--channels", shape.channels, "... (64)");
  command.add_option("--value-planes", shape.value_planes, "Maps that the value is computed from (16)");
  command.add_option("--value-hidden", shape.value_hidden, "... and what they become (128)");
  command.add_option("--from", arguments.options.from,
                     "A checkpoint of a training of this shape to take weights from (weights by chance); of another "
                     "value head, all but that");
}

void add_learning_flags(CLI::App& command, PolicyArguments& arguments) {
  policy::TrainOptions& options = arguments.options;
  command.add_option("--epochs", options.epochs, "Passes over the samples (2)")->check(CLI::Range(1, 10'000));
  command.add_option("--batch", options.batch, "Positions to a step (256)")->check(CLI::Range(2, 1 << 20));
  command.add_option("--pass", options.learn.pass, "... of which so many share the means of batch norms (64)")
      ->check(CLI::Range(2, 1 << 12));
  command.add_option("--rate", options.rate.first, "Learning rate at first (0.002)")->check(CLI::Range(1e-9, 1.0));
  command.add_option("--last-rate", options.rate.last, "... and at the end of a cosine (0.00001)")
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--warm-up", options.rate.warm_up, "Steps in which the rate rises to the first (500)");
  command.add_option("--decay", options.learn.decay, "How fast weights shrink (0.01)")->check(CLI::Range(0.0, 1.0));
  command.add_option("--value-weight", options.learn.value_weight, "Of the values' loss beside that of moves (1)")
      ->check(CLI::Range(0.0, 1e6));
  command.add_option("--lambda", options.lambda, "How much of a value is the score; the rest is the result (0.7)")
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--seed", options.seed, "Of everything that is drawn by lot (1)");
}

void add_other_flags(CLI::App& command, PolicyArguments& arguments) {
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
  command.add_option("--mix-part", arguments.mix.part, "... which part of everything they are (0.5)")
      ->check(CLI::Range(0.01, 0.99))
      ->needs(mix);
  command.add_option("--validations", options.validations, "In each epoch (8)")->check(CLI::Range(1, 10'000));
  command.add_option("--validation", options.validation, "Samples of one; the last one takes all (10000)");
  command.add_option("-j,--threads", options.threads, "Threads (1); the network does not depend on them")
      ->check(CLI::Range(std::size_t{1}, policy::kMostLanes));
  command.add_option("--kernels", options.kernels, "auto, avx512, avx2 or plain (auto)");
  command.add_option("--checkpoint", options.checkpoint_s, "Seconds between two checkpoints (300)")
      ->check(CLI::Range(1, 1'000'000));
  command.add_option("--every", options.progress_s, "Seconds between two lines of progress (10)")
      ->check(CLI::Range(1, 1'000'000));
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
  CLI::App* command = manual::add_command(root, "policy", "Train a policy and value network with samples");
  const auto arguments = std::make_shared<PolicyArguments>();
  add_other_flags(*command, *arguments);
  add_network_flags(*command, *arguments);
  add_learning_flags(*command, *arguments);
  return [arguments] { return run(*arguments); };
}

}  // namespace fuhyo::learn
