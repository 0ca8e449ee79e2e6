// `fuhyo join`: brings any USI engine to any CSA server, or engines of this machine to a Fuhyō as its own.
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <optional>
#include <thread>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "engines/usi/process.h"
#include "server/app/commands.h"
#include "server/app/join/options.h"
#include "server/app/join/session.h"
#include "server/app/join/worker_session.h"
#include "server/app/serve/engine_means.h"
#include "server/csa/game_name.h"
#include "server/host/player_line.h"

namespace fuhyo::app {
namespace {

struct Flags {
  std::string server, name, password, password_file, mode = "csa", game, turn = "*";
  std::vector<std::string> engines, options;
  std::string tls_ca, fingerprint;
  std::string worker, token, sandbox = "on";  // --worker
  int threads = 0;
  bool tls = false, insecure = false;
  bool ponder = false, comments = false, relogin = true, verbose = false, engine_stderr = false;
  std::int64_t margin_ms = 0, keep_alive_s = 30, usiok_s = 30, readyok_s = 60;
  int games = 0;
};

// Without a game for so long somebody may have mistyped its name.
constexpr std::int64_t kRemindAfter_ms = 60'000;
constexpr std::size_t kLongestGameName = 255;  // of a game, on whatever server

struct Mistake {
  int exit_code;
  std::string text;
};

// A password need not stand in the list of processes. A flag wins over the variable.
std::expected<std::string, Mistake> read_password(const Flags& flags, const std::optional<std::string>& variable) {
  if (!flags.password_file.empty()) {
    auto password = password_in(flags.password_file);
    if (password) return std::move(*password);
    return std::unexpected(
        Mistake{kExitNoInput, fmt::format("--password-file {}: {}", flags.password_file, password.error())});
  }
  if (!flags.password.empty()) return flags.password;
  if (!variable) {
    return std::unexpected(
        Mistake{kExitUsage, fmt::format("there is no password: --password-file, {} or --password", kPasswordVariable)});
  }
  if (variable->empty()) return std::unexpected(Mistake{kExitUsage, fmt::format("{} is empty", kPasswordVariable)});
  return *variable;
}

// The engine has no business with it.
std::optional<std::string> take_password_variable() {
  const char* const value = std::getenv(kPasswordVariable);
  if (value == nullptr) return std::nullopt;
  std::string password = value;
  ::unsetenv(kPasswordVariable);
  return password;
}

bool is_one_word(std::string_view text) {
  return !text.empty() && text.find_first_of(" \t\r\n") == std::string_view::npos;
}

std::expected<std::string, std::string> fingerprint_of(const Flags& flags) {
  return flags.fingerprint.empty() ? std::string() : parse_fingerprint(flags.fingerprint);
}

std::expected<JoinOptions, Mistake> check(const Flags& flags, const std::optional<std::string>& variable) {
  const auto usage = [](std::string text) { return std::unexpected(Mistake{kExitUsage, std::move(text)}); };
  if (flags.server.empty() || flags.name.empty()) return usage("--server and --name are required, or --worker");
  if (flags.engines.size() != 1) return usage("one --engine is required");
  const auto server = split_server(flags.server);
  if (!server) return usage(server.error());
  const auto command = usi::split_command(flags.engines.front());
  if (!command) return usage("--engine: " + command.error());
  const auto password = read_password(flags, variable);
  if (!password) return std::unexpected(password.error());
  if (!is_one_word(flags.name)) return usage("--name must be one word");
  if (!is_one_word(*password)) return usage("the password must be one word");
  const bool x1 = flags.mode == "x1";
  if (x1 && flags.game.empty()) return usage("--mode x1 needs --game, e.g. --game floodgate-300-10F");

  if (!flags.tls && (flags.insecure || !flags.tls_ca.empty() || !flags.fingerprint.empty())) {
    return usage("--tls-ca, --fingerprint and --insecure go with --tls");
  }
  const auto fingerprint = fingerprint_of(flags);
  if (!fingerprint) return usage(fingerprint.error());

  JoinOptions out{.host = server->first,
                  .port = server->second,
                  .engine = *command,
                  .show_engine_stderr = flags.engine_stderr,
                  .relogin = flags.relogin,
                  .verbose = flags.verbose,
                  .tls = flags.tls,
                  .tls_ca = flags.tls_ca,
                  .insecure = flags.insecure,
                  .fingerprint = *fingerprint,
                  .bridge = {}};
  host::Bridge::Config& bridge = out.bridge;
  bridge.name = flags.name;
  bridge.mode = x1 ? host::Bridge::Mode::x1 : host::Bridge::Mode::csa;
  bridge.password = x1 ? *password : csa_password(flags.game, flags.turn.front(), *password);
  bridge.game = flags.game;
  bridge.turn = flags.turn.front();
  bridge.games = flags.games;
  bridge.ponder = bridge.engine.ponder = flags.ponder;
  bridge.engine.usiok_ms = flags.usiok_s * 1000;
  bridge.engine.readyok_ms = flags.readyok_s * 1000;
  bridge.comments = flags.comments;
  bridge.patience_ms = kRemindAfter_ms;
  bridge.margin_ms = flags.margin_ms;
  bridge.keep_alive_ms = flags.keep_alive_s * 1000;
  for (const std::string& text : flags.options) {
    const auto option = split_option(text);
    if (!option) return usage(option.error());
    bridge.engine.options.push_back(*option);
  }
  return out;
}

// ---- --worker ----

std::expected<WorkerOptions, Mistake> check_worker(const Flags& flags) {
  const auto usage = [](std::string text) { return std::unexpected(Mistake{kExitUsage, std::move(text)}); };
  const auto server = split_server(flags.worker, "--worker");
  if (!server) return usage(server.error());
  const auto fingerprint = fingerprint_of(flags);
  if (!fingerprint) return usage(fingerprint.error());
  if (flags.token.empty()) return usage("--worker needs --token FILE, whose first line is NAME TOKEN");
  const auto token = read_worker_token(flags.token);
  if (!token) return std::unexpected(Mistake{kExitNoInput, token.error()});
  if (flags.engines.empty() || flags.engines.size() > host::kMostOffers) {
    return usage(fmt::format("--worker needs 1 to {} --engine", host::kMostOffers));
  }
  const std::vector<std::string> missing = usi::sandbox_support().missing();
  if (flags.sandbox == "required" && !missing.empty()) {
    return std::unexpected(Mistake{kExitUnavailable, fmt::format("this machine has {}", fmt::join(missing, "; "))});
  }
  WorkerOptions out{.server = {.host = server->first,
                               .port = server->second,
                               .engine = {},
                               .tls = true,
                               .tls_ca = flags.tls_ca,
                               .insecure = flags.insecure,
                               .fingerprint = *fingerprint,
                               .bridge = {}},
                    .name = token->first,
                    .token = token->second,
                    .threads = std::max(1, flags.threads),
                    .engines = {},
                    .offers = {},
                    .verbose = flags.verbose};
  if (flags.threads == 0) out.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  for (const std::string& line : flags.engines) {
    auto player = host::parse_player_line(line);
    if (!player) return usage("--engine: " + player.error());
    const auto offer = host::offer_of(line);
    if (!offer) return usage("--engine: " + offer.error());
    put_into_sandbox(flags.sandbox == "off" ? EngineSandbox::off : EngineSandbox::on, {flags.token}, *player);
    out.offers.push_back({.engine = static_cast<int>(out.offers.size()), .nps = 0, .line = *offer});
    out.engines.push_back(std::move(*player));
  }
  return out;
}

int refuse(const Mistake& mistake) {
  fmt::print(stderr, "fuhyo join: {}\n", mistake.text);
  return mistake.exit_code;
}

int run(const Flags& flags) {
  if (!flags.worker.empty()) {
    auto options = check_worker(flags);
    return options ? run_worker(std::move(*options)) : refuse(options.error());
  }
  const auto options = check(flags, take_password_variable());
  if (!options) return refuse(options.error());
  if (!flags.game.empty() && !csa::parse_game_name(flags.game, kLongestGameName)) {
    fmt::print(stderr,
               "fuhyo join: warning: {} is no game name as shogi-server has them, NAME-SECONDS-BYOYOMI, so that most "
               "servers take it for a part of the password\n",
               flags.game);
  }
  return run_join(*options);
}

}  // namespace

Command add_join(CLI::App& root) {
  auto flags = std::make_shared<Flags>();
  CLI::App* join = manual::add_command(root, "join", "Brings a USI engine to a CSA server");
  auto* server = join->add_option("--server", flags->server, "HOST:PORT of the server (port 4081 if left out)");
  join->add_flag("--tls", flags->tls, "speak TLS, and only with who proves to be HOST");
  auto* authorities = join->add_option("--tls-ca,--ca", flags->tls_ca,
                                       "PEM file with the authorities to believe (those of this machine)");
  auto* fingerprint = join->add_option("--fingerprint", flags->fingerprint,
                                       "SHA-256 of the one certificate to believe, whoever has signed it")
                          ->excludes(authorities);
  join->add_flag("--insecure", flags->insecure, "speak TLS with anybody, for tries")
      ->excludes(authorities)
      ->excludes(fingerprint);
  auto* name = join->add_option("--name", flags->name, "player name");
  auto* password =
      join->add_option("--password", flags->password, "password, or the game and trip as the server wants it");
  auto* password_file =
      join->add_option("--password-file", flags->password_file,
                       "file whose first line is the password: who lists processes sees what a flag says, and not "
                       "what a file or FUHYO_JOIN_PASSWORD does")
          ->excludes(password);
  join->add_option("--mode", flags->mode, "csa: one login a game; x1: stays logged in and asks for games")
      ->check(CLI::IsMember({"csa", "x1"}))
      ->capture_default_str();
  join->add_option("--game", flags->game, "game to wait for, e.g. floodgate-300-10F");
  join->add_option("--turn", flags->turn, "side: + (black), - (white) or * (either)")
      ->check(CLI::IsMember({"+", "-", "*"}))
      ->capture_default_str();
  join->add_option(
          "--engine", flags->engines,
          "command of the USI engine; with --worker 'name=NAME engine=COMMAND ...' as for fuhyo serve, repeatable")
      ->allow_extra_args(false);
  join->add_option("--option", flags->options, "Name=Value, an option of the engine; repeatable")
      ->allow_extra_args(false);
  join->add_option("--usiok-timeout", flags->usiok_s, "seconds that the engine may take from its start to usiok")
      ->check(CLI::Range(1, 86'400))
      ->capture_default_str();
  join->add_option("--readyok-timeout", flags->readyok_s, "seconds of silence between isready and readyok")
      ->check(CLI::Range(1, 86'400))
      ->capture_default_str();
  join->add_flag("--ponder", flags->ponder, "let the engine think in the opponent's time");
  join->add_flag("--comments", flags->comments, "send evaluation and line of play as floodgate does");
  join->add_option("--margin-ms", flags->margin_ms, "time kept back from the engine for the network")
      ->check(CLI::Range(0, 60'000))
      ->capture_default_str();
  join->add_option("--games", flags->games, "leave after so many games (0: never)")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  join->add_flag("--relogin,!--no-relogin", flags->relogin, "log in again after a lost line (default)");
  join->add_option("--keep-alive", flags->keep_alive_s, "seconds of silence before an empty line is sent (0: never)")
      ->check(CLI::Range(0, 3600))
      ->capture_default_str();
  join->add_flag("--verbose", flags->verbose, "show every line of both sides");
  join->add_flag("--engine-stderr", flags->engine_stderr, "show what the engine writes to its standard error");
  join->add_option("--worker", flags->worker,
                   "HOST:PORT of a server's worker-door: it plays with the engines of this machine as with its own")
      ->excludes(server)
      ->excludes(name)
      ->excludes(password)
      ->excludes(password_file);
  join->add_option("--token", flags->token, "file whose first line is NAME TOKEN, as `fuhyo admin worker add` says");
  join->add_option("--threads", flags->threads, "threads that a worker's engines may think with at once (0: its cores)")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  join->add_option("--engine-sandbox", flags->sandbox, "what a worker's engines are kept from, as for fuhyo serve")
      ->check(CLI::IsMember({"required", "on", "off"}))
      ->capture_default_str();
  return [flags] { return run(*flags); };
}

}  // namespace fuhyo::app
