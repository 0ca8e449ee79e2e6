// fuhyo-learn: makes networks for our engines. The subcommands are in commands/.
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/manual/commands.h"

int main(int argc, char** argv) {
  using namespace fuhyo::learn;
  CLI::App root("Fuhyo learning: games of self-play, and networks that learn from them.", "fuhyo-learn");
  root.set_version_flag("--version", "fuhyo " FUHYO_VERSION);
  root.require_subcommand(1);
  root.failure_message(CLI::FailureMessage::simple);

  std::vector<std::pair<const char*, Command>> commands;
  commands.emplace_back("generate", add_generate(root));
  commands.emplace_back("self-play-policy", add_self_play_policy(root));
  commands.emplace_back("play", add_play(root));
  commands.emplace_back("gate", add_gate(root));
  commands.emplace_back("train", add_train(root));
  commands.emplace_back("convert", add_convert(root));
  commands.emplace_back("inspect", add_inspect(root));
  commands.emplace_back("aobazero", add_aobazero(root));
  commands.emplace_back("starts", add_starts(root));
  commands.emplace_back("duplicates", add_duplicates(root));
  commands.emplace_back("shuffle", add_shuffle(root));
  commands.emplace_back("samples", add_samples(root));
  commands.emplace_back("policy", add_policy(root));
  commands.emplace_back("loop", add_loop(root));
  commands.emplace_back("book", add_book(root));
  commands.emplace_back("othello", add_othello(root));
  const auto manual = fuhyo::manual::add_manual(root, "fuhyo " FUHYO_VERSION);
  for (const char* name : fuhyo::manual::kCommands) commands.emplace_back(name, manual);
  fuhyo::manual::refuse_negative(root);
  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = root.exit(error);
    return code == 0 ? kExitOk : kExitUsage;
  }
  for (const auto& [name, run] : commands) {
    if (root.got_subcommand(name)) return run();
  }
  return kExitUsage;
}
