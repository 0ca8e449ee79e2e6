// `fuhyo serve` as an object: opens everything that one game node needs, runs it, and takes it down in order.
// The thread that calls run() is the core's thread.
#pragma once

#include <atomic>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/app/config.h"
#include "server/app/exempt.h"
#include "server/app/log.h"
#include "server/app/loop_watch.h"
#include "server/app/node.h"
#include "server/app/wire_log.h"
#include "server/host/builtin_host.h"
#include "server/net/csa_listener.h"
#include "server/net/http_server.h"
#include "server/store/records_folder.h"
#include "server/store/sqlite_journal.h"

namespace fuhyo::app {

struct StartError {
  int exit_code = 0;  // see commands.h
  std::string text;
};

class GameServer {
 public:
  GameServer(ServeConfig config, Log& log);
  ~GameServer();
  GameServer(const GameServer&) = delete;
  GameServer& operator=(const GameServer&) = delete;

  // Opens store, records and listeners and seats the built-in players. Nobody is served before run().
  std::expected<void, StartError> open();
  const std::vector<std::string>& csa_addresses() const { return csa_addresses_; }
  const std::vector<std::string>& http_addresses() const { return http_addresses_; }

  // Serves until SIGTERM or SIGINT and the end of the games (or the drain time-out, or a second signal). Returns the
  // exit code.
  int run();

 private:
  std::expected<void, StartError> make_folders();
  std::expected<void, StartError> open_store(core::Recovery& recovered);
  std::expected<void, StartError> open_listeners(const core::Recovery& recovered);
  void open_wire_log();
  void seat_builtin_players();
  Node::Hooks node_hooks();
  core::Rules rules();
  void pulse();  // now and then
  void wait_for_signal();
  void drain();
  void hang_up();  // everything is said: ends the connections
  void stop_when_quiet(int tries);
  int close_down();

  const ServeConfig config_;
  const core::Limits limits_;
  Log& log_;
  ExemptList exempt_;
  boost::asio::io_context io_{1};
  boost::asio::signal_set signals_;
  boost::asio::steady_timer shutdown_timer_;
  std::unique_ptr<WireLog> wire_log_;
  std::unique_ptr<Node> node_;
  LoopWatch watch_;

  // Followers of the journal, and then the journal: it is closed first, so that none of them misses its last steps.
  std::unique_ptr<net::HttpServer> http_;
  std::unique_ptr<store::JournalReader> reader_;
  std::unique_ptr<store::RecordsFolder> records_;
  std::unique_ptr<store::SqliteJournal> journal_;

  std::unique_ptr<net::CsaListener> csa_;
  std::unique_ptr<host::BuiltinHost> builtin_;
  std::vector<std::string> csa_addresses_, http_addresses_;
  bool draining_ = false, hanging_up_ = false;
};

}  // namespace fuhyo::app
