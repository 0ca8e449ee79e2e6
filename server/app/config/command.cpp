// `fuhyo config`: what is wrong with a configuration, the effective settings, and the file that explains every setting.
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "server/app/commands.h"
#include "server/app/config/config.h"
#include "server/app/config/flags.h"
#include "server/app/config/print.h"

namespace fuhyo::app {
namespace {

struct ConfigArguments {
  SettingFlags to_check, to_print;
  bool effective = false;
};

// Says all that is wrong. The code to exit with.
int refuse_config(const std::vector<std::string>& problems, const std::filesystem::path& file) {
  for (const std::string& problem : problems) fmt::print(stderr, "{}\n", problem);
  std::error_code ignored;
  return !file.empty() && !std::filesystem::exists(file, ignored) ? kExitNoInput : kExitUsage;
}

int check(const SettingFlags& flags) {
  const std::filesystem::path file = flags.config();
  const Checked checked = check_config(flags.words(), environment_variable, file);
  // A warning: other programs' variables may begin so.
  for (const std::string& mistaken : mistaken_variables(names_of_environment())) {
    fmt::print(stderr, "warning: {}\n", mistaken);
  }
  if (!checked.problems.empty()) return refuse_config(checked.problems, file);
  fmt::print("{}: nothing is wrong\n", file.empty() ? "flags and environment" : file.string());
  return kExitOk;
}

int print(const ConfigArguments& arguments) {
  const std::filesystem::path file = arguments.to_print.config();
  const Checked checked = check_config(arguments.to_print.words(), environment_variable, file);
  if (!checked.problems.empty()) return refuse_config(checked.problems, file);
  fmt::print("{}", print_config(checked.resolved, arguments.effective ? Printed::effective : Printed::said));
  return kExitOk;
}

}  // namespace

Command add_config(CLI::App& root) {
  CLI::App* command =
      manual::add_command(root, "config", "Checks, prints and explains the configuration of fuhyo serve");
  command->require_subcommand(1);
  const auto arguments = std::make_shared<ConfigArguments>();
  CLI::App* check_command =
      manual::add_command(*command, "check", "Says all that is wrong in a file, with file and line");
  add_setting_flags(*check_command, arguments->to_check, "FILE,--config");
  CLI::App* print_command = manual::add_command(
      *command, "print", "Prints what was said, and by whom, without secrets: by flags, environment, file");
  print_command->add_flag("--effective", arguments->effective, "All effective settings, the defaults too");
  add_setting_flags(*print_command, arguments->to_print, "--config");
  CLI::App* example_command =
      manual::add_command(*command, "example", "Prints a file with every setting, explained and commented out");
  check_command->footer("Exit code 0: nothing is wrong; 64: something is; 66: the file cannot be read.");
  return [=] {
    if (check_command->parsed()) return check(arguments->to_check);
    if (print_command->parsed()) return print(*arguments);
    if (example_command->parsed()) fmt::print("{}", example_config());
    return kExitOk;
  };
}

}  // namespace fuhyo::app
