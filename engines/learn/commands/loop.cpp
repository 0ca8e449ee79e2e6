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

struct LoopArguments {
  std::string file, folder;
  bool check = false;
};

std::filesystem::path folder_of(const LoopArguments& arguments) {
  const std::filesystem::path file = arguments.file;
  return arguments.folder.empty() ? file.parent_path() / file.stem() : std::filesystem::path(arguments.folder);
}

int run_othello(const LoopArguments& arguments, std::string_view text) {
  auto config = parse_othello_config(text, arguments.file);
  if (!config) return complain(config.error()), kExitUsage;
  if (arguments.check) {
    print_line(fmt::format("{}: {} epochs of Othello", arguments.file, config->epochs));
    return kExitOk;
  }
  OthelloLoopOptions options{.config = std::move(*config), .folder = folder_of(arguments), .say = print_line};
  options.threads = static_cast<std::size_t>(options.config.threads);
  if (options.threads == 0) options.threads = std::max(1U, std::thread::hardware_concurrency());
  usi::StopBySignal stop;
  const std::stop_token token = stop.token();
  const auto result = run_othello_loop(options, token);
  if (!result) return complain(result.error()), kExitFailed;
  if (!result->complete) return say_stopped();
  print_line(fmt::format("{}; the tables: {}", result->network.string(), (options.folder / "tables.md").string()));
  return kExitOk;
}

// A loop whose networks `engine`, beside this program, plays with. `of`: of which networks; empty: NNUE.
template <class Config, class Run>
int run_generations(const LoopArguments& arguments, std::expected<Config, std::string> config, Run run_it,
                    std::string_view engine, std::string_view of) {
  if (!config) return complain(config.error()), kExitUsage;
  if (arguments.check) {
    if (auto fits = check(*config); !fits) return complain(fits.error()), kExitUsage;
    print_line(fmt::format("{}: {}{}", arguments.file, record::counted(config->generations.size(), "generation"), of));
    return kExitOk;
  }
  const std::filesystem::path program = usi::own_program();
  GenerationLoopOptions<Config> options{.config = std::move(*config),
                                        .name = std::filesystem::path(arguments.file).stem().string(),
                                        .folder = folder_of(arguments),
                                        .program = program.string(),
                                        .say = print_line};
  options.engine = options.config.engine.empty() ? (program.parent_path() / engine).string() : options.config.engine;
  options.processes = options.config.processes > 0
                          ? options.config.processes
                          : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  usi::StopBySignal stop;
  const std::stop_token token = stop.token();
  const auto result = run_it(options, token);
  if (!result) return complain(result.error()), kExitFailed;
  if (!result->complete) return say_stopped();
  print_line(fmt::format("the best network: {}{}; the page: {}", result->best.string(),
                         of.empty() ? fmt::format(" (FV_SCALE {})", result->fv_scale) : "",
                         (options.folder / "index.html").string()));
  return kExitOk;
}

int run(const LoopArguments& arguments) {
  const std::filesystem::path file = arguments.file;
  const auto text = read_file(file);
  if (!text) return complain(text.error()), kExitUsage;
  if (has_table(*text, "othello")) return run_othello(arguments, *text);
  if (has_table(*text, "policy")) {
    return run_generations(arguments, parse_policy_config(*text, file), run_policy_loop, "fuhyo-mcts",
                           " of policy networks");
  }
  return run_generations(arguments, parse_loop_config(*text, file), run_loop, "fuhyo-nnue", "");
}

}  // namespace

Command add_loop(CLI::App& root) {
  CLI::App* command =
      manual::add_command(root, "loop", "Generations of games, training and tests, by a file of settings");
  const auto arguments = std::make_shared<LoopArguments>();
  command->add_option("file", arguments->file, "Settings, TOML")->required()->check(CLI::ExistingFile);
  command->add_option(
      "--folder", arguments->folder,
      "Gets everything; the same command goes on with what is begun there (the file's name without .toml)");
  command->add_flag("--check", arguments->check, "Read the file and the networks that it names; play nothing");
  return [arguments] { return run(*arguments); };
}

}  // namespace fuhyo::learn
