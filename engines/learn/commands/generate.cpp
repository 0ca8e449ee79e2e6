// `fuhyo-learn generate`: games of the engine against itself, by processes of this machine and of others.
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/learn/generate/coordinator.h"
#include "engines/manual/add_command.h"
#include "engines/record/counted.h"
#include "engines/usi/process_self.h"
#include "engines/usi/process_stop.h"

namespace fuhyo::learn {
namespace {

struct GenerateOptions {
  GenerateTerms terms;
  std::string folder;
};

void add_flags(CLI::App& command, GenerateOptions& options) {
  SelfPlayTerms& play = options.terms.job.play;
  StartTerms& starts = options.terms.job.starts;
  command
      .add_option("folder", options.folder, "Gets self-play.games; the same command goes on with what is begun there")
      ->required();
  command.add_option("-n,--games", options.terms.games.count, "Games to play")
      ->required()
      ->check(CLI::Range(1, 100'000'000));
  command.add_option("--first", options.terms.games.first,
                     "Number of the first one (0): the same number is the same game");
  command
      .add_option("-j,--processes", options.terms.processes, "Processes of this machine (one a core); 0: others play")
      ->check(CLI::Range(0, 1024));
  command.add_option("--network", play.network, "Network of the engine (the one that is built in)")
      ->check(CLI::ExistingFile);
  command.add_option("--fv-scale", play.fv_scale, "Its FV_SCALE (16)")->check(CLI::Range(1, 128));
  command.add_option("--nodes", play.nodes, "Nodes a move (1000)")->check(CLI::Range(1, 1'000'000'000));
  command.add_option("--hash", play.hash_mb, "Megabytes of its table (16)")->check(CLI::Range(1, 65'536));
  command
      .add_option("--openings", options.terms.job.openings, "Lines to start from, plain or compressed (random moves)")
      ->check(CLI::ExistingFile);
  command.add_option("--first-ply", starts.first_ply, "... from the position after so many plies (8)")
      ->check(CLI::Range(0, 1'000));
  command.add_option("--last-ply", starts.last_ply, "... to that after so many (40; without lines 16)")
      ->check(CLI::Range(0, 1'000));
  command.add_option("--random-moves", starts.random_moves, "Behind it, so many random moves at most (4)")
      ->check(CLI::Range(0, 1'000));
  command
      .add_option("--most-at-start", play.most_at_start, "Starts that are worth more to a side are not played (600)")
      ->check(CLI::Range(1, 32'000));
  command.add_option("--adjudicate", play.adjudicated_at, "A side that is so far ahead for 4 plies wins (3000)")
      ->check(CLI::Range(1, 32'000));
  command.add_option("--to-the-end", play.to_the_end, "... but not in this part of the games (0.2)")
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--draw-at", play.draw_at_ply, "A draw at this ply (320)")->check(CLI::Range(1, 10'000));
  command.add_option("--seed", play.seed, "Of everything that is drawn by lot (1)");
  command.add_option("--chunk", options.terms.per_chunk, "Games that a process takes at a time (200)")
      ->check(CLI::Range(1, 100'000));
  command.add_option("--every", options.terms.every_s, "Seconds between two lines of progress (30)")
      ->check(CLI::Range(1, 86'400));
}

int run(GenerateOptions& options) {
  GenerateTerms& terms = options.terms;
  terms.folder = options.folder;
  if (auto taken = take_fingerprints(terms.job); !taken) return complain(taken.error()), kExitFailed;
  terms.say = [](std::string_view line) { fmt::print("{}\n", line), std::fflush(stdout); };
  if (!terms.job.openings.empty()) {
    const auto starts = Starts::read(terms.job.openings, terms.job.starts);
    if (!starts) return complain(starts.error()), kExitFailed;
    if (!starts->remark().empty()) terms.say(starts->remark());
    terms.say(record::counted(starts->positions(), "position") + " to start from");
  }
  terms.worker = play_command(usi::own_program());
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

}  // namespace

Command add_generate(CLI::App& root) {
  CLI::App* command =
      manual::add_command(root, "generate", "Play games of the engine against itself, for networks to learn from");
  const auto options = std::make_shared<GenerateOptions>();
  options->terms.processes = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  add_flags(*command, *options);
  return [command, options] {
    StartTerms& starts = options->terms.job.starts;
    if (options->terms.job.openings.empty() && command->count("--last-ply") == 0) {
      starts.last_ply = std::max(starts.first_ply, 16);
    }
    if (starts.last_ply < starts.first_ply) return complain("--last-ply is before --first-ply"), kExitUsage;
    return run(*options);
  };
}

}  // namespace fuhyo::learn
