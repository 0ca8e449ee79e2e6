// How the words of a setting become values: one function a kind of value, which refuses what is none
// with the reason. Any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/app/config/config.h"

namespace fuhyo::app {

using Fine = std::expected<void, std::string>;

std::vector<std::string> split_list(std::string_view text);  // at commas

Setter set_number(int ServeConfig::* field, int least, int most);

// One of a few words. The error names them all.
std::string none_of(std::string_view word, const std::vector<std::string>& choices);
template <class T>
Setter set_choice(T ServeConfig::* field, std::vector<std::pair<std::string, T>> choices) {
  return [field, choices = std::move(choices)](ServeConfig& config, const std::vector<std::string>& words) -> Fine {
    std::vector<std::string> known;
    for (const auto& [word, value] : choices) {
      if (word == words.front()) {
        config.*field = value;
        return {};
      }
      known.push_back(word);
    }
    return std::unexpected(none_of(words.front(), known));
  };
}
Setter set_choice(std::string ServeConfig::* field, const std::vector<std::string>& choices);

Setter set_flag(bool ServeConfig::* field);
Setter set_path(std::filesystem::path ServeConfig::* field, bool may_be_empty);
Setter set_networks(NetworkList ServeConfig::* field);
Setter set_addresses(std::vector<std::string> ServeConfig::* field, bool may_be_off);
Setter set_more_addresses(std::vector<std::string> ServeConfig::* field);  // that nobody has to name

// A rule a line.
template <typename Rule>
Setter set_rules(std::vector<Rule> ServeConfig::* field, std::expected<Rule, std::string> (*parse)(std::string_view),
                 std::size_t most = std::numeric_limits<std::size_t>::max()) {
  return [=](ServeConfig& config, const std::vector<std::string>& words) -> Fine {
    if (words.size() > most) return std::unexpected(fmt::format("there may be at most {} lines", most));
    (config.*field).clear();
    for (const std::string& word : words) {
      auto rule = parse(word);
      if (!rule) return std::unexpected(rule.error());
      (config.*field).push_back(std::move(*rule));
    }
    return {};
  };
}

Fine set_store(ServeConfig& config, const std::vector<std::string>& words);
Fine set_event(ServeConfig& config, const std::vector<std::string>& words);
Fine set_clock(ServeConfig& config, const std::vector<std::string>& words);
Fine set_engines(ServeConfig& config, const std::vector<std::string>& words);
Fine set_commentator(ServeConfig& config, const std::vector<std::string>& words);
Fine set_analysis_engine(ServeConfig& config, const std::vector<std::string>& words);
Fine set_analysis_options(ServeConfig& config, const std::vector<std::string>& words);
Fine set_floodgate_games(ServeConfig& config, const std::vector<std::string>& words);
Fine set_operators(ServeConfig& config, const std::vector<std::string>& words);
Fine set_workers(ServeConfig& config, const std::vector<std::string>& words);
Fine set_web_hosts(ServeConfig& config, const std::vector<std::string>& words);
Fine set_reserved_names(ServeConfig& config, const std::vector<std::string>& words);

}  // namespace fuhyo::app
