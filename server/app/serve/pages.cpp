#include "server/app/serve/pages.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/app/commands.h"
#include "server/app/commentator/builtin.h"
#include "server/app/commentator/speaker.h"
#include "server/app/config/network_list.h"
#include "server/app/serve/engine_means.h"
#include "server/app/serve/host_facts.h"
#include "server/app/serve/round_files.h"
#include "server/host/engine_analyst.h"

namespace fuhyo::app {
namespace {

constexpr std::int64_t kLongestGraph_us = 12LL * 366 * 86'400 * core::kSecond;  // ten years, and more

// By the files as they are now: a group that cannot be read has no time.
std::vector<net::RoundTime> round_times(const std::filesystem::path& data, const std::vector<std::string>& groups) {
  const core::Wall now = wall_now();
  const core::TimeZone zone = local_time_zone(now);
  std::vector<net::RoundTime> times;
  for (const std::string& name : groups) {
    const auto file = read_group(data, name, {});
    std::optional<core::Wall> next;
    if (file && file->group.schedule) next = core::floodgate::next_time(*file->group.schedule, now, zone);
    times.push_back({name, next});
  }
  return times;
}

// Its engine is started here, so that the log says at once whether that can be; the server goes on if it cannot.
std::shared_ptr<core::Analyst> analyst_of(const ServeConfig& config, Log& log) {
  if (config.analysis_engine.empty()) return nullptr;
  return std::make_shared<host::EngineAnalyst>(host::EngineAnalyst::Config{.command = config.analysis_engine,
                                                                           .options = config.analysis_options,
                                                                           .sandbox = analysis_sandbox(config),
                                                                           .nodes = config.analysis_nodes,
                                                                           .game_nodes = config.analysis_game_nodes},
                                               [&log](bool warning, const std::string& text) {
                                                 log.write(warning ? Log::Level::warning : Log::Level::info, text);
                                               });
}

// The file of a persona is read once.
Started set_commentator_of(const ServeConfig& config, Log& log, net::ArchiveOptions& options) {
  if (config.commentator == "off") return {};
  if (config.commentator == "builtin") {
    options.commentator = std::make_shared<BuiltinCommentator>();
    return {};
  }
  auto persona = read_persona(config.commentator);
  if (!persona) return start_failed(kExitUsage, "commentator: " + persona.error());
  options.commentator = std::make_shared<Speaker>(std::move(*persona), config.data / "commentary", log.warner());
  return {};
}

}  // namespace

Started set_pages(const ServeConfig& config, store::Store& store, Log& log, net::HttpOptions& options) {
  auto catalogue = store.open_catalogue();
  if (!catalogue) return start_failed(kExitIo, catalogue.error());
  options.archive.catalogue = std::move(*catalogue);
  options.archive.round_times = [data = config.data, groups = config.floodgate_games] {
    return round_times(data, groups);
  };
  options.archive.analyst = analyst_of(config, log);
  if (auto fine = set_commentator_of(config, log, options.archive); !fine) return fine;
  options.comments = config.spectator_comments;
  options.delays = config.spectator_delay;
  options.hosts = config.web_hosts;
  options.zone = options.archive.zone = local_time_zone({wall_now().us - kLongestGraph_us});
  options.web.proxy = is_listed_in(config.web_proxy);
  options.metrics_from = is_listed_in(config.metrics_networks);
  if (config.web_root.empty()) return {};
  auto pages = net::Assets::of_folder(config.web_root);
  if (!pages) return start_failed(kExitUsage, "web-root: " + pages.error());
  options.assets = std::move(*pages);
  return {};
}

}  // namespace fuhyo::app
