#include "engines/manual/program.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <iostream>
#include <span>
#include <sstream>
#include <string_view>

#include <CLI/CLI.hpp>

#include "engines/manual/commands.h"
#include "engines/manual/mistake.h"

namespace fuhyo::manual {
namespace {

constexpr int kUsage = 64;

// The library names what it does not know from the end to the beginning. Values behind an unknown option are its own.
std::string unknown(const CLI::App& root) {
  const std::vector<std::string> words = root.remaining(true);
  const auto option =
      std::ranges::find_if(words, [](const std::string& word) { return word.size() > 1 && word.starts_with('-'); });
  if (option != words.end()) return fmt::format("There is no option {} here.", *option);
  return fmt::format("There is nothing to do with {} here.", fmt::join(words, " "));
}

std::string failure(const CLI::App* root, const CLI::Error& error) {
  const bool is_unknown = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  return CLI::FailureMessage::simple(root, is_unknown ? CLI::Error(error.get_name(), unknown(*root)) : error);
}

int refuse(const CLI::App& root, const CLI::ParseError& error, std::span<const char* const> words,
           const Program& program) {
  std::ostringstream said;
  if (root.exit(error, std::cout, said) == 0) return 0;  // --help, --version
  const std::string question = meant(root, std::vector<std::string_view>(words.begin(), words.end()));
  if (!question.empty()) said << question << '\n';
  if (program.print_errors)
    program.print_errors(said.str());
  else
    fmt::print(stderr, "{}", said.str());
  return kUsage;
}

}  // namespace

int run(const Program& program, int argc, const char* const* argv) {
  CLI::App root(program.about, program.name);
  root.set_version_flag("--version", program.version);
  root.require_subcommand(1);
  root.failure_message(failure);

  std::vector<std::pair<const char*, Command>> commands;
  for (const auto& [name, add] : program.commands) commands.emplace_back(name, add(root));
  const Command manual = add_manual(root, program.version);
  for (const char* name : kCommands) commands.emplace_back(name, manual);
  refuse_negative(root);
  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return refuse(root, error, std::span(argv, static_cast<std::size_t>(argc)).subspan(1), program);
  }
  for (const auto& [name, command] : commands) {
    if (root.got_subcommand(name)) return command();
  }
  return kUsage;
}

}  // namespace fuhyo::manual
