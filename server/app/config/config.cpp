#include "server/app/config/config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "engines/usi/process.h"
#include "server/app/config/delay.h"
#include "server/app/config/entry.h"
#include "server/app/config/exempt.h"
#include "server/app/config/file.h"
#include "server/app/serve/round_files.h"
#include "server/csa/command.h"
#include "server/host/engine_analyst.h"
#include "server/host/player_line.h"
#include "server/net/endpoint.h"

namespace fuhyo::app {
namespace {

using Fine = std::expected<void, std::string>;
using Words1 = const std::vector<std::string>&;
using Set = std::function<Fine(ServeConfig&, Words1)>;

constexpr std::size_t kMaxEvent = 32, kMaxName = 32;

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    words.emplace_back(word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return words;
}

Fine parse_number(int& out, const std::string& word, int least, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || value < least || value > most) {
    return std::unexpected(fmt::format("'{}' is no number from {} to {}", word, least, most));
  }
  out = value;
  return {};
}

Set set_number(int ServeConfig::* field, int least, int most) {
  return [=](ServeConfig& config, Words1 words) { return parse_number(config.*field, words.front(), least, most); };
}

Set set_choice(std::string ServeConfig::* field, std::vector<std::string> choices) {
  return [field, choices = std::move(choices)](ServeConfig& config, Words1 words) -> Fine {
    if (std::ranges::find(choices, words.front()) == choices.end()) {
      return std::unexpected(fmt::format("'{}' is none of: {}", words.front(), fmt::join(choices, ", ")));
    }
    config.*field = words.front();
    return {};
  };
}

Set set_flag(bool ServeConfig::* field) {
  return [=](ServeConfig& config, Words1 words) -> Fine {
    const bool on = words.front() == "true" || words.front() == "1";
    if (!on && words.front() != "false" && words.front() != "0") {
      return std::unexpected(fmt::format("'{}' is neither true nor false", words.front()));
    }
    config.*field = on;
    return {};
  };
}

Fine set_store(ServeConfig& config, Words1 words) {
  if (!words.front().empty()) {
    if (const auto store = store::make_store(words.front()); !store) return std::unexpected(store.error());
  }
  config.store = words.front();
  return {};
}

Set set_path(std::filesystem::path ServeConfig::* field, bool may_be_empty) {
  return [=](ServeConfig& config, Words1 words) -> Fine {
    if (words.front().empty() && !may_be_empty) return std::unexpected("a folder must be named");
    config.*field = words.front();
    return {};
  };
}

// A rule a line.
template <typename Rule>
Set set_rules(std::vector<Rule> ServeConfig::* field, std::expected<Rule, std::string> (*parse)(std::string_view),
              std::size_t most = std::numeric_limits<std::size_t>::max()) {
  return [=](ServeConfig& config, Words1 words) -> Fine {
    if (words.size() > most) return std::unexpected(fmt::format("there may be at most {} lines", most));
    (config.*field).clear();
    for (const std::string& word : words) {
      auto rule = parse(word);
      if (!rule) return std::unexpected(rule.error());
      (config.*field).push_back(std::move(*rule));
    }
    return {};
  };
}

Set set_networks(std::vector<std::string> ServeConfig::* field) {
  return [=](ServeConfig& config, Words1 words) -> Fine {
    if (const auto list = ExemptList::parse(words); !list) return std::unexpected(list.error());
    config.*field = words;
    return {};
  };
}

Set set_addresses(std::vector<std::string> ServeConfig::* field, bool may_be_off) {
  return [=](ServeConfig& config, Words1 words) -> Fine {
    (config.*field).clear();
    if (may_be_off && words == std::vector<std::string>{"off"}) return {};
    if (words.empty()) return std::unexpected("there is no address");
    for (const std::string& word : words) {
      if (const auto address = net::parse_host_port(word); !address) return std::unexpected(address.error());
    }
    config.*field = words;
    return {};
  };
}

// Addresses that nobody has to name.
Set set_more_addresses(std::vector<std::string> ServeConfig::* field) {
  return [=, set = set_addresses(field, true)](ServeConfig& config, Words1 words) -> Fine {
    (config.*field).clear();
    return words.empty() ? Fine{} : set(config, words);
  };
}

Fine set_event(ServeConfig& config, Words1 words) {
  if (!csa::is_identifier(words.front(), kMaxEvent)) {
    return std::unexpected(fmt::format(
        "'{}' is no event name: 1 to {} of A-Z a-z 0-9 _ @ . - (it begins every Game_ID)", words.front(), kMaxEvent));
  }
  config.event = words.front();
  return {};
}

Fine set_engines(ServeConfig& config, Words1 words) {
  for (const std::string& word : words) {
    if (const auto player = host::parse_player_line(word); !player) return std::unexpected(player.error());
  }
  config.engines = words;
  return {};
}

Fine set_analysis_engine(ServeConfig& config, Words1 words) {
  config.analysis_engine.clear();
  if (words.front().empty()) return {};
  auto command = usi::split_command(words.front());
  if (!command) return std::unexpected(command.error());
  config.analysis_engine = std::move(*command);
  return {};
}

Fine set_analysis_options(ServeConfig& config, Words1 words) {
  config.analysis_options.clear();
  for (const std::string& word : words) {
    auto option = host::parse_analysis_option(word);
    if (!option) return std::unexpected(option.error());
    config.analysis_options.push_back(std::move(*option));
  }
  return {};
}

// shogi-server's flag takes one word with commas.
Fine set_floodgate_games(ServeConfig& config, Words1 words) {
  config.floodgate_games.clear();
  for (const std::string& word : words) {
    for (std::string& name : split_list(word)) {
      if (const auto fine = check_group_name(name); !fine) return fine;
      if (std::ranges::find(config.floodgate_games, name) != config.floodgate_games.end()) {
        return std::unexpected(fmt::format("{} is named twice", name));
      }
      config.floodgate_games.push_back(std::move(name));
    }
  }
  return {};
}

Fine set_operators(ServeConfig& config, Words1 words) {
  config.operators.clear();
  for (const std::string& word : words) {
    auto post = parse_operator(word);
    if (!post) return std::unexpected(post.error());
    if (std::ranges::find(config.operators, post->name, &Operator::name) != config.operators.end()) {
      return std::unexpected(fmt::format("there are two operators {}", post->name));
    }
    config.operators.push_back(std::move(*post));
  }
  return {};
}

Fine set_workers(ServeConfig& config, Words1 words) {
  config.workers.clear();
  for (const std::string& word : words) {
    auto post = parse_worker(word);
    if (!post) return std::unexpected(post.error());
    if (std::ranges::find(config.workers, post->name, &WorkerPost::name) != config.workers.end()) {
      return std::unexpected(fmt::format("there are two workers {}", post->name));
    }
    config.workers.push_back(std::move(*post));
  }
  return {};
}

Fine set_reserved_names(ServeConfig& config, Words1 words) {
  for (const std::string& word : words) {
    if (!csa::is_identifier(word, kMaxName)) return std::unexpected(fmt::format("'{}' is no name of a player", word));
  }
  config.reserved_names = words;
  return {};
}

std::string default_data() {
  if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data != '\0') {
    return std::string(data) + "/fuhyo";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return std::string(home) + "/.local/share/fuhyo";
  }
  return "/var/lib/fuhyo";
}

// What the server is to players: its doors, its games.
std::vector<Setting> game_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  return {
      {"csa",
       list,
       "HOST:PORT",
       "where players connect; may be repeated; port 0 takes a free one",
       {"127.0.0.1:4081"},
       set_addresses(&C::csa, false)},
      {"role",
       text,
       "game|web",
       "game: the server that players connect to; web: only shows the games of one, read from its store",
       {"game"},
       set_choice(&C::role, {"game", "web"})},
      {"http",
       list,
       "HOST:PORT",
       "where the web page and its event stream are; may be repeated; 'off' for none",
       {"127.0.0.1:8081"},
       set_addresses(&C::http, true)},
      {"event", text, "NAME", "first part of every Game_ID", {"fuhyo"}, set_event},
      {"max-moves",
       number,
       "N",
       "a game ends without a winner at this move; 0: never",
       {"256"},
       set_number(&C::max_moves, 0, 4096)},
      {"least-time-per-move",
       number,
       "SECONDS",
       "each move is charged at least this",
       {"0"},
       set_number(&C::least_time_per_move_s, 0, 3600)},
      {"ratings",
       text,
       "computed|file",
       "computed from the games as shogi-server's mk_rate does, or read from DATA/players.yaml",
       {"computed"},
       set_choice(&C::ratings, {"computed", "file"})},
      {"floodgate-games",
       list,
       "NAME",
       "a floodgate group (floodgate-300-10F): its players are paired in rounds, at the times of DATA/NAME.conf; may "
       "be "
       "repeated",
       {},
       set_floodgate_games},
  };
}

// Players of its own.
std::vector<Setting> engine_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  return {
      {"builtin",
       text,
       "off|demo",
       "built-in players; demo: two of them play each other all day",
       {"off"},
       set_choice(&C::builtin, {"off", "demo"})},
      {"engine",
       list,
       "LINE",
       "a USI engine seated as a player: 'name=NAME engine=COMMAND game=NAME-900-5F serve=club-* level=12 threads=1 "
       "count=2 option.USI_Hash=64'; may be repeated",
       {},
       set_engines},
      {"engine-sandbox",
       text,
       "required|on|off",
       "what engines are kept from (files, network, other processes); on: as far as this machine can; required: "
       "the server does not start where anything of it is missing",
       {"on"},
       set_choice(&C::engine_sandbox, {"required", "on", "off"})},
      {"worker-door",
       list,
       "HOST:PORT",
       "where machines that bring engines (fuhyo join --worker) connect, under TLS; may be repeated",
       {},
       set_more_addresses(&C::worker_door)},
      {"worker",
       list,
       "LINE",
       "a machine that may bring engines: 'name=NAME players=NAME-* secret_hash=...'; see fuhyo admin worker add",
       {},
       set_workers},
      {"engine-threads",
       number,
       "N",
       "threads of built-in players that may think at once; 0: one less than there are cores, for the server",
       {"0"},
       set_number(&C::engine_threads, 0, 4096)},
  };
}

// The doors under TLS.
std::vector<Setting> tls_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  return {
      {"csa-tls",
       list,
       "HOST:PORT",
       "where players connect under TLS; may be repeated",
       {},
       set_more_addresses(&C::csa_tls)},
      {"https",
       list,
       "HOST:PORT",
       "where the web page and its event stream are under TLS; may be repeated",
       {},
       set_more_addresses(&C::https)},
      {"tls-cert",
       text,
       "FILE",
       "the certificate for these, in PEM form, and those that lead to its authority after it",
       {""},
       set_path(&C::tls_cert, true)},
      {"tls-key", text, "FILE", "its private key, in PEM form", {""}, set_path(&C::tls_key, true)},
  };
}

// What spectators see, and when.
std::vector<Setting> spectator_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  return {
      {"spectator-comments",
       text,
       "never|after|live",
       "when spectators see what players say of their moves (evaluations, lines): never, after the game, or at once",
       {"after"},
       set_choice(&C::spectator_comments, {"never", "after", "live"})},
      {"spectator-delay",
       list,
       "LINE",
       "games that spectators see later than their players: 'games=club-* seconds=60' or 'games=* moves=3'; may be "
       "repeated, the first that fits counts",
       {},
       set_rules(&C::spectator_delay, parse_delay, core::kMostDelayRules)},
  };
}

// What becomes of games when a line breaks or the server ends.
std::vector<Setting> resume_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  return {
      {"resume",
       text,
       "position|adjudicate|abort",
       "what becomes of running games when the server ends: they go on, wait for a verdict, or are void",
       {"position"},
       set_choice(&C::resume, {"position", "adjudicate", "abort"})},
      {"resume-window",
       number,
       "SECONDS",
       "how long such a game waits for its players",
       {"120"},
       set_number(&C::resume_window_s, 1, 86400)},
      {"resume-times",
       text,
       "remaining|as_played",
       "what a player who comes back is told: what he has left and T0 for each move, or the times as they were played",
       {"remaining"},
       set_choice(&C::resume_times, {"remaining", "as_played"})},
      {"loss-grace",
       number,
       "SECONDS",
       "how long a player whose line broke may stay away from his game; 0: he has lost at once",
       {"0"},
       set_number(&C::loss_grace_s, 0, 3600)},
      {"reconnect-tokens",
       text,
       "on|off",
       "tells players a Reconnect_Token where they may come back to their game",
       {"off"},
       set_choice(&C::reconnect_tokens, {"on", "off"})},
  };
}

// Who may come in, and under which name.
std::vector<Setting> account_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  return {
      {"accounts",
       text,
       "open|claim|closed",
       "who may play under a name without an account: anybody, whoever is the first (it is his from then on), nobody",
       {"open"},
       set_choice(&C::accounts, {"open", "claim", "closed"})},
      {"entry",
       list,
       "LINE",
       "what some games ask of their players: 'games=club-* accounts=open|claim|closed players=ann,bob'; may be "
       "repeated, the first that fits counts",
       {},
       set_rules(&C::entry, parse_entry)},
      {"reserved-names", list, "NAME", "names, and those that look like them, that need an account; may be repeated",
       usual_reserved_names(), set_reserved_names},
      {"duplicate-login",
       text,
       "takeover|refuse",
       "a second login with the right secret during a game takes it over, or is refused as shogi-server does",
       {"takeover"},
       set_choice(&C::duplicate_login, {"takeover", "refuse"})},
      {"trip",
       text,
       "keyed|md5",
       "how the secret of a player is shown behind his name: by a hash with a key of this server, or by its MD5",
       {"keyed"},
       set_choice(&C::trip, {"keyed", "md5"})},
  };
}

// Where it keeps things.
std::vector<Setting> place_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  return {
      {"data", text, "DIR", "folder of the journal", {default_data()}, set_path(&C::data, false)},
      {"store",
       text,
       "ADDRESS",
       "the journal: sqlite:FILE or postgres://USER@HOST/DATABASE (DATA/fuhyo.db)",
       {""},
       set_store},
      {"unsafe",
       flag,
       "",
       "also with a database server that takes back after a power cut what it has confirmed",
       {"false"},
       set_flag(&C::unsafe)},
      {"records", text, "DIR", "folder of the game records (DATA/records)", {""}, set_path(&C::records, true)},
      {"web-root",
       text,
       "DIR",
       "pages to serve instead of those that are built in",
       {""},
       set_path(&C::web_root, true)},
  };
}

// What an engine is asked about games that are over.
std::vector<Setting> analysis_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  return {
      {"analysis-engine",
       text,
       "COMMAND",
       "a USI engine that viewers may ask about finished games, e.g. fuhyo-nnue (off)",
       {""},
       set_analysis_engine},
      {"analysis-options",
       list,
       "NAME=VALUE",
       "one of its USI options; may be repeated. Unless told otherwise: Threads=1, USI_Hash=64, USI_OwnBook=false",
       {},
       set_analysis_options},
      {"analysis-nodes",
       number,
       "N",
       "what it may look at when it is asked about one position",
       {"400000"},
       set_number(&C::analysis_nodes, 1, 1'000'000'000)},
      {"analysis-game-nodes",
       number,
       "N",
       "... and about each position of a whole game",
       {"5000"},
       set_number(&C::analysis_game_nodes, 1, 10'000'000)},
  };
}

// Who is believed on the web.
std::vector<Setting> web_settings() {
  using enum Setting::Kind;
  return {
      {"web-proxy",
       list,
       "ADDRESS[/BITS]",
       "a web server in front of `http` that says with X-Forwarded-For and X-Forwarded-Proto who comes and how; may be "
       "repeated",
       {},
       set_networks(&ServeConfig::web_proxy)},
  };
}

// How it is run: limits, logs, the end.
std::vector<Setting> running_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  const Set exempt = set_networks(&C::exempt);
  return {
      {"exempt", list, "ADDRESS[/BITS]", "spared by the limits per address; may be repeated", {}, exempt},
      {"operator",
       list,
       "LINE",
       "who may give %%ADMIN commands: 'name=NAME role=host|admin secret_hash=...'; see fuhyo admin operator add",
       {},
       set_operators},
      {"admin-networks",
       list,
       "ADDRESS[/BITS]",
       "where operators may give them from; may be repeated",
       {"127.0.0.0/8", "::1"},
       set_networks(&C::admin_networks)},
      {"player-log-dir",
       text,
       "DIR",
       "logs each player as shogi-server does, lines IN: and OUT: (off)",
       {""},
       set_path(&C::player_logs, true)},
      {"wire-log",
       text,
       "DIR",
       "logs what each player sends and is sent, a file a player (off)",
       {""},
       set_path(&C::wire_log, true)},
      {"wire-log-mib",
       number,
       "N",
       "size at which such a file is rotated, once",
       {"4"},
       set_number(&C::wire_log_mib, 1, 1024)},
      {"journal-days",
       number,
       "N",
       "facts that no running game needs stay in the journal for so long; finished games are kept for ever",
       {"7"},
       set_number(&C::journal_days, 0, 3650)},
      {"journal-rows",
       number,
       "N",
       "... and never more than so many of them",
       {"20000000"},
       set_number(&C::journal_rows, 1'000, 2'000'000'000)},
      {"drain-timeout",
       number,
       "SECONDS",
       "how long running games may go on after SIGTERM",
       {"60"},
       set_number(&C::drain_timeout_s, 0, 86400)},
      {"log-level",
       text,
       "LEVEL",
       "info, warning or error",
       {"info"},
       set_choice(&C::log_level, {"info", "warning", "error"})},
      {"log-format",
       text,
       "FORMAT",
       "auto, text or json; auto: text on a terminal",
       {"auto"},
       set_choice(&C::log_format, {"auto", "text", "json"})},
  };
}

std::vector<Setting> make_settings() {
  std::vector<Setting> settings = game_settings();
  for (auto more : {engine_settings(), spectator_settings(), tls_settings(), account_settings(), place_settings(),
                    resume_settings(), analysis_settings(), web_settings(), running_settings()})
    std::ranges::move(more, std::back_inserter(settings));
  return settings;
}

std::string variable_name(std::string_view key) {
  std::string name = "FUHYO_";
  for (const char c : key) name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return name;
}

Said who_said(const Setting& setting, const Words& flags, const std::function<const char*(const char*)>& variable,
              const ConfigFile& file) {
  if (const auto it = flags.find(setting.key); it != flags.end()) {
    return {it->second, fmt::format("--{}", setting.key)};
  }
  const std::string name = variable_name(setting.key);
  if (const char* value = variable(name.c_str())) {
    if (setting.kind == Setting::Kind::list) return {split_list(value), name};
    return {{value}, name};
  }
  if (const auto it = file.find(setting.key); it != file.end()) return {it->second.words, it->second.origin};
  return {setting.initial, "default"};
}

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string toml_value(const Setting& setting, const std::vector<std::string>& words) {
  if (setting.kind == Setting::Kind::number || setting.kind == Setting::Kind::flag) return words.front();
  if (setting.key == "store") return quote(store::without_password(words.front()));
  if (setting.kind == Setting::Kind::text) return quote(words.front());
  std::vector<std::string> quoted;
  quoted.reserve(words.size());
  for (const std::string& word : words) quoted.push_back(quote(word));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

// What no setting can say alone.
Fine check_together(const ServeConfig& config) {
  if (!config.tls() || (!config.tls_cert.empty() && !config.tls_key.empty())) return {};
  return std::unexpected(fmt::format("{}: needs a certificate and its key: {} is not set",
                                     !config.csa_tls.empty() ? "csa-tls"
                                     : !config.https.empty() ? "https"
                                                             : "worker-door",
                                     config.tls_cert.empty() ? "tls-cert" : "tls-key"));
}

}  // namespace

std::span<const Setting> settings() {
  static const std::vector<Setting> table = make_settings();
  return table;
}

std::expected<Resolved, std::string> resolve_config(const Words& flags,
                                                    const std::function<const char*(const char*)>& variable,
                                                    const std::filesystem::path& file) {
  ConfigFile from_file;
  if (!file.empty()) {
    auto read = read_config_file(file, settings());
    if (!read) return std::unexpected(read.error());
    from_file = std::move(*read);
  }
  Resolved resolved;
  for (const Setting& setting : settings()) {
    Said said = who_said(setting, flags, variable, from_file);
    if (setting.kind != Setting::Kind::list && said.words.size() != 1) {
      return std::unexpected(fmt::format("{}: takes one value", said.origin));
    }
    if (const auto fine = setting.set(resolved.config, said.words); !fine) {
      return std::unexpected(fmt::format("{}: {}", said.origin, fine.error()));
    }
    resolved.said.emplace(setting.key, std::move(said));
  }
  if (const auto fine = check_together(resolved.config); !fine) return std::unexpected(fine.error());
  return resolved;
}

std::string print_config(const Resolved& resolved) {
  std::string out;
  for (const Setting& setting : settings()) {
    const Said& said = resolved.said.find(setting.key)->second;
    out += fmt::format("{} = {}  # {}\n", setting.key, toml_value(setting, said.words), said.origin);
  }
  return out;
}

}  // namespace fuhyo::app
