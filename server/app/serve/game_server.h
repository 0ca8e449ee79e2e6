// `fuhyo serve` as an object: opens everything that one game node needs, runs it, and takes it down in order.
// The thread that calls run() is the core's thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/app/admin/socket.h"
#include "server/app/config/config.h"
#include "server/app/serve/builtin_players.h"
#include "server/app/serve/data_files.h"
#include "server/app/serve/listeners.h"
#include "server/app/serve/live_config.h"
#include "server/app/serve/log.h"
#include "server/app/serve/login_service.h"
#include "server/app/serve/loop_watch.h"
#include "server/app/serve/move_delays.h"
#include "server/app/serve/node.h"
#include "server/app/serve/reporter.h"
#include "server/app/serve/shutdown.h"
#include "server/app/serve/start_error.h"
#include "server/app/serve/storage.h"

namespace fuhyo::app {

class GameServer {
 public:
  GameServer(Resolved resolved, Log& log, LiveConfig::Reread reread);
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
  Started open_ports(const core::Recovery& recovered);
  // administration.cpp: what operators ask of the shell
  void open_admin_socket();
  void host_request(const core::HostRequest& request);
  core::AdminResult reload();
  core::AdminResult store_counters();

  Node::Hooks node_hooks();
  void ask_commentator(core::ChatAsked asked);
  void pulse();  // now and then
  void wait_for_signal();
  bool is_draining() const;
  void drain();
  Shutdown::Hooks shutdown_hooks();
  int close_down();

  LiveConfig live_config_;
  const ServeConfig& config_;  // of it
  const core::Limits limits_;
  Log& log_;
  boost::asio::io_context io_{1};
  boost::asio::signal_set signals_;
  boost::asio::steady_timer shutdown_timer_;
  const std::shared_ptr<MoveDelays> delays_;
  Storage storage_;
  Node node_;
  LoopWatch watch_;

  Listeners listeners_;
  std::shared_ptr<core::Commentator> commentator_;  // null: there is none
  BuiltinPlayers builtin_;
  LoginService logins_;
  Reporter reporter_;
  std::unique_ptr<AdminSocket> admin_;
  DataFiles files_;
  Shutdown shutdown_;
};

}  // namespace fuhyo::app
