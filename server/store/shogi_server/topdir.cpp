#include "server/store/shogi_server/topdir.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/store/shogi_server/finished_record.h"

namespace fuhyo::store {
namespace {

namespace fs = std::filesystem;

// "2026/01/31/<file>": where shogi-server keeps the records of a day.
bool in_folder_of_a_day(std::string_view path) {
  constexpr std::string_view kPattern = "dddd/dd/dd/";
  if (path.size() <= kPattern.size() || path.find('/', kPattern.size()) != std::string_view::npos) return false;
  for (std::size_t i = 0; i < kPattern.size(); ++i) {
    if (kPattern[i] == 'd' ? path[i] < '0' || path[i] > '9' : path[i] != kPattern[i]) return false;
  }
  return true;
}

Topdir::Record record_at(const fs::path& path, const fs::path& folder) {
  Topdir::Record record{.path = path, .id = game_id_of(path.string()), .target = path.lexically_relative(folder)};
  if (in_folder_of_a_day(record.target.string())) return record;
  const std::string paired = paired_at(record.id);
  constexpr std::size_t kDay = 10;  // of "YYYY/MM/DD hh:mm:ss"
  record.target = paired.empty() ? fs::path() : fs::path(paired.substr(0, kDay)) / path.filename();
  return record;
}

void sort_on_top(Topdir& topdir, const fs::path& path) {
  const std::string name = path.filename().string();
  if (name.starts_with("00LIST"))
    topdir.lists.push_back(path);
  else if (name.starts_with("floodgate_history_") && name.ends_with(".yaml"))
    topdir.histories.push_back(path);
  else if (name.starts_with("floodgate-") && name.ends_with(".conf"))
    topdir.schedules.push_back(path);
  else if (name == "players.yaml")
    topdir.players = path;
  else if (name == "buoy.yaml")
    topdir.buoys = path;
  else
    ++topdir.others;
}

}  // namespace

std::expected<Topdir, std::string> read_topdir(const fs::path& folder, std::span<const fs::path> ours) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return std::unexpected(fmt::format("{} is no folder", folder.string()));
  Topdir topdir;
  const auto is_ours = [&](const fs::path& path) {
    std::error_code ignored;
    return std::ranges::any_of(ours, [&](const fs::path& own) { return fs::equivalent(path, own, ignored); });
  };
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->is_directory(ignored) && is_ours(it->path())) it.disable_recursion_pending();
    if (!it->is_regular_file(ignored)) continue;
    if (it->path().extension() == ".csa")
      topdir.records.push_back(record_at(it->path(), folder));
    else if (it.depth() == 0)
      sort_on_top(topdir, it->path());
    else
      ++topdir.others;
  }
  if (error) return std::unexpected(fmt::format("{}: {}", folder.string(), error.message()));
  for (auto* files : {&topdir.lists, &topdir.histories, &topdir.schedules}) std::ranges::sort(*files);
  std::ranges::sort(topdir.records, {},
                    [](const Topdir::Record& record) { return std::pair(paired_at(record.id), record.path.string()); });
  return topdir;
}

}  // namespace fuhyo::store
