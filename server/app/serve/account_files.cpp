#include "server/app/serve/account_files.h"

#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <system_error>

#include "server/store/file_fault.h"
#include "server/store/shogi_server/players_file.h"

namespace fuhyo::app {

std::expected<std::vector<std::string>, std::string> read_player_ids(const std::filesystem::path& data,
                                                                     std::string_view file) {
  if (file.empty() || file.front() == '.' || file.find_first_of(std::string_view("/\0", 2)) != std::string_view::npos) {
    return std::unexpected(fmt::format("'{}' is no file name in the folder of the data", file));
  }
  const std::filesystem::path path = data / file;
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);  // refuses folders and devices
  if (error) return std::unexpected(fmt::format("{}: {}", path.string(), error.message()));
  if (size > kMostPlayersFile) {
    return std::unexpected(fmt::format("{}: has more than {} bytes", path.string(), kMostPlayersFile));
  }
  std::ifstream in(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  if (!in) return std::unexpected(fmt::format("{}: cannot be read", path.string()));
  const auto players = store::read_players(text, path.string());
  if (!players) return std::unexpected(to_string(players.error()));
  std::vector<std::string> ids;
  for (const auto& [id, rating] : players->players) ids.push_back(id);
  return ids;
}

}  // namespace fuhyo::app
