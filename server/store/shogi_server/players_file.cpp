#include "server/store/shogi_server/players_file.h"

#include <fmt/format.h>
#include <map>
#include <utility>

#include "server/core/rating/rated_id.h"
#include "server/store/shogi_server/ruby_yaml.h"

namespace fuhyo::store {
namespace {

using core::PlayerRating;
using core::PlayerRatings;

constexpr std::int64_t kMostGroups = 1'000'000;

double number_or_zero(const YAML::Node& player, std::string_view key) {
  const YAML::Node node = yaml_member(player, key);
  return node.IsDefined() && !node.IsNull() ? yaml_number(node, key) : 0;
}

PlayerRating read_player(const std::string& id, const YAML::Node& node, std::int32_t group) {
  PlayerRating player{.name = std::string(core::rating::name_of(id)), .group = group};
  if (const auto name = yaml_member(node, "name"); name.IsDefined()) player.name = yaml_text(name, "name");
  player.rate = number_or_zero(node, "rate");
  player.win = number_or_zero(node, "win");
  player.loss = number_or_zero(node, "loss");
  const YAML::Node time = yaml_member(node, "last_modified");
  if (time.IsDefined() && !time.IsNull()) player.last_modified = yaml_time(time, "last_modified");
  return player;
}

PlayerRatings take(const YAML::Node& root) {
  PlayerRatings ratings;
  if (root.IsNull()) return ratings;
  const YAML::Node groups = yaml_member(root, "players");
  if (!groups.IsDefined()) fail(root, "has no 'players:'");
  if (groups.IsNull()) return ratings;
  if (!groups.IsMap()) fail(groups, "'players:' has no groups");
  for (const auto& group : groups) {
    const std::int64_t number = yaml_integer(group.first, "the number of a group");
    if (number < 0 || number > kMostGroups) fail(group.first, fmt::format("{} is no group", number));
    if (group.second.IsNull()) continue;
    if (!group.second.IsMap()) fail(group.second, fmt::format("group {} has no players", number));
    for (const auto& player : group.second) {
      const std::string id = yaml_text(player.first, "the id of a player");
      ratings.players.emplace(id, read_player(id, player.second, static_cast<std::int32_t>(number)));
    }
  }
  return ratings;
}

void write_player(std::string& out, const std::string& id, const PlayerRating& player, const core::TimeZone& zone) {
  const bool unrated = player.group == core::kUnratedGroup && player.rate == 0;
  out += fmt::format(
      "    {}:\n"
      "      name: {}\n"
      "      rating_group: {}\n"
      "      rate: {}\n"
      "      last_modified: {}\n"
      "      win: {}\n"
      "      loss: {}\n",
      ruby_string(id), ruby_string(player.name), player.group, unrated ? "0" : ruby_float(player.rate),
      ruby_time(player.last_modified, zone), ruby_float(player.win), ruby_float(player.loss));
}

}  // namespace

std::expected<PlayerRatings, FileFault> read_players(std::string_view text, const std::string& file) {
  return read_yaml<PlayerRatings>(text, file, take);
}

std::string write_players(const PlayerRatings& ratings, const core::TimeZone& zone) {
  std::map<std::int32_t, std::string> groups;
  groups[core::kUnratedGroup];
  for (const auto& [id, player] : ratings.players) write_player(groups[player.group], id, player, zone);
  std::string out = "---\nplayers:\n";
  for (const auto& [number, players] : groups) {
    out += fmt::format("  {}:{}\n{}", number, players.empty() ? " {}" : "", players);
  }
  return out;
}

}  // namespace fuhyo::store
