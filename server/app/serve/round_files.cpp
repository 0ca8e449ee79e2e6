#include "server/app/serve/round_files.h"

#include <fmt/format.h>

#include "server/app/serve/small_file.h"
#include "server/csa/game_name.h"

namespace fuhyo::app {
namespace {

// The longest that a player's LOGIN may name.
constexpr std::size_t kMostName = 64;

std::expected<std::string, std::string> read_named(const std::filesystem::path& path) {
  auto text = read_host_file(path, kMostRoundFile);
  if (!text) return std::unexpected(fmt::format("{}: {}", path.string(), text.error()));
  return text;
}

}  // namespace

std::expected<void, std::string> check_group_name(std::string_view name) {
  const auto parsed = csa::parse_game_name(name, kMostName);
  if (parsed && parsed->is_floodgate()) return {};
  return std::unexpected(fmt::format("'{}' is no floodgate game, such as floodgate-900-0 or floodgate-300-10F", name));
}

std::expected<GroupFile, std::string> read_group(const std::filesystem::path& data, const std::string& game_name,
                                                 const core::floodgate::GroupSettings& defaults) {
  const std::filesystem::path path = data / (game_name + ".conf");
  std::error_code error;
  if (!std::filesystem::exists(path, error) && !error) {
    return GroupFile{.group = {.game_name = game_name,
                               .schedule = core::floodgate::default_schedule(game_name),
                               .settings = defaults},
                     .warnings = {}};
  }
  const auto text = read_named(path);
  if (!text) return std::unexpected(text.error());
  core::floodgate::ScheduleFile read = core::floodgate::parse_schedule(*text, defaults);
  GroupFile result{.group = {.game_name = game_name, .schedule = read.schedule, .settings = read.settings},
                   .warnings = {}};
  for (const core::floodgate::ScheduleWarning& warning : read.warnings) {
    result.warnings.push_back(fmt::format("{}:{}: {}", path.string(), warning.line, warning.text));
  }
  return result;
}

std::expected<std::string, std::string> read_positions(const std::filesystem::path& data, std::string_view file) {
  if (file.empty() || file.front() == '.' || file.find('/') != std::string_view::npos ||
      file.find('\0') != std::string_view::npos) {
    return std::unexpected(fmt::format("'{}' is no file name in the folder positions", file));
  }
  return read_named(data / "positions" / file);
}

}  // namespace fuhyo::app
