// `fuhyo-learn gate`: whether one network is better than another one.
#include "engines/learn/gate/gate.h"

#include <fmt/format.h>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/manual/add_command.h"
#include "engines/record/counted.h"
#include "engines/usi/process_self.h"
#include "engines/usi/process_stop.h"

namespace fuhyo::learn {
namespace {

struct GateArguments {
  GateOptions options;
  std::string folder;
  bool policy = false;
};

// Playouts of policy networks: what they learn from has 128, and 400 are a few times as strong.
constexpr std::int64_t kPlayouts = 400;

void add_flags(CLI::App& command, GateArguments& arguments) {
  GateOptions& options = arguments.options;
  command.add_option("candidate", options.candidate.file, "The network that is to be accepted")
      ->required()
      ->check(CLI::ExistingFile);
  command.add_option("champion", options.champion.file, "The one that it is to be better than")
      ->required()
      ->check(CLI::ExistingFile);
  command
      .add_option("-o,--openings", options.openings,
                  "File of openings, as `fuhyo match` reads it; thousands are wanted")
      ->required()
      ->check(CLI::ExistingFile);
  command.add_option("--folder", arguments.folder, "Gets the games; the same command goes on with what is begun there")
      ->required();
  command.add_option("--fv-scale", options.candidate.fv_scale, "FV_SCALE of the candidate (16)")
      ->check(CLI::Range(1, 128));
  command.add_option("--champion-fv-scale", options.champion.fv_scale, "... of the champion (16)")
      ->check(CLI::Range(1, 128));
  command.add_flag("--policy", arguments.policy,
                   "They are policy and value networks; nodes are playouts, 400 unless said");
  command.add_option("--engine", options.engine, "The engine (fuhyo-nnue, or fuhyo-mcts, beside this program)");
  command.add_option("--elo0", options.test.elo0, "Accepted is who is nearer to elo1 than to this (0), normalised Elo")
      ->check(CLI::Range(-200.0, 200.0));
  command.add_option("--elo1", options.test.elo1, "... (10)")->check(CLI::Range(-200.0, 200.0));
  command.add_option("--nodes", options.test_nodes, "Nodes a move in the test (5000)")
      ->check(CLI::Range(1, 1'000'000'000));
  command.add_option("--games", options.test_games, "Games after which it is given up (4000)")
      ->check(CLI::Range(2, 1'000'000'000));
  command.add_option("--match-nodes", options.match_nodes, "Nodes a move in the match that follows (20000)")
      ->check(CLI::Range(1, 1'000'000'000));
  command.add_option("--match-games", options.match_games, "Its games (400); 0: none")
      ->check(CLI::Range(0, 1'000'000'000));
  command.add_option("-j,--concurrency", options.concurrency, "Games at a time (one a core)")
      ->check(CLI::Range(1, 1024));
  command.add_option("--hash", options.hash_mb, "Megabytes of each engine's table (16)")->check(CLI::Range(1, 65'536));
  command.add_option("--seed", options.seed, "Of the order of openings (1)");
}

std::string text_of(const match::Measured& elo) {
  const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{:+.0f}", *value) : "?"; };
  return fmt::format("{} [{}, {}]", number(elo.value), number(elo.low), number(elo.high));
}

int run(GateArguments& arguments) {
  GateOptions& options = arguments.options;
  options.folder = arguments.folder;
  if (arguments.policy) options.kind = GateKind::policy;
  if (options.engine.empty()) {
    const char* const name = arguments.policy ? "fuhyo-mcts" : "fuhyo-nnue";
    options.engine = (std::filesystem::path(usi::own_program()).parent_path() / name).string();
  }
  options.say = print_line;
  usi::StopBySignal stop;
  const auto result = gate(options, stop.token());
  if (!result) return complain(result.error()), kExitFailed;
  if (!result->complete) return say_stopped();
  print_line(fmt::format("{} after {} at {} nodes: Elo {}", result->accepted() ? "accepted" : "not accepted",
                         record::counted(result->test_games, "game"), options.test_nodes, text_of(result->test.elo)));
  if (result->match) {
    print_line(fmt::format("{} at {} nodes: Elo {}", record::counted(result->match_games, "game"), options.match_nodes,
                           text_of(result->match->elo)));
  }
  return result->accepted() ? kExitOk : kExitRefused;
}

}  // namespace

Command add_gate(CLI::App& root) {
  CLI::App* command = manual::add_command(root, "gate", "Tests whether one network is better than another one");
  const auto arguments = std::make_shared<GateArguments>();
  arguments->options.concurrency = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  add_flags(*command, *arguments);
  return [command, arguments] {
    if (arguments->policy && command->count("--nodes") == 0) arguments->options.test_nodes = kPlayouts;
    if (arguments->policy && command->count("--match-nodes") == 0) arguments->options.match_nodes = kPlayouts;
    return run(*arguments);
  };
}

}  // namespace fuhyo::learn
