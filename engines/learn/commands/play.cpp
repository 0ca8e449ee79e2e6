// `fuhyo-learn play`: plays games of self-play for a queue, on this machine or for another one.
#include <cstdint>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "engines/jobs/open.h"
#include "engines/learn/commands.h"
#include "engines/learn/generate/policy/worker.h"
#include "engines/learn/generate/worker.h"
#include "engines/manual/add_command.h"
#include "engines/usi/process_self.h"
#include "engines/usi/process_stop.h"

namespace fuhyo::learn {
namespace {

struct PlayArguments {
  std::string queue, name;
  std::int64_t lease_s = 120;
  bool until_eof = false;
  bool policy = false;
  std::size_t cache_mb = 64;
  PolicyWorkerOptions policy_options;  // its `worker` also of games of generate
};

int run(PlayArguments& arguments) {
  auto queue = jobs::open_queue(arguments.queue, {.lease_ms = arguments.lease_s * 1000});
  if (!queue) return complain(queue.error()), kExitFailed;
  usi::StopBySignal stop(arguments.until_eof ? usi::StopAt::signal_or_end_of_input : usi::StopAt::signal);
  PolicyWorkerOptions& options = arguments.policy_options;
  if (arguments.name.empty()) arguments.name = usi::process_name();
  options.worker.wanted.worker = jobs::as_name(arguments.name);
  options.worker.say = [](std::string_view line) { complain(std::string(line)); };
  options.thread_options.cache_bytes = arguments.cache_mb << 20U;
  const auto report = arguments.policy ? play_policy_for_queue(**queue, options, stop.token())
                                       : play_for_queue(**queue, options.worker, stop.token());
  return report.failed == 0 ? kExitOk : kExitFailed;
}

}  // namespace

Command add_play(CLI::App& root) {
  CLI::App* command = manual::add_command(root, "play", "Plays games of self-play for a queue");
  const auto arguments = std::make_shared<PlayArguments>();
  PolicyWorkerOptions& options = arguments->policy_options;
  command->add_option("queue", arguments->queue, "A folder, or postgres://USER@HOST/DATABASE")->required();
  command->add_option("batch", options.worker.wanted.batch, "Play for this batch only");
  command->add_option("--name", arguments->name, "Its name, of no other process (HOST-PROCESS)");
  command->add_option("--lease", arguments->lease_s, "Seconds after which a silent process's games go to others (120)")
      ->check(CLI::Range(1, 86'400));
  command->add_flag("--drain", options.worker.drain, "End when nothing is left to be played");
  command->add_flag("--until-eof", arguments->until_eof, "End when standard input does");
  auto* policy = command->add_flag("--policy", arguments->policy, "Play games of self-play-policy, not of generate");
  command->add_option("--at-once", options.thread_options.at_once, "Games at once (256)")
      ->check(CLI::Range(1, 65'536))
      ->needs(policy);
  command->add_option("--cache", arguments->cache_mb, "Megabytes for what the network has said (64)")
      ->check(CLI::Range(0, 1 << 20))
      ->needs(policy);
  command->add_option("--keep", options.keep, "Folder for what has been played of a chunk (a chunk begins anew)")
      ->needs(policy);
  command->add_option("--keep-every", options.keep_s, "... which is written every so many seconds (60)")
      ->check(CLI::Range(1, 86'400))
      ->needs(policy);
  command->add_option("--every", options.every_s, "Seconds between two lines of progress (60)")
      ->check(CLI::Range(1, 86'400))
      ->needs(policy);
  return [arguments] { return run(*arguments); };
}

}  // namespace fuhyo::learn
