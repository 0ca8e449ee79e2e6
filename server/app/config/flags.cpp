#include "server/app/config/flags.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "engines/manual/suggest.h"

namespace fuhyo::app {
namespace {

void add_setting_flag(CLI::App& command, const Setting& setting, std::vector<std::string>& given) {
  const std::string name = fmt::format("--{}", setting.key);
  std::string help(setting.help);
  if (setting.kind == Setting::Kind::flag) {
    command.add_flag_callback(name, [&given] { given = {"true"}; }, help);
    return;
  }
  if (!setting.initial.empty() && !setting.initial.front().empty())
    help += fmt::format(" [{}]", fmt::join(setting.initial, " "));
  auto* option = command.add_option(name, given, help);
  option->type_name(std::string(setting.value_name));
  option->expected(1)->take_all()->allow_extra_args(false);
  if (setting.kind != Setting::Kind::list) option->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

}  // namespace

Words SettingFlags::words() const {
  Words words;
  for (const auto& [key, values] : given) {
    if (!values.empty()) words.emplace(key, values);
  }
  return words;
}

std::filesystem::path SettingFlags::config() const {
  const char* variable = environment_variable("FUHYO_CONFIG");
  return file.empty() && variable != nullptr ? variable : file;
}

void add_setting_flags(CLI::App& command, SettingFlags& flags, const std::string& config_name) {
  for (const Setting& setting : settings()) {
    add_setting_flag(command, setting, flags.given[std::string(setting.key)]);
  }
  command.add_option(config_name, flags.file, "TOML file with the same names as these flags")->type_name("FILE");
}

const char* environment_variable(const char* name) { return std::getenv(name); }

std::vector<std::string> mistaken_variables(const std::vector<std::string>& names) {
  std::vector<std::string> known = {"FUHYO_CONFIG"};
  for (const Setting& setting : settings()) known.push_back(variable_name(setting.key));
  const std::vector<std::string_view> views(known.begin(), known.end());
  std::vector<std::string> found;
  for (const std::string& name : names) {
    if (!name.starts_with("FUHYO_") || std::ranges::find(known, name) != known.end()) continue;
    const std::string meant = manual::did_you_mean(name, views);
    if (!meant.empty()) found.push_back(fmt::format("{}: no setting is called so{}", name, meant));
  }
  return found;
}

std::vector<std::string> names_of_environment() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view line(*entry);
    names.emplace_back(line.substr(0, line.find('=')));
  }
  return names;
}

}  // namespace fuhyo::app
