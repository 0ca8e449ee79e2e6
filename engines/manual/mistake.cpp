#include "engines/manual/mistake.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/manual/suggest.h"

namespace fuhyo::manual {
namespace {

std::string ask_for(std::string_view word, const std::vector<std::string>& known) {
  const std::string_view found = nearest(word, std::vector<std::string_view>(known.begin(), known.end()));
  return found.empty() ? "" : fmt::format("did you mean {}?", found);
}

}  // namespace

std::string meant(const CLI::App& root, std::span<const std::string_view> words) {
  const CLI::App* app = &root;
  for (const std::string_view word : words) {
    std::vector<std::string> flags, commands;
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    }
    const CLI::App* next = nullptr;
    for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; })) {
      commands.push_back(command->get_name());
      if (command->get_name() == word) next = command;
    }
    if (word.starts_with("--")) {
      const std::string_view name = word.substr(0, word.find('='));
      if (std::ranges::find(flags, name) == flags.end()) return ask_for(name, flags);
    } else if (next != nullptr) {
      app = next;
    } else if (!commands.empty() && !word.starts_with("-")) {
      return ask_for(word, commands);
    }
  }
  return {};
}

}  // namespace fuhyo::manual
