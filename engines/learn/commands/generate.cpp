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

template <class Terms>
struct GenerateOptions {
  Terms terms;
  std::string folder;
  std::uint32_t at_once = 256;  // of a process, games of policy networks
  std::size_t cache_mb = 64;
};
using EngineGames = GenerateOptions<GenerateTerms>;
using PolicyGames = GenerateOptions<PolicyGenerateTerms>;

template <class Options>
void add_work_flags(CLI::App& command, Options& options, const std::string& file) {
  auto& terms = options.terms;
  command.add_option("folder", options.folder, "Gets " + file + "; the same command goes on with what is begun there")
      ->required();
  command.add_option("-n,--games", terms.games.count, "Games to play")->required()->check(CLI::Range(1, 100'000'000));
  command.add_option("--first", terms.games.first, "Number of the first one (0): the same number is the same game");
  command.add_option("-j,--processes", terms.processes, "Processes of this machine (one a core); 0: others play")
      ->check(CLI::Range(0, 1024));
  command
      .add_option("--chunk", terms.per_chunk, fmt::format("Games that a process takes at a time ({})", terms.per_chunk))
      ->check(CLI::Range(1, 100'000));
  command.add_option("--every", terms.every_s, "Seconds between two lines of progress (30)")
      ->check(CLI::Range(1, 86'400));
}

std::vector<std::string> worker_of(const EngineGames& /*options*/) { return play_command(usi::own_program()); }
std::vector<std::string> worker_of(const PolicyGames& options) {
  return policy_play_command(usi::own_program(), options.at_once, options.cache_mb, options.terms.folder);
}

template <class Options>
int play_games(Options& options) {
  auto& terms = options.terms;
  terms.folder = options.folder;
  if (auto taken = take_fingerprints(terms.job); !taken) return complain(taken.error()), kExitFailed;
  terms.say = [](std::string_view line) { fmt::print("{}\n", line), std::fflush(stdout); };
  if (!terms.job.openings.empty()) {
    const auto starts = Starts::read(terms.job.openings, terms.job.starts);
    if (!starts) return complain(starts.error()), kExitFailed;
    if (!starts->remark().empty()) terms.say(starts->remark());
    terms.say(record::counted(starts->positions(), "position") + " to start from");
  }
  terms.worker = worker_of(options);
  usi::StopBySignal stop;
  const auto generated = generate(terms, stop.token());
  if (!generated) return complain(generated.error()), kExitFailed;
  if (!generated->complete) {
    terms.say("stopped; the same command goes on");
    return kExitStopped;
  }
  terms.say(fmt::format("{}: {}, {}", generated->file.string(), record::counted(generated->games, "game"),
                        record::counted(generated->positions, "position")));
  return kExitOk;
}

template <class Options>
Command with_flags(CLI::App& command, const std::shared_ptr<Options>& options, const std::string& file) {
  options->terms.processes = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  add_work_flags(command, *options, file);
  SettingFlags flags(command);
  fields(flags, options->terms.job);
  return [&command, options] {
    StartTerms& starts = options->terms.job.starts;
    if (options->terms.job.openings.empty() && command.count("--last-ply") == 0) {
      starts.last_ply = std::max(starts.first_ply, 16);
    }
    if (starts.last_ply < starts.first_ply) return complain("--last-ply is before --first-ply"), kExitUsage;
    return play_games(*options);
  };
}

}  // namespace

Command add_generate(CLI::App& root) {
  CLI::App* command =
      manual::add_command(root, "generate", "Play games of the engine against itself, for networks to learn from");
  return with_flags(*command, std::make_shared<EngineGames>(), "self-play.games");
}

Command add_self_play_policy(CLI::App& root) {
  CLI::App* command =
      manual::add_command(root, "self-play-policy", "Play games of a policy and value network with itself");
  const auto options = std::make_shared<PolicyGames>();
  command->add_option("--at-once", options->at_once, "Games that a process plays at once (256)")
      ->check(CLI::Range(1, 65'536));
  command->add_option("--cache", options->cache_mb, "Megabytes of a process for what the network has said (64)")
      ->check(CLI::Range(0, 1 << 20));
  return with_flags(*command, options, "self-play.hcpe3");
}

}  // namespace fuhyo::learn
