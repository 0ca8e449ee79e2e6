// `fuhyo-learn shuffle`: training data in an order drawn by lot.
#include "engines/learn/data/shuffle.h"

#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/learn/commands/files.h"
#include "engines/manual/add_command.h"

namespace fuhyo::learn {
namespace {

struct ShuffleArguments {
  std::vector<std::string> in;
  OutputArguments out;
  std::string from;
  ShuffleOptions options;
  std::uint64_t memory_mb = 1'024;
};

int run(ShuffleArguments& arguments) {
  const auto in = input_files_of_one_format(arguments.in, arguments.from);
  if (!in) return complain(in.error()), kExitUsage;
  const auto& [files, format] = *in;
  if (arguments.out.to.empty() && !format_of(arguments.out.out)) arguments.out.to = to_string(format);
  const auto to = output_format(arguments.out);
  if (!to) return complain(to.error()), kExitUsage;
  if (!can_be_shuffled(format) || *to != format) {
    return complain(can_be_shuffled(format) ? "another format is for `convert` to make"
                                            : "records: `convert` them first"),
           kExitUsage;
  }
  arguments.options.memory = arguments.memory_mb << 20U;
  const auto shuffled = shuffle(files, arguments.out.out, format, arguments.options);
  if (!shuffled) return complain(shuffled.error()), kExitFailed;
  const bool games = format == DataFormat::games || format == DataFormat::hcpe3;
  fmt::print("{}: {} {} in {} parts\n", arguments.out.out, shuffled->units, games ? "games" : "positions",
             shuffled->buckets);
  return kExitOk;
}

}  // namespace

Command add_shuffle(CLI::App& root) {
  CLI::App* command = manual::add_command(root, "shuffle", "Brings training data into an order drawn by lot");
  const auto arguments = std::make_shared<ShuffleArguments>();
  command->add_option("in", arguments->in, "Files of one format, folders, or patterns with * and ?")->required();
  add_output_flags(*command, arguments->out);
  command->add_option("--from", arguments->from, "Format, if names do not tell")->check(CLI::IsMember(format_names()));
  command->add_option("--memory", arguments->memory_mb, "Megabytes, about (1024); the rest is on the disk")
      ->check(CLI::Range(1, 1 << 20));
  command->add_option("--seed", arguments->options.seed, "The same seed and memory give the same order (1)");
  return [arguments] { return run(*arguments); };
}

}  // namespace fuhyo::learn
