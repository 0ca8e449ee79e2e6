// `fuhyo-learn generate` and `fuhyo-learn self-play-policy`: games of the engine, or of a policy and value network,
// against itself, by processes of this machine and of others.
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <thread>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/learn/commands/setting_flags.h"
#include "engines/learn/generate/coordinator.h"
#include "engines/learn/generate/policy/coordinator.h"
#include "engines/manual/add_command.h"
#include "engines/record/counted.h"
#include "engines/usi/process_self.h"
#include "engines/usi/process_stop.h"

namespace fuhyo::learn {
namespace {

template <class Options>
struct GenerateArguments {
  Options options;
  std::string folder;
  std::uint32_t at_once = 256;  // of a process, games of policy networks
  std::size_t cache_mb = 64;
};
using EngineGames = GenerateArguments<GenerateOptions>;
using PolicyGames = GenerateArguments<PolicyGenerateOptions>;

template <class Arguments>
void add_work_flags(CLI::App& command, Arguments& arguments, const std::string& file) {
  auto& options = arguments.options;
  command
      .add_option("folder", arguments.folder, "Gets " + file + "; the same command goes on with what is begun there")
      ->required();
  command.add_option("-n,--games", options.games.count, "Games to play")->required()->check(CLI::Range(1, 100'000'000));
  command.add_option("--first", options.games.first, "Number of the first one (0): the same number is the same game");
  command.add_option("-j,--processes", options.processes, "Processes of this machine (one a core); 0: others play")
      ->check(CLI::Range(0, 1024));
  command
      .add_option("--chunk", options.per_chunk,
                  fmt::format("Games that a process takes at a time ({})", options.per_chunk))
      ->check(CLI::Range(1, 100'000));
  command.add_option("--every", options.every_s, "Seconds between two lines of progress (30)")
      ->check(CLI::Range(1, 86'400));
}

std::vector<std::string> worker_of(const EngineGames& /*arguments*/) { return play_command(usi::own_program()); }
std::vector<std::string> worker_of(const PolicyGames& arguments) {
  return policy_play_command(usi::own_program(), arguments.at_once, arguments.cache_mb, arguments.options.folder);
}

template <class Arguments>
int play_games(Arguments& arguments) {
  auto& options = arguments.options;
  options.folder = arguments.folder;
  if (auto taken = take_fingerprints(options.job); !taken) return complain(taken.error()), kExitFailed;
  options.say = print_line;
  if (!options.job.openings.empty()) {
    const auto starts = Starts::read(options.job.openings, options.job.starts);
    if (!starts) return complain(starts.error()), kExitFailed;
    if (!starts->remark().empty()) print_line(starts->remark());
    print_line(record::counted(starts->positions(), "position") + " to start from");
  }
  options.worker = worker_of(arguments);
  usi::StopBySignal stop;
  const auto generated = generate(options, stop.token());
  if (!generated) return complain(generated.error()), kExitFailed;
  if (!generated->complete) return say_stopped();
  print_line(fmt::format("{}: {}, {}", generated->file.string(), record::counted(generated->games, "game"),
                         record::counted(generated->positions, "position")));
  return kExitOk;
}

template <class Arguments>
Command with_flags(CLI::App& command, const std::shared_ptr<Arguments>& arguments, const std::string& file) {
  arguments->options.processes = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  add_work_flags(command, *arguments, file);
  SettingFlags flags(command);
  fields(flags, arguments->options.job);
  return [&command, arguments] {
    StartOptions& starts = arguments->options.job.starts;
    if (command.count("--last-ply") == 0) {
      starts.last_ply = usual_last_ply(starts.first_ply, !arguments->options.job.openings.empty());
    }
    if (starts.last_ply < starts.first_ply) return complain("--last-ply is before --first-ply"), kExitUsage;
    return play_games(*arguments);
  };
}

}  // namespace

Command add_generate(CLI::App& root) {
  CLI::App* command =
      manual::add_command(root, "generate", "Plays games of the engine against itself, for networks to learn from");
  return with_flags(*command, std::make_shared<EngineGames>(), "self-play.games");
}

Command add_self_play_policy(CLI::App& root) {
  CLI::App* command =
      manual::add_command(root, "self-play-policy", "Plays games of a policy and value network with itself");
  const auto arguments = std::make_shared<PolicyGames>();
  command->add_option("--at-once", arguments->at_once, "Games that a process plays at once (256)")
      ->check(CLI::Range(1, 65'536));
  command->add_option("--cache", arguments->cache_mb, "Megabytes of a process for what the network has said (64)")
      ->check(CLI::Range(0, 1 << 20));
  return with_flags(*command, arguments, "self-play.hcpe3");
}

}  // namespace fuhyo::learn
