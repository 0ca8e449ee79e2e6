// fuhyo: a shogi game server and the tools around it. Each subcommand has a file of its own (commands.h).
#include <cstdio>
#include <fmt/format.h>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/manual/commands.h"
#include "server/app/commands.h"
#include "server/app/mistake.h"

#ifndef FUHYO_ENGINES_ONLY
#include <sys/stat.h>

#include "server/app/serve/service_manager.h"
#endif

#ifdef FUHYO_ENGINES_ONLY
constexpr const char* kAbout = "Fuhyo: games between USI engines, and what engines say of games.";
void print_errors(const std::string& lines) { fmt::print(stderr, "{}", lines); }
#else
constexpr const char* kAbout = "Fuhyo: a shogi game server that speaks the CSA protocol.";

// Of a command that writes into a data folder. Hashes of secrets, the audit log and games that are shown late are
// nobody else's business, whatever the umask of who has started it.
fuhyo::app::Command in_private(fuhyo::app::Command run) {
  return [run = std::move(run)] {
    ::umask(S_IRWXG | S_IRWXO);
    return run();
  };
}
#endif

int main(int argc, char** argv) {
  using namespace fuhyo::app;
  CLI::App root(kAbout, "fuhyo");
  root.set_version_flag("--version", "fuhyo " FUHYO_VERSION);
  root.require_subcommand(1);
  root.failure_message(CLI::FailureMessage::simple);

  std::vector<std::pair<const char*, Command>> commands;
#ifndef FUHYO_ENGINES_ONLY
  commands.emplace_back("setup", in_private(add_setup(root)));
  commands.emplace_back("serve", in_private(add_serve(root)));
  commands.emplace_back("config", add_config(root));
  commands.emplace_back("admin", add_admin(root));
  commands.emplace_back("join", add_join(root));
  commands.emplace_back("replay", add_replay(root));
  commands.emplace_back("relay", in_private(add_relay(root)));
  commands.emplace_back("rate", add_rate(root));
  commands.emplace_back("migrate", in_private(add_migrate(root)));
  commands.emplace_back("import-shogi-server", in_private(add_import(root)));
  commands.emplace_back("store", in_private(add_store(root)));
#endif
  commands.emplace_back("match", add_match(root));
#ifndef FUHYO_ENGINES_ONLY
  commands.emplace_back("tune", add_tune(root));
#endif
  commands.emplace_back("jobs", add_jobs(root));
  commands.emplace_back("analyze", add_analyze(root));
#ifndef FUHYO_ENGINES_ONLY
  commands.emplace_back("convert", add_convert(root));
  commands.emplace_back("tournament", add_tournament(root));
#endif
  const auto manual = fuhyo::manual::add_manual(root, "fuhyo " FUHYO_VERSION);
  for (const char* name : fuhyo::manual::kCommands) commands.emplace_back(name, manual);
  fuhyo::manual::refuse_negative(root);
  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream said;
    if (root.exit(error, std::cout, said) == 0) return kExitOk;
    const std::string question = meant(root, std::vector<std::string_view>(argv + 1, argv + argc));
    if (!question.empty()) said << question << '\n';
    print_errors(said.str());
    return kExitUsage;
  }
  for (const auto& [name, run] : commands) {
    if (root.got_subcommand(name)) return run();
  }
  return kExitUsage;
}
