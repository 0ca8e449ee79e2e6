#include "server/app/config/config.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <utility>

#include "server/app/config/file.h"
#include "server/app/config/setters.h"
#include "server/app/config/settings.h"
#include "server/app/text.h"

namespace fuhyo::app {
namespace {

std::vector<Setting> make_settings() {
  std::vector<Setting> all;
  const auto add = [&all](std::string_view section, std::vector<Setting> more) {
    for (Setting& setting : more) setting.section = section;
    std::ranges::move(more, std::back_inserter(all));
  };
  add("Players and games", game_settings());
  add("Engines as players", engine_settings());
  add("What spectators see", spectator_settings());
  add("TLS", tls_settings());
  add("Accounts", account_settings());
  add("Where it keeps things", place_settings());
  add("After a break of a line, or of the server", resume_settings());
  add("Analysis of finished games", analysis_settings());
  add("The web", web_settings());
  add("How it is run", running_settings());
  add("Logs", log_settings());
  return all;
}

Said who_said(const Setting& setting, const Words& flags, const Variable& variable, const ConfigFile& file) {
  if (const auto it = flags.find(setting.key); it != flags.end()) {
    return {it->second, fmt::format("--{}", setting.key)};
  }
  const std::string name = variable_name(setting.key);
  if (const char* value = variable(name.c_str())) {
    if (setting.kind == Setting::Kind::list) return {split_list(value), name};
    return {{value}, name};
  }
  if (const auto it = file.find(setting.key); it != file.end()) return it->second;
  return {setting.initial, "default"};
}

// What no setting can say alone.
Fine check_together(const ServeConfig& config) {
  if (!config.tls() || (!config.tls_cert.empty() && !config.tls_key.empty())) return {};
  return std::unexpected(fmt::format("{}: needs a certificate and its key: {} is not set",
                                     !config.csa_tls.empty() ? "csa-tls"
                                     : !config.https.empty() ? "https"
                                                             : "worker-door",
                                     config.tls_cert.empty() ? "tls-cert" : "tls-key"));
}

Fine take(const Setting& setting, const Said& said, ServeConfig& config) {
  if (setting.kind != Setting::Kind::list && said.words.size() != 1) return std::unexpected("takes one value");
  return setting.set.apply(config, said.words);
}

}  // namespace

std::span<const Setting> settings() {
  static const std::vector<Setting> table = make_settings();
  return table;
}

std::string variable_name(std::string_view key) {
  std::string name = "FUHYO_";
  for (const char c : key) name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return name;
}

Checked check_config(const Words& flags, const Variable& variable, const std::filesystem::path& file) {
  Checked checked;
  Problems problems;
  ConfigFile from_file;
  if (!file.empty()) from_file = read_config_file(file, settings(), problems);
  for (const Setting& setting : settings()) {
    Said said = who_said(setting, flags, variable, from_file);
    if (const auto fine = take(setting, said, checked.resolved.config); !fine) {
      problems.emplace(said.line, fmt::format("{}: {}", said.origin, fine.error()));
    }
    checked.resolved.said.emplace(setting.key, std::move(said));
  }
  for (const auto& [line, text] : problems) checked.problems.push_back(escape_controls(text));
  // Of values that were refused nothing follows.
  if (const auto fine = check_together(checked.resolved.config); !fine && problems.empty()) {
    checked.problems.push_back(fine.error());
  }
  return checked;
}

std::expected<Resolved, std::string> resolve_config(const Words& flags, const Variable& variable,
                                                    const std::filesystem::path& file) {
  Checked checked = check_config(flags, variable, file);
  if (!checked.problems.empty()) return std::unexpected(fmt::format("{}", fmt::join(checked.problems, "\n")));
  return std::move(checked.resolved);
}

}  // namespace fuhyo::app
