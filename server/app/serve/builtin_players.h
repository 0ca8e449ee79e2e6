// Players whose engines this server runs, or other machines run for it. On the core's thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "server/app/config/config.h"
#include "server/app/serve/listeners.h"
#include "server/app/serve/log.h"
#include "server/app/serve/metrics.h"
#include "server/app/serve/node.h"
#include "server/app/serve/start_error.h"
#include "server/app/serve/worker_listener.h"
#include "server/host/builtin_host.h"
#include "server/net/rooms_json.h"

namespace fuhyo::app {

class BuiltinPlayers {
 public:
  // `config` may change while it runs; change_workers() says that its workers have.
  BuiltinPlayers(const ServeConfig& config, Node& node, boost::asio::io_context& io, Log& log);

  // Binds where workers connect; nobody is heard before start().
  Started listen(Listeners& listeners);
  // The players of the configuration and those that operators have seated. `secret`: with which all of them log in.
  void seat_all(std::string secret);
  // Warns of games that wait for a built-in player whom nobody brings.
  void look_for_missing(const core::Recovery& recovered);
  void start();
  // The players leave, and then the workers. Nothing else is asked of it afterwards.
  void close();

  // What operators ask.
  core::AdminResult engines() const;
  core::AdminResult seat(const std::string& line);
  core::AdminResult unseat(const std::string& name);
  core::AdminResult workers() const;
  core::AdminResult drop_worker(std::string_view rest);

  void change_workers();
  void use(std::shared_ptr<const net::TlsPair> certificate);  // for workers that connect from now on
  // No game of the demonstration begins while others run.
  bool has_demonstration() const { return demo_ != nullptr; }
  void set_real_games(std::size_t count);
  void count(GameFigures& figures) const;             // seats, engines and workers
  std::vector<net::ServingEngine> serving() const;    // of the main room, by name
  std::uint64_t changes() const { return changes_; }  // of who is seated, since the start

 private:
  struct Seated {
    host::BuiltinPlayer player;
    std::unique_ptr<host::BuiltinHost> host;
    std::string worker{};  // on whose machine its engine runs; empty: on this one
    host::WorkerOffer offer{};
    std::string line{};  // by which `seat` brought it; empty: the configuration or a worker did
  };

  void seat_demonstration();
  void seat_engine(const std::string& line);
  void seat_player(host::BuiltinPlayer player, std::string line);
  void seat_again();  // whom `seat` brought before the restart
  void keep_seated();
  host::BuiltinHost::Hooks hooks();
  void log(bool warning, const std::string& text);

  // worker_players.cpp: of other machines
  host::WorkerServer::Rules worker_rules() const;
  void take_offers(const host::WorkerServer::Offered& offered);
  std::string seat_offer(const WorkerPost& post, const host::WorkerOffer& offer,
                         const std::shared_ptr<host::CpuScheduler>& seats);
  void unseat_of_worker(const std::string& worker, const std::function<bool(const Seated&)>& if_so);

  const ServeConfig& config_;
  Node& node_;
  boost::asio::io_context& io_;
  Log& log_;
  std::string secret_;
  // Players end before the connections of their workers.
  std::unique_ptr<WorkerListener> worker_listener_;                          // null: no workers
  std::map<std::string, std::shared_ptr<host::CpuScheduler>> worker_seats_;  // by worker
  std::shared_ptr<host::CpuScheduler> seats_;                                // of this machine
  std::unique_ptr<host::BuiltinHost> demo_;
  std::map<std::string, Seated> engines_;  // by name
  std::uint64_t changes_ = 0;
  std::map<std::string, std::string> missing_;  // whom games wait for since the start, and the game; none brings them
};

}  // namespace fuhyo::app
