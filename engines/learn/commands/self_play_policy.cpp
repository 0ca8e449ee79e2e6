// `fuhyo-learn self-play-policy`: games of a policy and value network against itself, by processes of this machine and
// of others.
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/learn/generate/policy/coordinator.h"
#include "engines/manual/add_command.h"
#include "engines/record/counted.h"
#include "engines/usi/process_self.h"
#include "engines/usi/process_stop.h"

namespace fuhyo::learn {
namespace {

struct SelfPlayPolicyOptions {
  PolicyGenerateTerms terms;
  std::string folder;
  std::uint32_t at_once = 256;
  std::size_t cache_mb = 64;
};

void add_search_flags(CLI::App& command, PolicyPlayTerms& play) {
  command.add_option("--network", play.network, "Network: our own container or ONNX (the one that is built in)")
      ->check(CLI::ExistingFile);
  command
      .add_option_function<std::string>(
          "--roots", [&play](const std::string& name) { play.roots = name == "noise" ? Roots::noise : Roots::gumbel; },
          "How moves are tried at the root: gumbel (sequential halving) or noise (Dirichlet's) (gumbel)")
      ->check(CLI::IsMember({"gumbel", "noise"}));
  command.add_option("--playouts", play.playouts, "Of a full search, whose position is to be learnt (128)")
      ->check(CLI::Range(1, kMostPlayouts));
  command.add_option("--fast-playouts", play.fast_playouts, "Of the other searches (24)")
      ->check(CLI::Range(1, kMostPlayouts));
  command.add_option("--full", play.full, "Part of the moves that is searched in full (0.25)")
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--considered", play.considered, "Moves that gumbel's halving begins with (16)")
      ->check(CLI::Range(1, 593));
  command.add_option("--noise", play.noise, "Part of the priors that noise is (0.25)")->check(CLI::Range(0.0, 1.0));
  command.add_option("--alpha", play.alpha, "... of its distribution (0.15)")->check(CLI::Range(1e-3, 1e3));
  command.add_option("--softmax", play.softmax, "What logits are divided by (1)")->check(CLI::Range(0.01, 100.0));
  command.add_option("--temperature", play.temperature, "Of the moves that are played, at the start of a game (1)")
      ->check(CLI::Range(0.0, 100.0));
  command.add_option("--late-temperature", play.temperature_late, "... and late in it (0.25)")
      ->check(CLI::Range(0.0, 100.0));
  command.add_option("--temperature-plies", play.temperature_plies, "... half of the way after so many moves (20)")
      ->check(CLI::Range(1, 10'000));
  command.add_option("--mate-nodes", play.mate_nodes, "Nodes to look for a mate with before each search (1000)")
      ->check(CLI::Range(0, 1'000'000'000));
}

void add_game_flags(CLI::App& command, SelfPlayPolicyOptions& options) {
  PolicyPlayTerms& play = options.terms.job.play;
  StartTerms& starts = options.terms.job.starts;
  command
      .add_option("--openings", options.terms.job.openings, "Lines to start from, plain or compressed (random moves)")
      ->check(CLI::ExistingFile);
  command.add_option("--first-ply", starts.first_ply, "... from the position after so many plies (8)")
      ->check(CLI::Range(0, 1'000));
  command.add_option("--last-ply", starts.last_ply, "... to that after so many (40; without lines 16)")
      ->check(CLI::Range(0, 1'000));
  command.add_option("--random-moves", starts.random_moves, "Behind it, so many random moves at most (4)")
      ->check(CLI::Range(0, 1'000));
  command.add_option("--most-at-start", play.most_at_start, "Starts that give a side more are not played (0.85)")
      ->check(CLI::Range(0.5, 1.0));
  command.add_option("--resign", play.resign, "A side that has less for 4 plies loses (0.04); 0: nobody resigns")
      ->check(CLI::Range(0.0, 0.5));
  command.add_option("--to-the-end", play.to_the_end, "... but not in this part of the games (0.1)")
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--draw-at", play.draw_at_ply, "A draw at this ply (320)")->check(CLI::Range(1, 10'000));
  command.add_option("--seed", play.seed, "Of everything that is drawn by lot (1)");
}

void add_work_flags(CLI::App& command, SelfPlayPolicyOptions& options) {
  PolicyGenerateTerms& terms = options.terms;
  command
      .add_option("folder", options.folder, "Gets self-play.hcpe3; the same command goes on with what is begun there")
      ->required();
  command.add_option("-n,--games", terms.games.count, "Games to play")->required()->check(CLI::Range(1, 100'000'000));
  command.add_option("--first", terms.games.first, "Number of the first one (0): the same number is the same game");
  command.add_option("-j,--processes", terms.processes, "Processes of this machine (one a core); 0: others play")
      ->check(CLI::Range(0, 1024));
  command.add_option("--chunk", terms.per_chunk, "Games that a process takes at a time (256)")
      ->check(CLI::Range(1, 100'000));
  command.add_option("--at-once", options.at_once, "Games that a process plays at once (256)")
      ->check(CLI::Range(1, 65'536));
  command.add_option("--cache", options.cache_mb, "Megabytes of a process for what the network has said (64)")
      ->check(CLI::Range(0, 1 << 20));
  command.add_option("--every", terms.every_s, "Seconds between two lines of progress (30)")
      ->check(CLI::Range(1, 86'400));
}

int run(SelfPlayPolicyOptions& options) {
  PolicyGenerateTerms& terms = options.terms;
  terms.folder = options.folder;
  if (auto taken = take_fingerprints(terms.job); !taken) return complain(taken.error()), kExitFailed;
  terms.say = [](std::string_view line) { fmt::print("{}\n", line), std::fflush(stdout); };
  if (!terms.job.openings.empty()) {
    const auto starts = Starts::read(terms.job.openings, terms.job.starts);
    if (!starts) return complain(starts.error()), kExitFailed;
    if (!starts->remark().empty()) terms.say(starts->remark());
    terms.say(record::counted(starts->positions(), "position") + " to start from");
  }
  terms.worker = policy_play_command(usi::own_program(), options.at_once, options.cache_mb, terms.folder);
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

Command add_self_play_policy(CLI::App& root) {
  CLI::App* command =
      manual::add_command(root, "self-play-policy", "Play games of a policy and value network with itself");
  const auto options = std::make_shared<SelfPlayPolicyOptions>();
  options->terms.processes = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  add_work_flags(*command, *options);
  add_game_flags(*command, *options);
  add_search_flags(*command, options->terms.job.play);
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
