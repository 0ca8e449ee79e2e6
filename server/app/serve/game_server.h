// `fuhyo serve` as an object: opens everything that one game node needs, runs it, and takes it down in order.
// The thread that calls run() is the core's thread.
#pragma once

#include <atomic>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include "server/app/admin/socket.h"
#include "server/app/config/config.h"
#include "server/app/serve/builtin_players.h"
#include "server/app/serve/listeners.h"
#include "server/app/serve/log.h"
#include "server/app/serve/loop_watch.h"
#include "server/app/serve/metrics.h"
#include "server/app/serve/move_delays.h"
#include "server/app/serve/node.h"
#include "server/app/serve/position_service.h"
#include "server/app/serve/rating_service.h"
#include "server/app/serve/room_files.h"
#include "server/app/serve/round_files.h"
#include "server/app/serve/shutdown.h"
#include "server/app/serve/start_error.h"
#include "server/secrets/password_hasher.h"
#include "server/store/records/folder.h"
#include "server/store/store.h"

namespace fuhyo::app {

class GameServer {
 public:
  using Reread = std::function<std::expected<Resolved, std::string>()>;

  // `reread` resolves the configuration again, from the same flags, variables and file.
  GameServer(Resolved resolved, Log& log, Reread reread);
  ~GameServer();
  GameServer(const GameServer&) = delete;
  GameServer& operator=(const GameServer&) = delete;

  // Opens store, records and listeners and seats the built-in players. Nobody is served before run(). `accept_key`: the
  // store goes on with the key that is there, or a new one, whatever it was used with.
  Started open(bool accept_key);
  const std::vector<Listeners::Bound>& bound() const { return listeners_.bound(); }

  // Serves until SIGTERM or SIGINT and the end of the games (or the drain time-out, or a second signal). SIGHUP reads
  // the configuration again. Returns the exit code.
  int run();

 private:
  Started open_all(bool accept_key);
  void note_missing(const std::filesystem::path& path);
  void take_back();
  Started make_folders();
  store::JournalLimits journal_limits() const;
  Started open_store(core::Recovery& recovered);
  Started open_ports(const core::Recovery& recovered);
  Started open_secrets(const core::Recovery& recovered, bool accept_key);
  Started open_services();  // what is made of finished games, behind them
  Started look_at_sandbox();
  void look_for_stop_file();

  // round_keeping.cpp: floodgate groups and sets of positions
  void open_round_groups();
  void reread_round_group(const std::string& game_name);
  // What is wrong with the file.
  std::vector<std::string> take_round_group(const std::string& game_name, std::expected<GroupFile, std::string> file);
  core::floodgate::GroupSettings round_defaults() const;
  void load_positions(const core::HostRequest& request);
  void announce_event(const core::HostRequest& request);
  void take_event_text(const core::HostRequest& request);
  std::vector<std::string> take_room_files();  // reads them; what is wrong with them

  // web_login.cpp: people on the web
  net::WebOptions web_options();
  void choose_password(net::NewPassword chosen);
  void list_web_logins(const core::HostRequest& request);
  core::AdminResult log_out(const std::string& name);
  void end_web_sessions_of_former(const std::vector<Operator>& former);

  // administration.cpp: what operators ask of the shell
  void open_admin_socket();
  void host_request(const core::HostRequest& request);
  void ask_of_files(const core::HostRequest& request);
  core::AdminResult reload();
  std::vector<std::string> reread_files();  // of groups and rooms; what is wrong with them
  std::expected<void, std::string> reload_certificate();
  void count_certificate();  // for `counters`
  void count_delays();       // likewise
  void show_metrics();       // for /metrics, once a second
  GameFigures metrics() const;
  core::AdminResult store_counters() const;
  void load_accounts(const core::HostRequest& request);
  void check_password(core::CheckPassword check);

  Node::Hooks node_hooks();
  core::Rules rules();
  void pulse();  // now and then
  void show_lobby();
  void wait_for_signal();
  bool is_draining() const;
  void drain();
  Shutdown::Hooks shutdown_hooks();
  int close_down();

  ServeConfig config_;                             // reload() changes what can change
  std::map<std::string, Said, std::less<>> said_;  // in force, by key
  const Reread reread_;
  const core::Limits limits_;
  Log& log_;
  boost::asio::io_context io_{1};
  boost::asio::signal_set signals_;
  boost::asio::steady_timer shutdown_timer_;
  const std::shared_ptr<MoveDelays> delays_;
  const std::shared_ptr<MetricsBoard> board_ = std::make_shared<MetricsBoard>();
  Node node_;
  LoopWatch watch_;

  std::vector<std::filesystem::path> made_;  // by this start: taken away again where it is refused
  std::unique_ptr<store::Store> store_;
  // Followers of the journal, and then the journal: it is closed first, so that none of them misses its last
  // transactions.
  std::unique_ptr<store::JournalReader> reader_;
  std::unique_ptr<store::RecordsFolder> records_;
  std::unique_ptr<RatingService> ratings_;
  std::unique_ptr<PositionService> positions_;
  std::unique_ptr<store::QueuedJournal> journal_;

  Listeners listeners_;
  std::unique_ptr<BuiltinPlayers> builtin_;
  secrets::PasswordHasher hasher_;
  std::unique_ptr<AdminSocket> admin_;
  boost::asio::thread_pool files_{1};                               // reads what operators ask for
  std::map<std::string, std::vector<std::string>> round_warnings_;  // said of each group's file
  std::string reconnect_secret_;                                    // empty: no tokens are told
  std::string secret_;                                              // the key of all other secrets
  std::optional<std::uint64_t> shown_lobby_;                        // as Server::lobby_changes()
  std::vector<net::ServingEngine> shown_engines_;                   // on the pages
  std::uint64_t counted_moves_ = 0;                                 // when `counters` was told of delays
  core::Instant counted_delays_{};                                  // likewise
  core::Instant shown_metrics_{};                                   // when they were last
  std::uint64_t stalls_ = 0;                                        // of the event loop
  bool stop_file_ = false;
  Shutdown shutdown_;
};

}  // namespace fuhyo::app
