// The commands about floodgate rounds, sets of positions and buoys.
#include <fmt/format.h>

#include "server/core/admin/admin_commands.h"
#include "server/core/counted.h"

namespace fuhyo::core {

AdminResult AdminCommands::rounds() {
  AdminResult result{
      .ok = true,
      .text = {},
      .columns = {"group", "next", "method", "rounds", "waiting", "without a trip", "to come", "owed", "positions"},
      .rows = {}};
  for (const auto& [name, group] : core.rounds.all()) {
    const std::string next = group.due ? core.context.local_time(*group.due) : "-";
    const std::string& set = group.told.settings.buoy_set;
    const bool is_there = set.empty() || core.buoys.find_set(set) != nullptr;
    result.rows.push_back({name, next, std::string(floodgate::to_string(group.told.settings.round.method)),
                           fmt::format("{}", group.round), fmt::format("{}", core.rounds.round_players(name).size()),
                           fmt::format("{}", core.rounds.tripless(name)), fmt::format("{}", group.returns.size()),
                           fmt::format("{}", group.owed.size()), is_there ? set : set + " (there is no such set)"});
  }
  result.text = counted(result.rows.size(), "group");
  return result;
}

AdminResult AdminCommands::round() {
  const std::string_view name = words.next();
  const auto held = core.rounds.hold_round(std::string(name));
  if (!held) return admin_refusal(fmt::format("no round of {}: {}", name, held.error()));
  core.context.put(RoundIsOver{std::string(name)});
  return {.ok = true,
          .text = fmt::format("round {} of {}: {}", core.rounds.all().find(name)->second.round, name,
                              counted(*held, "game")),
          .columns = {},
          .rows = {}};
}

AdminResult AdminCommands::positions() {
  const std::string_view wanted = words.next();
  AdminResult result{
      .ok = true, .text = {}, .columns = {"set", "position", "title", "start", "moves", "comment"}, .rows = {}};
  if (wanted.empty()) {
    result.columns = {"set", "positions", "by"};
    for (const auto& [name, set] : core.buoys.sets()) {
      result.rows.push_back({name, fmt::format("{}", set.positions.size()), set.by});
    }
    result.text = counted(result.rows.size(), "set");
    return result;
  }
  const PositionSet* set = core.buoys.find_set(wanted);
  if (set == nullptr) return admin_refusal(fmt::format("there is no set '{}'", wanted));
  for (std::size_t i = 0; i < set->positions.size(); ++i) {
    const StartPosition& p = set->positions[i];
    result.rows.push_back({std::string(wanted), fmt::format("{}", i + 1), p.title, p.sfen,
                           fmt::format("{}", fmt::join(p.moves, " ")), p.comment});
  }
  result.text = fmt::format("{}, by {}", counted(result.rows.size(), "position"), set->by);
  return result;
}

AdminResult AdminCommands::drop_positions() {
  const std::string name(words.next());
  if (core.buoys.find_set(name) == nullptr) return admin_refusal(fmt::format("there is no set '{}'", name));
  core.buoys.remove_set(name, caller.who);
  return {.ok = true, .text = fmt::format("the set {} is gone", name), .columns = {}, .rows = {}};
}

AdminResult AdminCommands::buoys() {
  const std::string_view pattern = words.next();
  AdminResult result{.ok = true, .text = {}, .columns = {"name", "owner", "left_games", "comment"}, .rows = {}};
  std::size_t found = 0;
  for (const auto& [name, buoy] : core.buoys.all()) {
    if (!admin_finds(pattern, name) || ++found > kMostListed) continue;
    result.rows.push_back({name, buoy.owner, fmt::format("{}", buoy.count), buoy.comment});
  }
  result.text = admin_listed(counted(found, "buoy"), found);
  return result;
}

// Buoys never expire and have a limit in all: an operator must be able to delete those of others.
AdminResult AdminCommands::drop_buoys() {
  const std::string pattern(words.next());
  if (pattern.empty()) return admin_refusal("which buoys?");
  why = words.rest();
  std::vector<std::string> found;
  for (const auto& [name, buoy] : core.buoys.all()) {
    if (fits(pattern, name)) found.push_back(name);
  }
  if (found.empty()) return admin_refusal(fmt::format("there is no buoy '{}'", pattern));
  for (const std::string& name : found) {
    core.buoys.remove({.name = name, .by = caller.who, .at = core.context.now.wall});
  }
  return {.ok = true, .text = counted(found.size(), "buoy") + " deleted", .columns = {}, .rows = {}};
}

}  // namespace fuhyo::core
