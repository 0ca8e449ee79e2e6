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

struct PlayOptions {
  std::string queue, batch, name;
  std::int64_t lease_s = 120;
  bool drain = false, until_eof = false;
  bool policy = false;
  std::size_t cache_mb = 64;
  PolicyWorkerTerms policy_terms;
};

int play_policy(const PlayOptions& options, jobs::Queue& queue, const std::stop_token& stop) {
  PolicyWorkerTerms terms = options.policy_terms;
  terms.name = options.name.empty() ? usi::process_name() : options.name;
  terms.batch = options.batch;
  terms.drain = options.drain;
  terms.hall.cache_bytes = options.cache_mb << 20U;
  terms.say = [](std::string_view line) { complain(std::string(line)); };
  return play_policy_for_queue(queue, terms, stop).failed == 0 ? kExitOk : kExitFailed;
}

int run(const PlayOptions& options) {
  auto queue = jobs::open_queue(options.queue, {.lease_ms = options.lease_s * 1000});
  if (!queue) return complain(queue.error()), kExitFailed;
  usi::StopBySignal stop(options.until_eof ? usi::StopAt::signal_or_end_of_input : usi::StopAt::signal);
  if (options.policy) return play_policy(options, **queue, stop.token());
  const SelfPlayWorkerTerms terms{.name = options.name.empty() ? usi::process_name() : options.name,
                                  .batch = options.batch,
                                  .drain = options.drain,
                                  .say = [](std::string_view line) { complain(std::string(line)); }};
  return play_for_queue(**queue, terms, stop.token()).failed == 0 ? kExitOk : kExitFailed;
}

}  // namespace

Command add_play(CLI::App& root) {
  CLI::App* command = manual::add_command(root, "play", "Play games of self-play for a queue");
  const auto options = std::make_shared<PlayOptions>();
  command->add_option("queue", options->queue, "A folder, or postgres://USER@HOST/DATABASE")->required();
  command->add_option("batch", options->batch, "Play for this batch only");
  command->add_option("--name", options->name, "Its name, of no other process (HOST-PROCESS)");
  command->add_option("--lease", options->lease_s, "Seconds after which a silent process's games go to others (120)")
      ->check(CLI::Range(1, 86'400));
  command->add_flag("--drain", options->drain, "End when nothing is left to be played");
  command->add_flag("--until-eof", options->until_eof, "End when standard input does");
  auto* policy = command->add_flag("--policy", options->policy, "Play games of self-play-policy, not of generate");
  PolicyWorkerTerms& terms = options->policy_terms;
  command->add_option("--at-once", terms.hall.at_once, "Games at once (256)")
      ->check(CLI::Range(1, 65'536))
      ->needs(policy);
  command->add_option("--cache", options->cache_mb, "Megabytes for what the network has said (64)")
      ->check(CLI::Range(0, 1 << 20))
      ->needs(policy);
  command->add_option("--keep", terms.keep, "Folder for what has been played of a chunk (a chunk begins anew)")
      ->needs(policy);
  command->add_option("--keep-every", terms.keep_s, "... which is written every so many seconds (60)")
      ->check(CLI::Range(1, 86'400))
      ->needs(policy);
  command->add_option("--every", terms.every_s, "Seconds between two lines of progress (60)")
      ->check(CLI::Range(1, 86'400))
      ->needs(policy);
  return [options] { return run(*options); };
}

}  // namespace fuhyo::learn
