#include "engines/manual/commands.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"

namespace fuhyo::manual {
namespace {

constexpr int kOk = 0, kFailed = 1, kCannotCreate = 73;  // as every program of ours ends

void visit(const CLI::App& app, const std::string& path, std::vector<CommandPath>& out) {
  out.push_back({path, &app});
  for (const CLI::App* command : commands_of(app)) visit(*command, path + " " + command->get_name(), out);
}

int write_manual(const CLI::App& root, const std::string& version, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (const Page& page : man_pages(root, version)) {
    std::ofstream out(folder / page.name, std::ios::binary);
    out << page.text << std::flush;
    if (out) continue;
    fmt::print(stderr, "{}: cannot be written\n", (folder / page.name).string());
    return kCannotCreate;
  }
  return kOk;
}

}  // namespace

void refuse_negative(CLI::App& app) {
  const std::function<std::string(const std::string&)> fault_of = [](const std::string& value) {
    return value.contains('-') ? fmt::format("{} is less than 0", value) : "";
  };
  for (CLI::Option* option : app.get_options()) {
    if (option->get_type_name().starts_with("UINT")) option->check(fault_of);
  }
  const std::function<bool(CLI::App*)> every;
  for (CLI::App* command : app.get_subcommands(every)) refuse_negative(*command);
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<CommandPath> command_paths(const CLI::App& root) {
  std::vector<CommandPath> out;
  visit(root, root.get_name(), out);
  return out;
}

std::vector<const CLI::Option*> flags_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* o) { return !o->get_group().empty() && !names_of(*o).empty(); });
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* o) { return !o->get_group().empty() && o->get_positional(); });
}

std::vector<std::string> names_of(const CLI::Option& flag) {
  std::vector<std::string> names;
  for (const std::string& name : flag.get_snames()) names.push_back("-" + name);
  for (const std::string& name : flag.get_lnames()) names.push_back("--" + name);
  return names;
}

bool takes_value(const CLI::Option& flag) { return flag.get_items_expected_max() > 0; }

std::vector<std::string> choices_of(const CLI::Option& flag) {
  const std::string type = takes_value(flag) ? flag.get_type_name() : "";
  const bool words = std::ranges::all_of(type, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '|' || c == '-' || c == '_';
  });
  if (!words || type.find('|') == std::string::npos) return {};
  std::vector<std::string> choices;
  for (std::size_t at = 0; at <= type.size();) {
    const std::size_t end = std::min(type.find('|', at), type.size());
    choices.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  return choices;
}

std::function<int()> add_manual(CLI::App& root, std::string version) {
  struct Given {
    std::string shell, folder;
  };
  const auto given = std::make_shared<Given>();
  CLI::App* completion = add_command(root, "completion", "Prints the completion of these commands for a shell");
  completion->add_option("SHELL", given->shell, "whose")->type_name("bash|zsh|fish")->required();
  completion->footer(fmt::format(
      "eval \"$({0} completion bash)\"   in ~/.bashrc; zsh likewise, behind compinit\n{0} completion fish | source",
      root.get_name()));
  CLI::App* manual = add_command(root, "manual", "Writes the man pages of these commands, one file each");
  manual->add_option("DIR", given->folder, "where to; made if it is not there")->type_name("DIR")->required();
  return [&root, version = std::move(version), given, completion] {
    if (!completion->parsed()) return write_manual(root, version, given->folder);
    const std::string script = completion_script(root, given->shell);
    if (script.empty()) {
      fmt::print(stderr, "there is no completion for '{}': bash, zsh, fish\n", given->shell);
      return kFailed;
    }
    fmt::print("{}", script);
    return kOk;
  };
}

}  // namespace fuhyo::manual
