// `fuhyo relay`: our pages for games that are played on other servers.
#include "server/csa/command.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "server/app/commands.h"
#include "server/app/config/config.h"
#include "server/app/config/flags.h"
#include "server/app/relay/relay.h"
#include "server/app/serve/host_facts.h"
#include "server/app/serve/log.h"
#include "server/app/serve/service_manager.h"
#include "server/app/serve/storage.h"
#include "server/app/serve/web_node.h"
#include "server/core/rooms/rules.h"

namespace fuhyo::app {
namespace {

constexpr std::string_view kTls = "tls://";
constexpr std::int64_t kThirtyDays_us = 30LL * 86'400 * core::kSecond;  // longer than any game of the list

struct RelayFlags {
  SettingFlags settings;
  std::vector<std::string> from, names, password_files;
  std::string tls_ca;
  std::string login = "fuhyo-relay";
  double every_s = 2;
  bool dry_run = false;
};

int refuse_relay(const StartError& error) {
  print_errors("fuhyo relay: " + error.text);
  return error.exit_code;
}

// Of the one file for all, or of one each. Without a file a word that no server knows: a spectator has nothing to lose.
std::expected<csa::Secret, std::string> password_of(const RelayFlags& flags, std::size_t source) {
  if (flags.password_files.empty()) return csa::Secret("fuhyo");
  const std::string& file = flags.password_files[flags.password_files.size() == 1 ? 0 : source];
  const auto password = password_in(file);
  if (!password) return std::unexpected(fmt::format("--password-file {}: {}", file, password.error()));
  return csa::Secret(*password);
}

std::expected<std::vector<RelaySource>, StartError> sources_of(const RelayFlags& flags) {
  const auto wrong = [](std::string text) { return std::unexpected(StartError{kExitUsage, std::move(text)}); };
  if (flags.names.size() != flags.from.size()) return wrong("--name: each --from needs one");
  if (flags.password_files.size() > 1 && flags.password_files.size() != flags.from.size()) {
    return wrong("--password-file: one for all servers, or one each");
  }
  const bool any_tls = std::ranges::any_of(flags.from, [](const auto& from) { return from.starts_with(kTls); });
  if (!flags.tls_ca.empty() && !any_tls) return wrong("--tls-ca goes with --from tls://HOST:PORT");
  constexpr std::size_t kLongestLogin = 32;
  if (!csa::is_identifier(flags.login, kLongestLogin)) {
    return wrong(fmt::format("--csa-name {}: 1 to {} letters, digits, _ @ - and .", flags.login, kLongestLogin));
  }
  const core::TimeZone zone = local_time_zone({wall_now().us - kThirtyDays_us});
  std::vector<RelaySource> sources;
  for (std::size_t i = 0; i < flags.from.size(); ++i) {
    RelaySource source;
    std::string_view from = flags.from[i];
    source.address.tls = from.starts_with(kTls);
    if (source.address.tls) from.remove_prefix(kTls.size());
    source.address.tls_ca = flags.tls_ca;
    auto address = split_server(from, "--from");
    if (!address) return wrong(address.error());
    std::tie(source.address.host, source.address.port) = std::move(*address);
    if (const auto fine = core::check_room_name(flags.names[i]); !fine) return wrong("--name: " + fine.error());
    for (const RelaySource& other : sources) {
      if (other.follow.room == flags.names[i]) return wrong(fmt::format("--name: two servers are {}", flags.names[i]));
    }
    auto password = password_of(flags, i);
    if (!password) return std::unexpected(StartError{kExitNoInput, std::move(password.error())});
    source.follow = {.room = flags.names[i],
                     .login = flags.login,
                     .password = std::move(*password),
                     .every_us = static_cast<std::int64_t>(flags.every_s * core::kSecond),
                     .zone = zone};
    sources.push_back(std::move(source));
  }
  return sources;
}

core::JournalEvents journal_events(Log& log) {
  return {.lost = [&log](const std::string& why) { log.warning("the store is away: " + why); },
          .back = [&log] { log.info("the store is back"); },
          .replaced =
              [&log](const std::string& why) {
                log.error("another server has taken the store over, this one ends: " + why);
                std::ignore = std::raise(SIGTERM);
              }};
}

int serve_relay(std::vector<RelaySource> sources, const ServeConfig& config, Log& log) {
  Storage storage(config, log);
  const auto refused = [&](const StartError& error) {
    storage.take_back();
    return refuse_relay(error);
  };
  if (const auto fine = storage.make_folders(); !fine) return refused(fine.error());
  core::Recovery recovered;
  if (const auto fine = storage.open_store(journal_events(log), [](const auto&) {}, recovered); !fine) {
    return refused(fine.error());
  }
  WebNode web(config, log);
  if (const auto fine = web.open(); !fine) return refused(fine.error());
  if (const auto fine = storage.open_services([](const auto&) {}); !fine) return refused(fine.error());
  Relay relay(std::move(sources), storage.journal(), recovered, log);
  if (const auto fine = relay.set_up(recovered); !fine) return refused({kExitNoInput, fine.error()});
  for (const auto& [port, address] : web.bound()) fmt::print("listening {}={}\n", port, address);
  std::ignore = std::fflush(stdout);  // nobody may read it
  notify_service_manager("READY=1");
  relay.start();
  const int code = web.run();
  relay.stop();
  return storage.close() ? code : kExitIo;
}

// What is said in the first half minute to a server that has one game.
void print_lines(const RelaySource& source) {
  constexpr std::string_view kGame = "EVENT+GAME-900-5F+BLACK+WHITE+20260101120000";
  constexpr std::int64_t kShown_us = 30 * core::kSecond;
  Follower::Config config = source.follow;
  config.password = csa::Secret("PASSWORD");
  core::GameId last{};
  Follower follower(std::move(config), last, {});
  core::Now now;
  follower.connected(now);
  fmt::print("to {}:{}, shown as {}\n", source.address.host, source.address.port, source.follow.room);
  for (; now.mono.us < kShown_us; now.mono = follower.due()) {
    follower.tick(now);
    for (const std::string& line : follower.take().lines) {
      fmt::print("{:6.1f} s  {}\n", static_cast<double>(now.mono.us) / core::kSecond, line);
      if (line.starts_with("LOGIN")) follower.line("LOGIN:NAME OK", now);
      if (line == "%%LIST") follower.line(fmt::format("##[LIST] {}", kGame), now);
      if (line == "%%LIST") follower.line("##[LIST] +OK", now);
    }
  }
}

int run_relay(const RelayFlags& flags) {
  const auto sources = sources_of(flags);
  if (!sources) return refuse_relay(sources.error());
  if (flags.dry_run) {
    for (const RelaySource& source : *sources) print_lines(source);
    return kExitOk;
  }
  const auto resolved = resolve_config(flags.settings.words(), environment_variable, flags.settings.config());
  if (!resolved) return refuse_relay({kExitUsage, resolved.error()});
  std::ignore = std::signal(SIGPIPE, SIG_IGN);  // it cannot fail
  Log log(resolved->config.log_level, resolved->config.log_format);
  return serve_relay(*sources, resolved->config, log);
}

}  // namespace

Command add_relay(CLI::App& root) {
  CLI::App* command = manual::add_command(root, "relay", "Shows the games of other CSA servers on our pages");
  const auto flags = std::make_shared<RelayFlags>();
  command
      ->add_option("--from", flags->from,
                   "HOST:PORT of a server to follow (port 4081 if left out), tls://HOST:PORT if it speaks TLS; "
                   "repeatable")
      ->allow_extra_args(false)
      ->required();
  command->add_option("--name", flags->names, "the room that shows its games, one for each --from in their order")
      ->allow_extra_args(false)
      ->required();
  command->add_option("--csa-name", flags->login, "name to log in with")->capture_default_str();
  command
      ->add_option("--password-file", flags->password_files,
                   "file whose first line is the password: one for all servers, or one for each --from")
      ->allow_extra_args(false);
  command->add_option("--tls-ca", flags->tls_ca,
                      "PEM file with the authorities to believe that a tls://HOST is HOST (those of this machine)");
  command->add_option("--every", flags->every_s, "seconds from a request to the next one, at least")
      ->check(CLI::Range(0.01, 3600.0))
      ->capture_default_str();
  command->add_flag("--dry-run", flags->dry_run, "only prints what would be sent to a server with one game");
  add_setting_flags(*command, flags->settings, "--config");
  command->footer(
      "The other settings are those of fuhyo serve. What concerns players has no effect: nobody plays here.");
  return [flags] { return run_relay(*flags); };
}

}  // namespace fuhyo::app
