#include "server/app/serve/engine_means.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "engines/usi/process_sandbox.h"
#include "engines/usi/process_share.h"
#include "server/app/commands.h"
#include "server/store/store.h"

namespace fuhyo::app {
namespace {

std::size_t half_of_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages <= 0 || size <= 0 ? 0 : static_cast<std::size_t>(pages) / 2 * static_cast<std::size_t>(size);
}

std::vector<std::string> own_places(const ServeConfig& config) {
  std::vector<std::string> places;
  const std::string store = config.store_address();
  if (const auto file = store::sqlite_file(store)) {
    // What SQLite lays beside it grows with every game.
    for (const char* beside : {"", "-wal", "-shm", "-journal"}) places.push_back(std::string(*file) + beside);
  }
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

std::string share_text(const ServeConfig& config) {
  if (config.engine_sandbox == EngineSandbox::off)
    return "engines are held to no share of the processor (engine-sandbox off)";
  const usi::ShareSupport& share = usi::share_support();
  if (share.processor) return "each engine is held to its threads' share of the processor, by cgroups";
  const std::size_t cores = usi::own_cores().size();
  if (std::cmp_less(cores, thinking_threads(config))) {
    return fmt::format("engines are held to no share of the processor: {}, and {} cores are fewer than engine-threads",
                       share.why, cores);
  }
  return fmt::format("each engine is bound to as many cores as it has threads: {}", share.why);
}

std::string memory_text(const ServeConfig& config) {
  if (config.engine_sandbox == EngineSandbox::off) return "engines are held to no memory (engine-sandbox off)";
  const usi::ShareSupport& share = usi::share_support();
  if (share.memory) return "each engine is held to its memory by cgroups";
  return fmt::format("each engine's memory is counted ten times a second: {}", share.why_memory);
}

std::string sight_text(const ServeConfig& config) {
  if (config.engine_sandbox == EngineSandbox::off) return "engines see the server's files (engine-sandbox off)";
  if (usi::sandbox_support().mounts) return "engines do not see the server's files, nor their names and sizes";
  return "engines can tell the sizes of the server's files, if they guess the names: there are no mount namespaces";
}

void put_into_sandbox(const ServeConfig& config, host::BuiltinPlayer& player) {
  put_into_sandbox(config.engine_sandbox, own_places(config), player);
}

void put_into_sandbox(EngineSandbox engine_sandbox, std::vector<std::string> hidden, host::BuiltinPlayer& player) {
  player.sandboxed = engine_sandbox != EngineSandbox::off;
  player.sandbox.hidden = std::move(hidden);
  if (player.sandbox.memory_bytes == 0) player.sandbox.memory_bytes = half_of_memory();
}

std::optional<usi::Sandbox> analysis_sandbox(const ServeConfig& config) {
  if (config.engine_sandbox == EngineSandbox::off) return std::nullopt;
  usi::Sandbox sandbox{.memory_bytes = half_of_memory(), .hidden = own_places(config)};
  for (const auto& [option, value] : config.analysis_options) {
    if (value.contains('/')) sandbox.readable.push_back(value);
  }
  return sandbox;
}

std::string missing_program(const host::BuiltinPlayer& player) {
  const std::string& name = player.command.front();
  const std::filesystem::path program = usi::find_program(name, player.working_dir);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(program, ignored) && ::access(program.c_str(), X_OK) == 0) return {};
  return name.contains('/') ? fmt::format("{} is no program that can be started", name)
                            : fmt::format("there is no program {} in PATH", name);
}

std::string sibling_program(std::string_view name) {
  std::error_code ignored;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return (self.parent_path() / name).string();
}

Started prepare_engines(const ServeConfig& config, Log& log) {
  const bool has_engines = !config.engines.empty() || config.builtin != "off" || !config.analysis_engine.empty();
  const std::vector<std::string> missing = usi::sandbox_support().missing();
  if (config.engine_sandbox == EngineSandbox::required && !missing.empty()) {
    return start_failed(kExitUnavailable,
                        fmt::format("engine-sandbox is required, and this machine has {}", fmt::join(missing, "; ")));
  }
  if (config.engine_sandbox != EngineSandbox::off) usi::make_share_groups();
  if (!has_engines) return {};
  if (std::getenv("FUHYO_WITHOUT_ENGINES") != nullptr) {
    log.warning(
        "engines are configured, and fuhyo-without-engines.conf beside the unit takes away what they need: remove one "
        "of the two");
  }
  if (config.engine_sandbox != EngineSandbox::off) {
    for (const auto& text : {share_text(config), memory_text(config), sight_text(config)}) log.info(text);
  }
  if (config.engine_sandbox == EngineSandbox::off)
    log.warning("engines run without a sandbox: they may do what the server may");
  if (config.engine_sandbox == EngineSandbox::on) {
    for (const std::string& each : missing) log.warning("sandbox of engines: " + each);
  }
  return {};
}

}  // namespace fuhyo::app
