// `fuhyo serve --role web`: the web page and the event stream of a game node that runs elsewhere. It follows the
// journal in the store and has no connection to the game node; it only reads, and shows what is durable. Any number of
// them may run. The thread that calls run() waits for signals; another one follows the journal.
#pragma once

#include <atomic>
#include <expected>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include "server/app/config/config.h"
#include "server/app/config/exempt.h"
#include "server/app/serve/log.h"
#include "server/app/serve/start_error.h"
#include "server/net/http_server.h"
#include "server/store/store.h"

namespace fuhyo::app {

class WebNode {
 public:
  WebNode(ServeConfig config, Log& log);
  ~WebNode();
  WebNode(const WebNode&) = delete;
  WebNode& operator=(const WebNode&) = delete;

  // Reads how the games stand and binds the addresses. The store must have been set up by a game node.
  std::expected<void, StartError> open();
  const std::vector<std::string>& http_addresses() const { return http_addresses_; }
  // Serves until SIGTERM or SIGINT. Returns the exit code.
  int run();

 private:
  void follow();
  void look();  // everything anew
  void catch_up();
  void report(const std::string& fault);  // once, until it works again

  const ServeConfig config_;
  Log& log_;
  const ExemptList exempt_;
  boost::asio::io_context io_;
  boost::asio::signal_set signals_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<store::JournalReader> reader_;
  std::unique_ptr<net::HttpServer> http_;
  std::vector<std::string> http_addresses_;
  core::Seq seen_{};   // the follower's, once it runs
  bool away_ = false;  // likewise
  std::atomic<bool> ends_{false};
  std::thread follower_;
};

}  // namespace fuhyo::app
