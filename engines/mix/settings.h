// The options of fuhyo-mix, and the configuration of its members that follows from them. Pure but for a look whether a
// program stands beside this one; one thread at a time.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "engines/members/config.h"
#include "engines/usi/options.h"

namespace fuhyo::mix {

using members::EngineOptions;
using members::MemberConfig;

constexpr int kMostMembers = 3;

struct Settings {
  std::vector<MemberConfig> members{};  // not empty
  int weight_percent = 50, late_weight_percent = 50;
  int share_percent = 0;
  std::string decision_log{};
};

void add_settings(usi::OptionTable& table);
// `beside`: the folder in which a program that is named without a folder is looked for first. An error names the
// option. The common options must be in the table, too: threads and memory are dealt out among the members.
std::expected<Settings, std::string> settings_of(const usi::OptionTable& table, const std::string& beside);

}  // namespace fuhyo::mix
