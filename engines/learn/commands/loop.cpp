// `fuhyo-learn loop`: generations of games, training and tests, by a file of settings.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/learn/data/whole_file.h"
#include "engines/learn/loop/policy_run.h"
#include "engines/learn/loop/run.h"
#include "engines/learn/loop/settings_table.h"
#include "engines/learn/othello/run.h"
#include "engines/manual/add_command.h"
#include "engines/record/counted.h"
#include "engines/usi/process_self.h"
#include "engines/usi/process_stop.h"

namespace fuhyo::learn {
namespace {

struct LoopOptions {
  std::string file, folder;
  bool check = false;
};

void tell(std::string_view line) { fmt::print("{}\n", line), std::fflush(stdout); }

std::filesystem::path folder_of(const LoopOptions& options) {
  const std::filesystem::path file = options.file;
  return options.folder.empty() ? file.parent_path() / file.stem() : std::filesystem::path(options.folder);
}

int run_othello(const LoopOptions& options, std::string_view text) {
  auto config = parse_othello_config(text, options.file);
  if (!config) return complain(config.error()), kExitUsage;
  if (options.check) {
    tell(fmt::format("{}: {} epochs of Othello", options.file, config->epochs));
    return kExitOk;
  }
  OthelloLoopTerms terms{.config = std::move(*config), .folder = folder_of(options), .say = tell};
  terms.threads = static_cast<std::size_t>(terms.config.threads);
  if (terms.threads == 0) terms.threads = std::max(1U, std::thread::hardware_concurrency());
  usi::StopBySignal stop;
  const std::stop_token token = stop.token();
  const auto outcome = run_othello_loop(terms, token);
  if (!outcome) return complain(outcome.error()), kExitFailed;
  if (!outcome->complete) {
    tell("stopped; the same command goes on");
    return kExitStopped;
  }
  tell(fmt::format("{}; the tables: {}", outcome->network.string(), (terms.folder / "tables.md").string()));
  return kExitOk;
}

// Of a loop whose networks `engine`, beside this program, plays with.
template <class Terms, class Config>
Terms terms_of(const LoopOptions& options, Config config, std::string_view engine) {
  const std::filesystem::path program = usi::own_program();
  Terms terms{.config = std::move(config),
              .name = std::filesystem::path(options.file).stem().string(),
              .folder = folder_of(options),
              .program = program.string(),
              .say = tell};
  terms.engine = terms.config.engine.empty() ? (program.parent_path() / engine).string() : terms.config.engine;
  terms.processes = terms.config.processes > 0 ? terms.config.processes
                                               : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return terms;
}

int run_policy(const LoopOptions& options, std::string_view text) {
  const std::filesystem::path file = options.file;
  auto config = parse_policy_config(text, file);
  if (!config) return complain(config.error()), kExitUsage;
  if (options.check) {
    if (auto fits = check(*config); !fits) return complain(fits.error()), kExitUsage;
    tell(fmt::format("{}: {} of policy networks", options.file,
                     record::counted(config->generations.size(), "generation")));
    return kExitOk;
  }
  const auto terms = terms_of<PolicyLoopTerms>(options, std::move(*config), "fuhyo-mcts");
  usi::StopBySignal stop;
  const std::stop_token token = stop.token();
  const auto outcome = run_policy_loop(terms, token);
  if (!outcome) return complain(outcome.error()), kExitFailed;
  if (!outcome->complete) {
    tell("stopped; the same command goes on");
    return kExitStopped;
  }
  tell(fmt::format("the best network: {}; the page: {}", outcome->best.string(),
                   (terms.folder / "index.html").string()));
  return kExitOk;
}

int run(const LoopOptions& options) {
  const std::filesystem::path file = options.file;
  const auto text = read_file(file);
  if (!text) return complain(text.error()), kExitUsage;
  if (has_table(*text, "othello")) return run_othello(options, *text);
  if (has_table(*text, "policy")) return run_policy(options, *text);
  auto config = parse_loop_config(*text, file);
  if (!config) return complain(config.error()), kExitUsage;
  const auto terms = terms_of<LoopTerms>(options, std::move(*config), "fuhyo-nnue");
  if (options.check) {
    if (auto fits = check(terms.config); !fits) return complain(fits.error()), kExitUsage;
    terms.say(fmt::format("{}: {}", options.file, record::counted(terms.config.generations.size(), "generation")));
    return kExitOk;
  }
  usi::StopBySignal stop;
  const std::stop_token token = stop.token();
  const auto outcome = run_loop(terms, token);
  if (!outcome) return complain(outcome.error()), kExitFailed;
  if (!outcome->complete) {
    terms.say("stopped; the same command goes on");
    return kExitStopped;
  }
  terms.say(fmt::format("the best network: {} (FV_SCALE {}); the page: {}", outcome->best.string(), outcome->fv_scale,
                        (terms.folder / "index.html").string()));
  return kExitOk;
}

}  // namespace

Command add_loop(CLI::App& root) {
  CLI::App* command =
      manual::add_command(root, "loop", "Generations of games, training and tests, by a file of settings");
  const auto options = std::make_shared<LoopOptions>();
  command->add_option("file", options->file, "Settings, TOML")->required()->check(CLI::ExistingFile);
  command->add_option(
      "--folder", options->folder,
      "Gets everything; the same command goes on with what is begun there (the file's name without .toml)");
  command->add_flag("--check", options->check, "Read the file and the networks that it names; play nothing");
  return [options] { return run(*options); };
}

}  // namespace fuhyo::learn
