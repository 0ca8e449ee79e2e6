#include "server/app/serve/engine_means.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace fuhyo::app {
namespace {

std::size_t half_of_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages <= 0 || size <= 0 ? 0 : static_cast<std::size_t>(pages) / 2 * static_cast<std::size_t>(size);
}

std::vector<std::string> own_places(const ServeConfig& config) {
  constexpr std::string_view kSqlite = "sqlite:";
  std::vector<std::string> places;
  const std::string store = config.store_address();
  if (store.starts_with(kSqlite)) places.push_back(store.substr(kSqlite.size()));
  for (const std::filesystem::path& place :
       {config.data, config.records_folder(), config.wire_log, config.player_logs, config.tls_key}) {
    if (!place.empty()) places.push_back(place.string());
  }
  return places;
}

}  // namespace

int thinking_threads(const ServeConfig& config) {
  if (config.engine_threads > 0) return config.engine_threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
}

void put_into_sandbox(const ServeConfig& config, host::BuiltinPlayer& player) {
  player.sandboxed = config.engine_sandbox != "off";
  player.sandbox.hidden = own_places(config);
  if (player.sandbox.memory_bytes == 0) player.sandbox.memory_bytes = half_of_memory();
}

std::optional<usi::Sandbox> analysis_sandbox(const ServeConfig& config) {
  if (config.engine_sandbox == "off") return std::nullopt;
  usi::Sandbox sandbox{.memory_bytes = half_of_memory(), .hidden = own_places(config)};
  for (const auto& [option, value] : config.analysis_options) {
    if (value.contains('/')) sandbox.readable.push_back(value);
  }
  return sandbox;
}

}  // namespace fuhyo::app
