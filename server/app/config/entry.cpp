#include "server/app/config/entry.h"

#include <algorithm>
#include <fmt/format.h>

#include "server/app/config/key_values.h"
#include "server/csa/command.h"

namespace fuhyo::app {
namespace {

constexpr std::size_t kMaxName = 32;

std::expected<void, std::string> set_players(core::EntryRule& rule, std::string_view list) {
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), name.size() + 1));
    if (!csa::is_identifier(name, kMaxName)) return std::unexpected(fmt::format("'{}' is no name of a player", name));
    if (!rule.players.insert(core::name_key(name)).second) {
      return std::unexpected(fmt::format("{} is named twice, or looks like another one", name));
    }
  }
  if (rule.players.empty()) return std::unexpected("players= names nobody: leave it out to let everybody in");
  return {};
}

}  // namespace

std::expected<core::EntryRule, std::string> parse_entry(std::string_view line) {
  core::EntryRule rule;
  bool accounts = false;
  for (const auto& [key, value] : key_values(line)) {
    if (key == "games") {
      rule.games = value;
    } else if (key == "accounts") {
      const auto policy = core::account_policy_of(value);
      if (!policy) return std::unexpected(fmt::format("accounts is open, claim or closed, not '{}'", value));
      rule.accounts = *policy;
      accounts = true;
    } else if (key == "players") {
      if (const auto fine = set_players(rule, value); !fine) return std::unexpected(fine.error());
    } else if (key == "tls") {
      if (value != "yes" && value != "no") return std::unexpected(fmt::format("tls is yes or no, not '{}'", value));
      rule.tls = value == "yes";
    } else if (key == "browsers") {
      const auto policy = core::browser_policy_of(value);
      if (!policy) return std::unexpected(fmt::format("browsers is anybody, accounts or nobody, not '{}'", value));
      rule.browsers = *policy;
    } else {
      return std::unexpected(fmt::format("an entry has games, accounts, players, tls and browsers, not '{}'", key));
    }
  }
  if (rule.games.empty()) return std::unexpected("an entry needs games=, a game name; * stands for any characters");
  if (!accounts) return std::unexpected(fmt::format("the entry for {} needs accounts=open|claim|closed", rule.games));
  return rule;
}

const std::vector<std::string>& usual_reserved_names() {
  static const std::vector<std::string> names = {"admin",        "administrator", "fuhyo",  "host",
                                                 "operator",     "root",          "server", "system",
                                                 "shogi-server", "floodgate",     "referee"};
  return names;
}

}  // namespace fuhyo::app
