// `fuhyo serve --role web`: the web page and the event stream of a game node that runs elsewhere. It follows the
// journal in the store and has no connection to the game node; it only reads, and shows what is durable. Any number of
// them may run. `--role standby` is one, too, until no game node writes the store. The thread that calls run() waits
// for signals; another one follows the journal.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/app/admin/socket.h"
#include "server/app/config/config.h"
#include "server/app/config/network_list.h"
#include "server/app/serve/listeners.h"
#include "server/app/serve/log.h"
#include "server/app/serve/start_error.h"
#include "server/app/serve/takeover_wait.h"
#include "server/store/store.h"

namespace fuhyo::app {

class WebNode {
 public:
  // With a `watch` it is a standby, which must have the store's key, unless `accept_key`.
  WebNode(ServeConfig config, Log& log, std::unique_ptr<store::WriterWatch> watch = {}, bool accept_key = false);
  ~WebNode();
  WebNode(const WebNode&) = delete;
  WebNode& operator=(const WebNode&) = delete;

  // Reads how the games stand and binds the addresses. The store must have been set up by a game node.
  Started open();
  const std::vector<Listeners::Bound>& bound() const { return listeners_.bound(); }
  // Serves until SIGTERM or SIGINT, and a standby until it may take over; SIGHUP loads the TLS certificate again.
  // Returns the exit code.
  int run();
  bool may_take_over() const { return vacant_; }  // after run()

 private:
  Started open_web(net::HttpOptions options, const core::Recovery& stands);
  void wait_for_signal();
  void open_spare_socket();  // of a standby: who gives it commands hears what it is
  void reload_certificate();
  void look_at_certificate();  // now and then
  void follow();
  bool is_vacant();  // by a look now and then
  void look();       // everything anew
  void catch_up();
  void report(const std::string& fault);  // once, until it works again

  const ServeConfig config_;
  Log& log_;
  const bool accept_key_;
  boost::asio::io_context io_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer certificate_timer_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<store::JournalReader> reader_;
  std::unique_ptr<store::WriterWatch> watch_;  // the follower's, once it runs, as is what follows
  TakeoverWait takeover_wait_;
  TakeoverWait::Time looked_;
  Listeners listeners_;
  std::unique_ptr<AdminSocket> admin_;  // null: this is no standby
  core::Seq seen_{};                    // the follower's, once it runs
  bool away_ = false;                   // likewise
  std::atomic<bool> ends_{false}, vacant_{false};
  std::thread follower_;
};

}  // namespace fuhyo::app
