// Settings: where the server keeps things, and how it is run.
#include <cstdlib>

#include "server/app/config/setters.h"
#include "server/app/config/settings.h"
#include "server/app/serve/file_modes.h"

namespace fuhyo::app {
namespace {

std::string default_data() {
  if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data != '\0') {
    return std::string(data) + "/fuhyo";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return std::string(home) + "/.local/share/fuhyo";
  }
  return "/var/lib/fuhyo";
}

}  // namespace

// The ports under TLS.
std::vector<Setting> tls_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  return {
      {"csa-tls",
       list,
       "HOST:PORT",
       "where players connect under TLS; may be repeated",
       {},
       set_more_addresses(&C::csa_tls),
       R"(["0.0.0.0:4082", "[::]:4082"])"},
      {"https",
       list,
       "HOST:PORT",
       "where the web page and its event stream are under TLS; may be repeated",
       {},
       set_more_addresses(&C::https),
       R"("0.0.0.0:8443")"},
      {"tls-cert",
       text,
       "FILE",
       "the certificate for these, in PEM form, and those that lead to its authority after it",
       {""},
       set_path(&C::tls_cert, true),
       R"("/etc/fuhyo/fullchain.pem")"},
      {"tls-key",
       text,
       "FILE",
       "its private key, in PEM form",
       {""},
       set_path(&C::tls_key, true),
       R"("/etc/fuhyo/key.pem")"},
  };
}

// Where it keeps things.
std::vector<Setting> place_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  return {
      {"data",
       text,
       "DIR",
       "folder of the journal ($XDG_DATA_HOME/fuhyo, ~/.local/share/fuhyo or /var/lib/fuhyo)",
       {default_data()},
       set_path(&C::data, false),
       R"("/var/lib/fuhyo")"},
      {"store",
       text,
       "ADDRESS",
       "the journal: sqlite:FILE or postgres://USER@HOST/DATABASE (DATA/fuhyo.db)",
       {""},
       set_store,
       R"("postgres://fuhyo@db.example/fuhyo")"},
      {"unsafe",
       flag,
       "",
       "also with a database server that takes back after a power cut what it has confirmed",
       {"false"},
       set_flag(&C::unsafe)},
      {"records",
       text,
       "DIR",
       "folder of the game records (DATA/records)",
       {""},
       set_path(&C::records, true),
       R"("/srv/records")"},
      {"records-mode",
       text,
       "0600|0640|0644|0660|0664",
       "who may read the game records, whatever the umask says: the user of the server, his group, everybody; folders "
       "that are made accordingly",
       {"0600"},
       set_choice(&C::records_mode, record_modes())},
      {"web-root",
       text,
       "DIR",
       "pages to serve instead of those that are built in",
       {""},
       set_path(&C::web_root, true),
       R"("/srv/pages")"},
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
       set_analysis_engine,
       R"("fuhyo-nnue")"},
      {"analysis-options",
       list,
       "NAME=VALUE",
       "one of its USI options; may be repeated. Unless told otherwise: Threads=1, USI_Hash=64, USI_OwnBook=false",
       {},
       set_analysis_options,
       R"(["USI_Hash=128"])"},
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

// Who comes in by the web, and who is believed there.
std::vector<Setting> web_settings() {
  using enum Setting::Kind;
  return {
      {"csa-websocket",
       text,
       "off|on",
       "whether players connect by a WebSocket at `http` and `https`, too: from the pages and other programs in "
       "browsers",
       {"off"},
       set_choice(&ServeConfig::csa_websocket, {{"off", false}, {"on", true}})},
      {"web-proxy",
       list,
       "ADDRESS[/BITS]",
       "a web server in front of `http` that says with X-Forwarded-For and X-Forwarded-Proto who comes and how; may be "
       "repeated",
       {},
       set_networks(&ServeConfig::web_proxy),
       R"(["127.0.0.1", "::1"])"},
      {"web-host",
       list,
       "HOST[:PORT]",
       "a name by which this server is asked for on the web: in links the first one, for figures each; may be repeated",
       {},
       set_web_hosts,
       R"(["shogi.example"])"},
      {"metrics-networks",
       list,
       "ADDRESS[/BITS]",
       "who may read /metrics, the figures for Prometheus; may be repeated",
       {"127.0.0.0/8", "::1"},
       set_networks(&ServeConfig::metrics_networks),
       R"(["127.0.0.0/8", "10.0.0.0/24"])"},
  };
}

// How it is run: limits, the end.
std::vector<Setting> running_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  const Setter exempt = set_networks(&C::exempt);
  return {
      {"exempt",
       list,
       "ADDRESS[/BITS]",
       "spared by the limits per address; may be repeated",
       {},
       exempt,
       R"(["192.0.2.0/24"])"},
      {"proxy-protocol",
       list,
       "ADDRESS[/BITS]",
       "a proxy in front of the ports for players and workers whose connections begin with a PROXY header (version "
       "1 or 2) that says who comes; may be repeated",
       {},
       set_networks(&C::proxy_protocol),
       R"(["192.0.2.1"])"},
      {"operator",
       list,
       "LINE",
       "who may give %%ADMIN commands: 'name=NAME role=host|admin secret_hash=...'; see fuhyo admin operator add",
       {},
       set_operators,
       R"(["""name=aki role=host \
secret_hash=00000000000000000000000000000000:)"
       "0000000000000000000000000000000000000000000000000000000000000000\"\"\"]"},
      {"admin-networks",
       list,
       "ADDRESS[/BITS]",
       "where operators may give them from; may be repeated",
       {"127.0.0.0/8", "::1"},
       set_networks(&C::admin_networks)},
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
  };
}

// What it writes down.
std::vector<Setting> log_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  return {
      {"log-level",
       text,
       "LEVEL",
       "info, warning or error",
       {"info"},
       set_choice(&C::log_level, {"info", "warning", "error"})},
      {"log-format",
       text,
       "FORMAT",
       "auto, text or json; auto: text on a terminal, and for systemd's journal",
       {"auto"},
       set_choice(&C::log_format, {"auto", "text", "json"})},
      {"player-log-dir",
       text,
       "DIR",
       "logs each player as shogi-server does, lines IN: and OUT: (off)",
       {""},
       set_path(&C::player_logs, true),
       R"("/var/log/fuhyo/players")"},
      {"wire-log",
       text,
       "DIR",
       "logs what each player sends and is sent, a file a player (off)",
       {""},
       set_path(&C::wire_log, true),
       R"("/var/log/fuhyo/wire")"},
      {"wire-log-mib",
       number,
       "N",
       "size at which such a file is rotated, once",
       {"4"},
       set_number(&C::wire_log_mib, 1, 1024)},
  };
}

}  // namespace fuhyo::app
