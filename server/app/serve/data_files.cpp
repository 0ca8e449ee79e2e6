#include "server/app/serve/data_files.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include <boost/asio/post.hpp>

#include "server/app/admin/answers.h"
#include "server/app/serve/account_files.h"
#include "server/app/serve/host_facts.h"
#include "server/app/serve/room_files.h"
#include "server/app/tournament/event_file.h"
#include "server/app/tournament/event_text.h"

namespace fuhyo::app {
namespace {

// While it is in the data folder nobody begins a game (shogi-server's STOP).
constexpr std::string_view kStopFile = "STOP";

// The request is "SET FILE".
core::Input set_from_file(const std::filesystem::path& data, const core::HostRequest& request) {
  const std::size_t blank = request.rest.find(' ');
  auto text = read_positions(data, blank == std::string::npos ? "" : request.rest.substr(blank + 1));
  if (!text) return core::HostDone{request.token, refused(text.error())};
  return core::SetRead{.token = request.token, .name = request.rest.substr(0, blank), .text = std::move(*text)};
}

// The request is the name of a file in the folder tournaments.
core::Input tournament_from_file(const std::filesystem::path& data, const core::HostRequest& request) {
  auto text = read_event_settings(data, request.rest);
  if (!text) return core::HostDone{request.token, refused(text.error())};
  return core::TournamentRead{.token = request.token, .text = std::move(*text)};
}

core::Input accounts_from_file(const std::filesystem::path& data, const core::HostRequest& request) {
  auto ids = read_player_ids(data, request.rest);
  if (!ids) return core::HostDone{request.token, refused(ids.error())};
  return core::AccountsRead{.token = request.token, .ids = std::move(*ids)};
}

core::Input answer_of_files(core::HostCommand command, const std::filesystem::path& data,
                            const core::HostRequest& request) {
  switch (command) {
    case core::HostCommand::load_positions:
      return set_from_file(data, request);
    case core::HostCommand::load_accounts:
      return accounts_from_file(data, request);
    case core::HostCommand::tournament_new:
      return tournament_from_file(data, request);
    case core::HostCommand::tournament_write:
      return core::HostDone{request.token, write_event_text(data, request.rest)};
    default:
      return core::HostDone{request.token, check_event_text(request.rest, local_time_zone(wall_now()))};
  }
}

}  // namespace

DataFiles::DataFiles(const ServeConfig& config, Log& log, boost::asio::io_context& io, Node& node)
    : config_(config), log_(log), io_(io), node_(node) {}

std::vector<std::string> DataFiles::read() {
  std::vector<std::string> faults;
  for (const std::string& name : config_.floodgate_games) {
    std::ranges::move(take_group(name, read_group(config_.data, name, defaults())), std::back_inserter(faults));
  }
  std::ranges::move(take_rooms(), std::back_inserter(faults));
  return faults;
}

core::floodgate::GroupSettings DataFiles::defaults() const {
  core::floodgate::GroupSettings defaults;
  defaults.max_moves = config_.max_moves;
  defaults.least_time_per_move_s = config_.least_time_per_move_s;
  defaults.grace_s = config_.loss_grace_s;
  return defaults;
}

void DataFiles::reread_group(const std::string& game_name) {
  boost::asio::post(thread_, [this, game_name, data = config_.data, defaults = defaults()] {
    boost::asio::post(io_, [this, game_name, file = read_group(data, game_name, defaults)]() mutable {
      take_group(game_name, std::move(file));
    });
  });
}

// A file that cannot be read changes nothing; at the start the group has no times then.
std::vector<std::string> DataFiles::take_group(const std::string& game_name,
                                               std::expected<GroupFile, std::string> file) {
  const bool is_new = !group_warnings_.contains(game_name);
  std::vector<std::string> warnings = file ? std::move(file->warnings) : std::vector{file.error()};
  if (is_new && file && !file->group.schedule) {
    warnings.push_back(fmt::format("{}: has no file {}.conf, so its rounds are held by hand only", game_name,
                                   (config_.data / game_name).string()));
  }
  if (auto& said = group_warnings_[game_name]; said != warnings) {
    for (const std::string& warning : warnings) log_.warning(warning);
    said = warnings;
  }
  if (file) {
    node_.deliver(core::GroupChanged{std::move(file->group)});
  } else if (is_new) {
    node_.deliver(core::GroupChanged{{.game_name = game_name, .schedule = {}, .settings = defaults()}});
  }
  return warnings;
}

std::vector<std::string> DataFiles::take_rooms() {
  RoomFiles files = read_room_files(config_.data);
  for (const std::string& fault : files.faults) log_.warning(fault);
  if (files.read) node_.deliver(std::move(*files.read));
  return std::move(files.faults);
}

void DataFiles::look_for_stop_file() {
  std::error_code ignored;
  const bool there = std::filesystem::exists(config_.data / kStopFile, ignored);
  if (std::exchange(stop_file_, there) != there) node_.deliver(core::StopFile{there});
}

void DataFiles::remove_stop_file() const {
  std::error_code ignored;
  std::filesystem::remove(config_.data / kStopFile, ignored);
}

void DataFiles::answer(core::HostCommand command, const core::HostRequest& request) {
  run([command, request, data = config_.data] { return answer_of_files(command, data, request); });
}

void DataFiles::run(std::function<core::Input()> work) {
  boost::asio::post(thread_, [this, work = std::move(work)] { node_.post(work()); });
}

void DataFiles::close() { thread_.join(); }

}  // namespace fuhyo::app
