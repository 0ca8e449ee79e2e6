// `fuhyo serve`: reads its configuration, runs the game server, and says where it listens.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <unistd.h>
#include <utility>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "server/app/commands.h"
#include "server/app/config/config.h"
#include "server/app/config/flags.h"
#include "server/app/serve/game_server.h"
#include "server/app/serve/log.h"
#include "server/app/serve/service_manager.h"
#include "server/app/serve/web_node.h"
#include "server/host/player_line.h"

namespace fuhyo::app {
namespace {

struct Arguments {
  SettingFlags settings;
  bool accept_key = false;
};

void announce_ports(const auto& node) {
  for (const auto& [port, address] : node.bound()) fmt::print("listening {}={}\n", port, address);
}

// What its own engines wait for, if it is of the event; else one of the usual times.
std::string example_game(const ServeConfig& config) {
  for (const std::string& line : config.engines) {
    const auto player = host::parse_player_line(line);
    if (player && player->game.starts_with(config.event + "-")) return player->game;
  }
  return config.event + "-" + config.clock;
}

void announce(const GameServer& server, const ServeConfig& config) {
  announce_ports(server);
  fmt::print("participants send: LOGIN <name> {},<password>\n", example_game(config));
  for (const std::string& group : config.floodgate_games) {
    fmt::print("for rounds of floodgate: LOGIN <name> {},<password>\n", group);
  }
}

int run_announced(auto& node) {
  std::ignore = std::fflush(stdout);  // nobody may read it
  notify_service_manager("READY=1");
  return node.run();
}

int refuse(const StartError& error) {  // there may be no log yet
  print_errors("fuhyo serve: " + error.text);
  return error.exit_code;
}

int serve_games(const Resolved& resolved, Log& log, LiveConfig::Reread reread, bool accept_key) {
  GameServer server(resolved, log, std::move(reread));
  if (const auto opened = server.open(accept_key); !opened) return refuse(opened.error());
  announce(server, resolved.config);
  return run_announced(server);
}

int serve_web(const Resolved& resolved, Log& log) {
  WebNode node(resolved.config, log);
  if (const auto opened = node.open(); !opened) return refuse(opened.error());
  announce_ports(node);
  return run_announced(node);
}

// Two of these over one database are an active server and its standby; which is which, the lock of the store says.
int serve_or_stand_by(const Resolved& resolved, Log& log, const LiveConfig::Reread& reread, bool accept_key) {
  const auto store = store::make_store(resolved.config.store_address());
  if (!store) return refuse({kExitUsage, store.error()});
  const auto watch = (*store)->open_writer_watch();
  if (!watch) return refuse({kExitUsage, "role standby: " + watch.error()});
  while (true) {
    const auto written = (*watch)->is_written();
    if (!written) return refuse({kExitIo, fmt::format("{}: {}", (*store)->name(), written.error())});
    if (*written) {
      WebNode node(resolved.config, log, (*store)->open_writer_watch().value_or(nullptr), accept_key);
      if (const auto opened = node.open(); !opened) return refuse(opened.error());
      announce_ports(node);
      fmt::print("standing by\n");
      if (const int code = run_announced(node); !node.may_take_over()) return code;
    }
    GameServer server(resolved, log, reread);
    const auto opened = server.open(accept_key);
    if (opened) {
      announce(server, resolved.config);
      return run_announced(server);
    }
    if (!(*watch)->is_written().value_or(false)) return refuse(opened.error());
    log.info("another server was quicker: " + opened.error().text);
  }
}

int serve(const Arguments& arguments) {
  const std::filesystem::path file = arguments.settings.config();
  const auto read = [flags = arguments.settings.words(), file] {
    return resolve_config(flags, environment_variable, file);
  };
  const auto resolved = read();
  if (!resolved) {
    std::error_code ignored;
    const bool missing = !file.empty() && (!exists(file, ignored) || is_directory(file, ignored));
    return refuse({missing ? kExitNoInput : kExitUsage, resolved.error()});
  }
  std::ignore = std::signal(SIGPIPE, SIG_IGN);  // it cannot fail
  Log log(resolved->config.log_level, resolved->config.log_format);
  switch (resolved->config.role) {
    case NodeRole::web:
      return serve_web(*resolved, log);
    case NodeRole::standby:
      return serve_or_stand_by(*resolved, log, read, arguments.accept_key);
    case NodeRole::game:
      break;
  }
  return serve_games(*resolved, log, read, arguments.accept_key);
}

}  // namespace

Command add_serve(CLI::App& root) {
  CLI::App* command = manual::add_command(root, "serve", "Runs the game server");
  const auto arguments = std::make_shared<Arguments>();
  add_setting_flags(*command, arguments->settings, "--config");
  command->add_flag("--accept-key", arguments->accept_key,
                    "Goes on with the secret.key that is there, or a new one, though the store had another: all "
                    "secrets are void");
  command->footer(
      "A flag wins over an environment variable (FUHYO_MAX_MOVES; lists with commas), that over the file, that over "
      "the\n"
      "default in brackets. fuhyo config prints and checks all of them. SIGTERM lets running games end; a second one "
      "does not wait.");
  return [arguments] { return serve(*arguments); };
}

}  // namespace fuhyo::app
