// What `fuhyo serve` is told, and where it is told: a flag wins over an environment variable (FUHYO_MAX_MOVES), that
// over the configuration file (max-moves = 256 in TOML), that over the default. One table of settings serves all four.
#pragma once

#include <concepts>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/app/config/network_list.h"
#include "server/app/config/operators.h"
#include "server/app/config/workers.h"
#include "server/core/logins/accounts.h"
#include "server/core/monitors/spectator_delay.h"
#include "server/store/store.h"

namespace fuhyo::app {

enum class NodeRole : std::uint8_t { game, web, standby };
enum class EngineSandbox : std::uint8_t { off, on, required };  // required: or the server does not start

struct ServeConfig {
  std::vector<std::string> csa, http;       // "HOST:PORT"; http may be empty
  std::vector<std::string> csa_tls, https;  // the same under TLS; both may be empty
  bool csa_websocket = false;               // players come in by the web, too
  std::vector<std::string> worker_door;     // where workers come in, always under TLS; may be empty
  std::vector<WorkerPost> workers;          // who they are
  std::filesystem::path tls_cert, tls_key;  // PEM; both named where one of these lists is not empty
  std::filesystem::path data, records;      // records: empty means data/records
  std::string records_mode;                 // one of record_modes()
  core::Comments spectator_comments{};
  core::DelayRules spectator_delay;
  std::string commentator = "off";  // "off", "builtin", or the file of a persona
  std::filesystem::path web_root;   // of the pages; empty: those that are built in
  NodeRole role{};
  std::string store;    // see store::make_store(); empty means data/fuhyo.db
  bool unsafe = false;  // also with a database that loses what it has confirmed
  std::string event;
  std::string clock;  // "900-5F", of the game that the start names to players
  int max_moves = 0;
  int least_time_per_move_s = 0;
  int max_identifier = 32;
  std::string builtin;               // "off", "demo"
  bool ratings_from_file = false;    // else they are computed
  std::vector<std::string> engines;  // lines of host::parse_player_line(), valid
  EngineSandbox engine_sandbox{};
  int engine_threads = 0;                    // that may think at once; 0: by the machine
  std::vector<std::string> analysis_engine;  // a command; empty: games are not analysed
  std::vector<std::pair<std::string, std::string>> analysis_options;
  int analysis_nodes = 0, analysis_game_nodes = 0;  // about one position; about each one of a whole game
  std::vector<std::string> floodgate_games;         // game names whose games are paired in rounds
  NetworkList exempt;                               // that the limits per address spare
  NetworkList proxy_protocol;                       // whose connections to the CSA ports have its header
  NetworkList web_proxy;                            // whose X-Forwarded-For and -Proto are believed
  std::vector<std::string> web_hosts;               // by which the server is asked for on the web
  std::vector<Operator> operators;
  NetworkList metrics_networks;  // where /metrics is given to
  NetworkList admin_networks;    // where operators may give commands from
  core::AccountPolicy accounts{};
  std::vector<core::EntryRule> entry;
  std::vector<std::string> reserved_names;
  bool takeover = false;              // by a second login; else it is refused
  bool md5_trips = false;             // else keyed hashes
  std::filesystem::path wire_log;     // empty: none
  std::filesystem::path player_logs;  // the same as shogi-server writes it; empty: none
  int wire_log_mib = 0;
  core::ResumeRule resume{};
  bool times_as_played = false;  // else what is left
  int resume_window_s = 0, loss_grace_s = 0;
  bool reconnect_tokens = false;
  int drain_timeout_s = 0;
  int journal_days = 0, journal_rows = 0;  // how long facts stay in the journal
  std::string log_level, log_format;

  bool tls() const { return !csa_tls.empty() || !https.empty() || !worker_door.empty(); }
  std::string store_address() const { return store.empty() ? store::store_of_folder(data.string()) : store; }
  std::filesystem::path records_folder() const { return records.empty() ? data / "records" : records; }
};

// Takes the words of a setting (one, unless it is a list). The error says what is wrong with them.
struct Setter {
  using Apply = std::function<std::expected<void, std::string>(ServeConfig&, const std::vector<std::string>&)>;

  template <std::convertible_to<Apply> F>
  Setter(F function, std::string accepted = {}) : apply(std::move(function)), accepts(std::move(accepted)) {}

  Apply apply;
  std::string accepts;  // "from 0 to 4096": for the reader of the example; may be empty
};

// One setting: the flag --key, the variable FUHYO_KEY, the key of the file.
struct Setting {
  enum class Kind { text, number, flag, list };
  std::string_view key;
  Kind kind;
  std::string_view value_name;  // in --help; "a|b|c" where these are all there are
  std::string_view help;
  std::vector<std::string> initial;
  Setter set;
  std::string_view example = {};  // in TOML, for the example file, where the default shows nothing
  std::string_view section = {};
};
std::span<const Setting> settings();
std::string variable_name(std::string_view key);  // FUHYO_KEY

// What was said somewhere, by key.
using Words = std::map<std::string, std::vector<std::string>, std::less<>>;
using Variable = std::function<const char*(const char*)>;  // of the environment; null: not set

// A value and who said it ("--max-moves", "FUHYO_MAX_MOVES", "fuhyo.toml:3: max-moves", "default").
struct Said {
  std::vector<std::string> words;
  std::string origin;
  long line = 0;  // of the file; 0: it was said elsewhere
};

struct Resolved {
  ServeConfig config;
  std::map<std::string, Said, std::less<>> said;  // by key, every setting
};

// Everything that is wrong, a line each with the place where it stands: flags and variables first, then the file from
// its top. Where there is anything, `resolved` is of no use.
struct Checked {
  Resolved resolved;
  std::vector<std::string> problems;
};

// `file`: empty means none.
Checked check_config(const Words& flags, const Variable& variable, const std::filesystem::path& file);

// The same; the error is all that is wrong, in lines.
std::expected<Resolved, std::string> resolve_config(const Words& flags, const Variable& variable,
                                                    const std::filesystem::path& file);

}  // namespace fuhyo::app
