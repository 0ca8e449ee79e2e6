// The commands about rooms.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/core/admin/admin_commands.h"
#include "server/core/counted.h"

namespace fuhyo::core {
namespace {

AdminResult of_a_file(std::string_view name) {
  return admin_refusal(fmt::format("the room {} is that of a file: change rooms/{}.toml, then reload", name, name));
}

}  // namespace

AdminResult AdminCommands::rooms() {
  AdminResult result{.ok = true,
                     .text = {},
                     .columns = {"room", "games", "playing", "waiting", "by", "title", "visibility", "after-game"},
                     .rows = {}};
  const auto row = [&](std::string_view name, const RoomSet& told, const RoomRules& said) {
    const auto [playing, waits] = core.rooms.crowd_of(name);
    const std::string& title = said.title_en.empty() ? said.title_ja : said.title_en;
    result.rows.push_back({std::string(name), said.games, fmt::format("{}", playing), fmt::format("{}", waits),
                           told.of_file ? "file" : told.by, title, visibility_text(said.showing),
                           said.after_game == AfterGame::stay ? "stay" : "close"});
  };
  row(kMainRoom, {}, RoomRules{.games = "*"});
  for (const auto& [name, room] : core.rooms.known().all()) row(name, room.told, room.rules);
  result.text = counted(result.rows.size(), "room");
  return result;
}

AdminResult AdminCommands::room() {
  const std::string_view name = words.next();
  const Room* found = core.rooms.known().find(name);
  if (found == nullptr) return admin_refusal(fmt::format("there is no room '{}'", name));
  AdminResult result{.ok = true, .text = {}, .columns = {"setting", "value"}, .rows = {}};
  for (const std::string& setting : found->told.settings) {
    const std::size_t equals = setting.find('=');
    result.rows.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  const auto [playing, waits] = core.rooms.crowd_of(name);
  result.text = fmt::format("{} by {} at {}; {}, {} waiting", name, found->told.of_file ? "its file" : found->told.by,
                            core.context.local_time(found->told.at), counted(playing, "game"), waits);
  return result;
}

AdminResult AdminCommands::set_room() {
  const std::string name(words.next());
  if (auto fine = check_room_name(name); !fine) return admin_refusal(fine.error());
  const Room* former = core.rooms.known().find(name);
  if (former != nullptr && former->told.of_file) return of_a_file(name);
  const auto said = split_settings(words.rest());
  if (!said) return admin_refusal(said.error());
  if (said->empty()) return admin_refusal(fmt::format("set what? One of {}", fmt::join(room_keys(), ", ")));
  std::vector<std::string> settings = former == nullptr ? std::vector<std::string>{} : former->told.settings;
  settings.insert(settings.end(), said->begin(), said->end());
  const auto wanted = read_room(settings);
  if (!wanted) return admin_refusal(wanted.error());
  if (auto fine = core.rooms.known().check(name, *wanted, core.context.limits.rooms); !fine)
    return admin_refusal(fine.error());
  if (const std::string lacking = core.rooms.lacks(*wanted); !lacking.empty()) return admin_refusal(lacking);
  const bool is_new = former == nullptr;
  core.rooms.set_room({.name = name, .settings = settings_of(*wanted), .of_file = false, .by = caller.who, .why = {}});
  return admin_done(fmt::format("the room {} {}: {}", name, is_new ? "is made" : "is changed",
                                fmt::join(core.rooms.known().find(name)->told.settings, " ")));
}

AdminResult AdminCommands::close_room() {
  const std::string name(words.next());
  const Room* found = core.rooms.known().find(name);
  if (found == nullptr) return admin_refusal(fmt::format("there is no room '{}'", name));
  if (found->told.of_file) return of_a_file(name);
  why = words.rest();
  const std::size_t playing = core.rooms.crowd_of(name).first;
  core.rooms.close_room({.name = name, .by = caller.who, .why = why});
  return admin_done(fmt::format("the room {} is closed; still played: {}", name, counted(playing, "game")));
}

}  // namespace fuhyo::core
