// `fuhyo join`: brings any USI engine to any CSA server.
#include <fmt/format.h>
#include <fstream>
#include <memory>

#include <CLI/CLI.hpp>

#include "engines/usi/process.h"
#include "server/app/commands.h"
#include "server/app/join/options.h"
#include "server/app/join/session.h"

namespace fuhyo::app {
namespace {

struct Flags {
  std::string server, name, password, password_file, mode = "csa", game, turn = "*", engine;
  std::vector<std::string> options;
  std::string tls_ca;
  bool tls = false, insecure = false;
  bool ponder = false, comments = false, relogin = true, verbose = false, engine_stderr = false;
  std::int64_t margin_ms = 0, keep_alive_s = 30;
  int games = 0;
};

struct Mistake {
  int exit_code;
  std::string text;
};

// The first line of the file, so that a password need not stand in the process list.
std::expected<std::string, Mistake> read_password(const Flags& flags) {
  if (flags.password_file.empty()) return flags.password;
  std::ifstream file(flags.password_file);
  std::string line;
  if (!std::getline(file, line)) {
    return std::unexpected(Mistake{kExitNoInput, "--password-file " + flags.password_file + ": cannot be read"});
  }
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

bool is_one_word(std::string_view text) {
  return !text.empty() && text.find_first_of(" \t\r\n") == std::string_view::npos;
}

std::expected<JoinOptions, Mistake> check(const Flags& flags) {
  const auto usage = [](std::string text) { return std::unexpected(Mistake{kExitUsage, std::move(text)}); };
  const auto server = split_server(flags.server);
  if (!server) return usage(server.error());
  const auto command = usi::split_command(flags.engine);
  if (!command) return usage("--engine: " + command.error());
  const auto password = read_password(flags);
  if (!password) return std::unexpected(password.error());
  if (!is_one_word(flags.name)) return usage("--name must be one word");
  if (!is_one_word(*password)) return usage("the password must be one word");
  const bool x1 = flags.mode == "x1";
  if (x1 && flags.game.empty()) return usage("--mode x1 needs --game, e.g. --game floodgate-300-10F");

  if (!flags.tls && (flags.insecure || !flags.tls_ca.empty())) return usage("--tls-ca and --insecure go with --tls");

  JoinOptions out{.host = server->first,
                  .port = server->second,
                  .engine = *command,
                  .show_engine_stderr = flags.engine_stderr,
                  .relogin = flags.relogin,
                  .verbose = flags.verbose,
                  .tls = flags.tls,
                  .tls_ca = flags.tls_ca,
                  .insecure = flags.insecure,
                  .bridge = {}};
  host::Bridge::Config& bridge = out.bridge;
  bridge.name = flags.name;
  bridge.mode = x1 ? host::Bridge::Mode::x1 : host::Bridge::Mode::csa;
  bridge.password = x1 ? *password : csa_password(flags.game, flags.turn.front(), *password);
  bridge.game = flags.game;
  bridge.turn = flags.turn.front();
  bridge.games = flags.games;
  bridge.ponder = bridge.engine.ponder = flags.ponder;
  bridge.comments = flags.comments;
  bridge.margin_ms = flags.margin_ms;
  bridge.keep_alive_ms = flags.keep_alive_s * 1000;
  for (const std::string& text : flags.options) {
    const auto option = split_option(text);
    if (!option) return usage(option.error());
    bridge.engine.options.push_back(*option);
  }
  return out;
}

int run(const Flags& flags) {
  const auto options = check(flags);
  if (!options) {
    fmt::print(stderr, "fuhyo join: {}\n", options.error().text);
    return options.error().exit_code;
  }
  return run_join(*options);
}

}  // namespace

Command add_join(CLI::App& root) {
  auto flags = std::make_shared<Flags>();
  CLI::App* join = root.add_subcommand("join", "Bring a USI engine to a CSA server");
  join->add_option("--server", flags->server, "HOST:PORT of the server (port 4081 if left out)")->required();
  join->add_flag("--tls", flags->tls, "speak TLS, and only with who proves to be HOST");
  auto* authorities =
      join->add_option("--tls-ca", flags->tls_ca, "PEM file with the authorities to believe (those of this machine)");
  join->add_flag("--insecure", flags->insecure, "speak TLS with anybody, for tries")->excludes(authorities);
  join->add_option("--name", flags->name, "player name")->required();
  auto* password =
      join->add_option("--password", flags->password, "password, or the game and trip as the server wants it");
  join->add_option("--password-file", flags->password_file, "file whose first line is the password")
      ->excludes(password);
  join->add_option("--mode", flags->mode, "csa: one login a game; x1: stays logged in and asks for games")
      ->check(CLI::IsMember({"csa", "x1"}))
      ->capture_default_str();
  join->add_option("--game", flags->game, "game to wait for, e.g. floodgate-300-10F");
  join->add_option("--turn", flags->turn, "side: + (black), - (white) or * (either)")
      ->check(CLI::IsMember({"+", "-", "*"}))
      ->capture_default_str();
  join->add_option("--engine", flags->engine, "command of the USI engine")->required();
  join->add_option("--option", flags->options, "Name=Value, an option of the engine; repeatable")
      ->allow_extra_args(false);
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
  return [flags] { return run(*flags); };
}

}  // namespace fuhyo::app
