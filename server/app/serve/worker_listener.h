// The connections of workers: lines under TLS, on a thread of their own, so that workers take no time from the core's
// thread. Their lines go to the pool of workers, and its lines go back. The functions belong to the thread that made
// it.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/core/transport.h"
#include "server/host/worker_pool.h"
#include "server/net/csa_listener.h"
#include "server/net/tls_pair.h"

namespace fuhyo::app {

class WorkerListener final : private core::InputSink {
 public:
  struct Hooks {  // all called on any thread: they post
    std::function<void(host::WorkerServer::Offered)> offered;
    std::function<void(host::WorkerServer::Present)> present;
    std::function<void(bool warning, const std::string& text)> log;
  };

  // `first`: as WorkerServer.
  WorkerListener(std::shared_ptr<const net::TlsPair> pair, std::uint64_t first, const Hooks& hooks);
  // Ends the connections at once. The pool may outlive it, and then says nothing to anybody.
  ~WorkerListener() override;
  WorkerListener(const WorkerListener&) = delete;
  WorkerListener& operator=(const WorkerListener&) = delete;

  // Before start(): binds every address of "HOST:PORT" (port 0: a free one) and returns them as they are.
  std::expected<std::vector<std::string>, std::string> listen(std::string_view address) {
    return listener_.listen(address);
  }
  // Before listen(), as net::CsaListener's.
  void expect_proxy_header(std::function<bool(std::string_view address)> from) {
    listener_.expect_proxy_header(std::move(from));
  }
  void start();
  // For handshakes to come.
  void use(std::shared_ptr<const net::TlsPair> pair);
  host::WorkerPool& pool() { return *pool_; }

 private:
  core::ConnId open(core::Transport& transport, core::ConnectionKind kind, std::string room, std::string peer,
                    bool secure) override;
  void deliver(core::Input input) override;
  core::Instant now() const override;
  void tick_later();

  boost::asio::io_context io_{1};
  boost::asio::steady_timer timer_;
  std::uint64_t last_conn_ = 0;
  const std::shared_ptr<host::WorkerPool> pool_;
  net::CsaListener listener_;
  std::thread thread_;
};

}  // namespace fuhyo::app
