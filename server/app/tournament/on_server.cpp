#include "server/app/tournament/on_server.h"

#include <chrono>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <memory>
#include <span>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "engines/shogi/number.h"
#include "server/app/admin/client.h"
#include "server/app/admin/wire.h"
#include "server/app/config/store_flags.h"
#include "server/app/store/site.h"
#include "server/app/tournament/archive.h"
#include "server/app/tournament/event_file.h"
#include "server/core/admin/verbs.h"
#include "server/core/counted.h"
#include "server/core/tournaments/running_event.h"
#include "server/csa/command.h"
#include "server/net/zip.h"
#include "server/store/records/disk.h"

namespace fuhyo::app {
namespace {

namespace fs = std::filesystem;
using namespace core::tournament;

constexpr std::size_t kMaxName = 32;
constexpr std::string_view kTournament = "tournament-";

struct EventOptions {
  std::string data, config, output, site, address;
  bool yes = false;
  std::vector<std::string> words;
};

int not_done(const std::string& text, int code) {
  fmt::print(stderr, "fuhyo tournament: {}\n", text);
  return code;
}

std::expected<Resolved, std::string> config_of(const EventOptions& options) {
  StoreFlags flags{.store = {}, .data = {}, .file = options.config};
  if (!options.data.empty()) flags.data = {options.data};
  return resolve_store(flags);
}

std::expected<fs::path, std::string> data_folder(const EventOptions& options) {
  const auto resolved = config_of(options);
  if (!resolved) return std::unexpected(resolved.error());
  return resolved->config.data;
}

std::expected<core::AdminResult, std::string> ask(const fs::path& data, const std::string& line) {
  const auto answer = ask_server(data, line);
  if (!answer) return std::unexpected(answer.error());
  auto result = read_admin_answer(*answer);
  if (!result) return std::unexpected("the server answered something else");
  if (!result->ok) return std::unexpected(result->text);
  return std::move(*result);
}

int tell(const std::expected<core::AdminResult, std::string>& result) {
  if (!result) return not_done(result.error(), kExitFailed);
  for (const std::string& line : core::render(*result)) fmt::print("{}\n", line);
  return kExitOk;
}

int give(const EventOptions& options, std::string_view verb) {
  const auto data = data_folder(options);
  if (!data) return not_done(data.error(), kExitUsage);
  return tell(ask(*data, fmt::format("{} {}", verb, fmt::join(options.words, " "))));
}

int list(const EventOptions& options) {
  const auto data = data_folder(options);
  if (!data) return not_done(data.error(), kExitUsage);
  const bool one = !options.words.empty();
  return tell(ask(*data, one ? fmt::format("tournament {}", options.words.front()) : "tournaments"));
}

// The file is checked here, with its lines, and goes to the others of the server.
int announce(const EventOptions& options) {
  if (options.words.size() != 1) return not_done("new FILE", kExitUsage);
  const fs::path path = options.words.front();
  const auto event = read_event_file(path);
  if (!event) {
    fmt::print(stderr, "{}", event.error());
    return kExitFailed;
  }
  if (!csa::is_identifier(event->name, kMaxName))
    return not_done(path.string() + ": the event has no name", kExitFailed);
  const auto data = data_folder(options);
  if (!data) return not_done(data.error(), kExitUsage);
  const auto text = read_small_file(path, kMostEventBytes);
  if (!text) return not_done(text.error(), kExitNoInput);
  const std::string name = event->name + ".toml";
  std::error_code error;
  fs::create_directory(*data / "tournaments", error);
  if (const auto written = store::replace_file(*data / "tournaments" / name, *text); !written) {
    return not_done(written.error(), kExitCannotCreate);
  }
  const auto told = ask(*data, "tournament-new " + name);
  return told ? tell(told) : not_done(fmt::format("{}: {}", path.string(), told.error()), kExitFailed);
}

// What is deleted comes back by nothing: who types is asked, and a script has to say that it means it.
bool is_meant(const std::string& event) {
  if (::isatty(STDIN_FILENO) == 0) {
    fmt::print(stderr, "fuhyo tournament: delete {} --yes, if you mean it: its tables do not come back\n", event);
    return false;
  }
  fmt::print("Delete the event {}, its entries, pairings and tables? Its games stay. [y/N] ", event);
  std::fflush(stdout);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "yes";
}

int remove(const EventOptions& options) {
  if (options.words.empty()) return not_done("delete EVENT [WHY] [--yes]", kExitUsage);
  const auto data = data_folder(options);
  if (!data) return not_done(data.error(), kExitUsage);
  if (!options.yes && !is_meant(options.words.front())) return kExitUsage;
  return tell(ask(*data, fmt::format("tournament-delete {}", fmt::join(options.words, " "))));
}

// ---- export ----

std::expected<core::RunningEvent, std::string> fold(const core::AdminResult& exported) {
  core::RunningEvent event(kMaxName);
  for (const std::vector<std::string>& row : exported.rows) {
    if (row.size() < 3) return std::unexpected("the server answered something else");
    const auto kind = shogi::number_of<std::uint16_t>(row[0]), version = shogi::number_of<std::uint16_t>(row[1]);
    if (!kind || !version) return std::unexpected("the server answered something else");
    const auto fact = core::decode(*kind, *version, fmt::format("{}", fmt::join(row.begin() + 2, row.end(), "\t")));
    if (!fact) return std::unexpected(fact.error());
    event.keep(*fact);
  }
  event.settle();
  if (!event.fault().empty()) return std::unexpected(event.fault());
  return event;
}

std::expected<core::RunningEvent, std::string> decided_event(const fs::path& data, const std::string& name) {
  const auto decided = ask(data, "tournament-export " + name);
  if (!decided) return std::unexpected(decided.error());
  return fold(*decided);
}

// The archive of games follows their results: right after the last of them its record may not be there yet.
EventArchive with_records(const fs::path& data, const core::RunningEvent& event, const std::string& name) {
  for (int tries_left = 20;; --tries_left) {
    const auto games = ask(data, fmt::format("export {}-*", name));
    EventArchive contents = archive_of(event, games ? &*games : nullptr);
    if (!games) fmt::print(stderr, "fuhyo tournament: no records: {}\n", games.error());
    if (!games || contents.missing.empty()) return contents;
    if (tries_left == 0) {
      fmt::print(stderr, "fuhyo tournament: records are missing: {}\n", fmt::join(contents.missing, ", "));
      return contents;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
}

int export_site(const EventOptions& options, const std::string& event) {
  auto resolved = config_of(options);
  if (!resolved) return not_done(resolved.error(), kExitUsage);
  return write_site(
      std::move(resolved->config),
      {.folder = options.site, .games = fmt::format("event={}-*", event), .event = event, .address = options.address});
}

int export_event(const EventOptions& options) {
  if (options.words.size() != 1) return not_done("export EVENT [--output FILE.zip | --site DIR]", kExitUsage);
  const std::string& name = options.words.front();
  if (!options.site.empty()) return export_site(options, name);
  const auto data = data_folder(options);
  if (!data) return not_done(data.error(), kExitUsage);
  const auto event = decided_event(*data, name);
  if (!event) return not_done(event.error(), kExitFailed);
  const EventArchive contents = with_records(*data, *event, name);
  const auto archive = net::zip(contents.files);
  if (!archive) return not_done(archive.error(), kExitFailed);
  const std::string path = options.output.empty() ? name + ".zip" : options.output;
  if (const auto written = store::replace_file(path, *archive); !written) {
    return not_done(written.error(), kExitCannotCreate);
  }
  fmt::print("{}: {}, {}\n", path, core::counted(contents.tables, "table"), core::counted(contents.records, "record"));
  return kExitOk;
}

void add_options(CLI::App& command, EventOptions& options) {
  command.add_option("--data", options.data, "the data folder of the server")->type_name("DIR");
  command.add_option("--config", options.config, "its configuration")->type_name("FILE");
}

}  // namespace

std::expected<core::RunningEvent, std::string> event_of_server(const std::string& data, const std::string& config,
                                                               const std::string& event) {
  const auto folder = data_folder({.data = data, .config = config, .output = {}, .words = {}});
  if (!folder) return std::unexpected(folder.error());
  return decided_event(*folder, event);
}

Command add_server_tournament(CLI::App& tournament) {
  auto options = std::make_shared<EventOptions>();
  std::vector<std::pair<CLI::App*, std::function<int()>>> commands;
  const auto add = [&](const std::string& name, const std::string& help, std::function<int()> run) {
    CLI::App* command = manual::add_command(tournament, name, help);
    add_options(*command, *options);
    command->add_option("WORDS", options->words, help);
    commands.emplace_back(command, std::move(run));
    return command;
  };
  add("new", "FILE: announces an event on the running server", [options] { return announce(*options); });
  add("show", "[EVENT]: the events of the running server, or one", [options] { return list(*options); });
  add("delete", "EVENT [WHY]: forgets one that is announced or over; its games stay", [options] {
    return remove(*options);
  })->add_flag("--yes", options->yes, "without being asked again");
  CLI::App* out = add("export", "EVENT: tables and records as one archive, or as a folder of pages",
                      [options] { return export_event(*options); });
  out->add_option("--output", options->output, "instead of EVENT.zip")->type_name("FILE");
  out->add_option("--site", options->site, "pages that need no server, into this folder, which is made")
      ->type_name("DIR");
  out->add_option("--address", options->address, "where the folder will be, for cards of links: https://...")
      ->type_name("URL");
  // The other commands of the administration about events, without "tournament-".
  for (const core::AdminVerb& verb : core::admin_verbs()) {
    if (!verb.verb.starts_with(kTournament) || verb.by_shell) continue;
    const std::string name(verb.verb.substr(kTournament.size()));
    const auto is_it = [&](const CLI::App* command) { return command->get_name() == name; };
    if (!tournament.get_subcommands(is_it).empty()) continue;
    add(name, fmt::format("{}: {}", verb.synopsis, verb.english),
        [options, given = verb.verb] { return give(*options, given); });
  }
  return [commands] {
    for (const auto& [command, run] : commands) {
      if (command->parsed()) return run();
    }
    return -1;
  };
}

}  // namespace fuhyo::app
