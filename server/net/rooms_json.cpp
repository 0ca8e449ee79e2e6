#include "server/net/rooms_json.h"

#include <algorithm>
#include <optional>

#include <boost/json.hpp>

#include "server/net/http_routes.h"
#include "server/net/json_parts.h"

namespace fuhyo::net {
namespace {

namespace json = boost::json;

json::array names(const std::vector<std::string>& list) {
  json::array result;
  for (const std::string& name : list) result.emplace_back(clean(name));
  return result;
}

json::value engines(const PlayerEndpoints& endpoints) {
  if (!endpoints.engines) return nullptr;
  json::array result;
  for (const ServingEngine& engine : *endpoints.engines) {
    result.push_back(json::object{{"name", clean(engine.name)}, {"games", names(engine.games)}});
  }
  return result;
}

constexpr std::size_t kMostWaiters = 100;  // that are named: strangers can make thousands wait

json::array waiters(std::string_view room, const std::vector<core::Waiter>& lobby) {
  json::array result;
  for (const core::Waiter& waiter : lobby) {
    if (waiter.room != room) continue;
    if (result.size() == kMostWaiters) break;
    result.push_back(json::object{{"name", clean(waiter.name)},
                                  {"id", text_or_null(waiter.id)},
                                  {"builtin", waiter.builtin},
                                  {"game", clean(waiter.game_name)}});
  }
  return result;
}

json::object room_object(std::string_view name, const core::RoomRules& rules) {
  json::object result{
      {"name", clean(name)},
      {"title", json::object{{"ja", text_or_null(rules.title_ja)}, {"en", text_or_null(rules.title_en)}}},
      {"games", clean(rules.games)},
      {"max_moves", number_or_null(rules.max_moves)},
      {"least_time_per_move_s", number_or_null(rules.least_time_s)},
      {"start", text_or_null(rules.start)},
      {"players", names(rules.players)},
      {"builtin", names(rules.builtin)},
      {"rated", rules.rated},
      {"loss_grace_s", number_or_null(rules.grace_s)},
      {"after_game", rules.after_game == core::AfterGame::stay ? "stay" : "close"},
      {"pairing", rules.pairing == core::RoomPairing::host ? "host" : "lobby"},
      {"chat", rules.chat},
      {"commentator", rules.commentator}};
  result["time"] = time_or_null(rules.time);
  result["time_black"] = time_or_null(rules.time_black);
  result["time_white"] = time_or_null(rules.time_white);
  result["declaration"] =
      rules.declaration ? json::value(core::tournament::to_string(*rules.declaration)) : json::value(nullptr);
  result["rules"] = core::tournament::to_string(rules.rulebook);
  result["accounts"] = rules.accounts ? json::value(core::to_string(*rules.accounts)) : json::value(nullptr);
  result["tls"] = rules.tls ? json::value(*rules.tls) : json::value(nullptr);
  result["browsers"] = rules.browsers ? json::value(core::to_string(*rules.browsers)) : json::value(nullptr);
  result["delay"] = rules.showing ? delay_json(*rules.showing) : json::value(nullptr);
  result["comments"] = rules.comments ? json::value(core::to_string(*rules.comments)) : json::value(nullptr);
  result["resume"] = rules.resume ? json::value(core::to_string(*rules.resume)) : json::value(nullptr);
  return result;
}

}  // namespace

std::string rooms_json(const core::Rooms& rooms, const std::map<core::GameId, core::LiveGame>& games,
                       const std::vector<core::Waiter>* lobby, const PlayerEndpoints& endpoints, core::Wall now) {
  json::array list;
  const auto add = [&](const std::string& name, const core::RoomRules& rules, bool by_file) {
    json::object room = room_object(name, rules);
    room["by_file"] = by_file;
    room["playing"] = std::ranges::count_if(
        games, [&](const auto& entry) { return entry.second.opened.room == name && !entry.second.ended; });
    room["waiting_count"] = nullptr;
    if (lobby != nullptr) room["waiting_count"] = std::ranges::count(*lobby, name, &core::Waiter::room);
    room["waiting"] = lobby == nullptr ? json::value(nullptr) : json::value(waiters(name, *lobby));
    list.push_back(std::move(room));
  };
  add(std::string(core::kMainRoom), core::RoomRules{.games = "*"}, false);
  for (const auto& [name, room] : rooms.all()) {
    if (!room.rules.hidden()) add(name, room.rules, room.told.of_file);
  }
  return json::serialize(
      json::object{{"v", kJsonVersion},
                   {"now_ms", ms(now)},
                   {"csa", names(endpoints.csa)},
                   {"csa_tls", names(endpoints.csa_tls)},
                   {"csa_websocket", endpoints.websocket ? json::value(kCsaPath) : json::value(nullptr)},
                   {"engines", engines(endpoints)},
                   {"rooms", std::move(list)}});
}

}  // namespace fuhyo::net
