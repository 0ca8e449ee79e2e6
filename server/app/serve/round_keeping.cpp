// What the shell of the server does for floodgate rounds, rooms and events: their files, read when it starts, after
// each round (of groups), and when an operator says so.
#include <fmt/format.h>
#include <utility>

#include <boost/asio/post.hpp>

#include "server/app/serve/game_server.h"
#include "server/app/serve/host_facts.h"
#include "server/app/tournament/event_file.h"
#include "server/app/tournament/event_text.h"

namespace fuhyo::app {

void GameServer::open_round_groups() {
  for (const std::string& name : config_.floodgate_games) {
    take_round_group(name, read_group(config_.data, name, round_defaults()));
  }
}

core::floodgate::GroupSettings GameServer::round_defaults() const {
  core::floodgate::GroupSettings defaults;
  defaults.max_moves = config_.max_moves;
  defaults.least_time_per_move_s = config_.least_time_per_move_s;
  defaults.grace_s = config_.loss_grace_s;
  return defaults;
}

void GameServer::reread_round_group(const std::string& game_name) {
  boost::asio::post(files_, [this, game_name, data = config_.data, defaults = round_defaults()] {
    boost::asio::post(io_, [this, game_name, file = read_group(data, game_name, defaults)]() mutable {
      take_round_group(game_name, std::move(file));
    });
  });
}

// A file that cannot be read changes nothing; at the start the group has no times then.
std::vector<std::string> GameServer::take_round_group(const std::string& game_name,
                                                      std::expected<GroupFile, std::string> file) {
  const bool is_new = !round_warnings_.contains(game_name);
  std::vector<std::string> warnings = file ? std::move(file->warnings) : std::vector{file.error()};
  if (is_new && file && !file->group.schedule) {
    warnings.push_back(fmt::format("{}: has no file {}.conf, so its rounds are held by hand only", game_name,
                                   (config_.data / game_name).string()));
  }
  if (auto& said = round_warnings_[game_name]; said != warnings) {
    for (const std::string& warning : warnings) log_.warning(warning);
    said = warnings;
  }
  if (file) {
    node_.deliver(core::GroupChanged{std::move(file->group)});
  } else if (is_new) {
    node_.deliver(core::GroupChanged{{.game_name = game_name, .schedule = {}, .settings = round_defaults()}});
  }
  return warnings;
}

std::vector<std::string> GameServer::take_room_files() {
  RoomFiles files = read_room_files(config_.data);
  for (const std::string& fault : files.faults) log_.warning(fault);
  if (files.read) node_.deliver(std::move(*files.read));
  return std::move(files.faults);
}

// `rest` is "SET FILE".
void GameServer::load_positions(const core::HostRequest& request) {
  boost::asio::post(files_, [this, request, data = config_.data] {
    const std::size_t blank = request.rest.find(' ');
    const std::string name = request.rest.substr(0, blank);
    auto text = read_positions(data, blank == std::string::npos ? "" : request.rest.substr(blank + 1));
    core::Input answer =
        core::HostDone{request.token, {.ok = false, .text = text ? "" : text.error(), .columns = {}, .rows = {}}};
    if (text) answer = core::SetRead{.token = request.token, .name = name, .text = std::move(*text)};
    boost::asio::post(io_, [this, answer = std::move(answer)] { node_.deliver(answer); });
  });
}

// `rest` is the name of a file in the folder tournaments.
void GameServer::announce_event(const core::HostRequest& request) {
  boost::asio::post(files_, [this, request, data = config_.data] {
    auto text = read_event_settings(data, request.rest);
    core::Input answer =
        core::HostDone{request.token, {.ok = false, .text = text ? "" : text.error(), .columns = {}, .rows = {}}};
    if (text) answer = core::TournamentRead{.token = request.token, .text = std::move(*text)};
    boost::asio::post(io_, [this, answer = std::move(answer)] { node_.deliver(answer); });
  });
}

void GameServer::take_event_text(const core::HostRequest& request) {
  boost::asio::post(files_, [this, request, data = config_.data] {
    const bool check = request.verb == "tournament-check";
    core::HostDone answer{request.token, check ? check_event_text(request.rest, local_time_zone(wall_now()))
                                               : write_event_text(data, request.rest)};
    boost::asio::post(io_, [this, answer = std::move(answer)] { node_.deliver(answer); });
  });
}

}  // namespace fuhyo::app
