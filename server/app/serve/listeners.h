// The ports of a node, the certificate that those under TLS show, and the connections of players. On the thread that
// runs `io`.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "server/app/config/config.h"
#include "server/app/serve/log.h"
#include "server/app/serve/start_error.h"
#include "server/app/serve/tls_keeper.h"
#include "server/net/csa_listener.h"
#include "server/net/http_server.h"
#include "server/net/tls_listener.h"

namespace fuhyo::app {

class Listeners {
 public:
  struct Bound {
    std::string_view port;  // "csa-tls"
    std::string address;    // "HOST:PORT", as it is
  };
  using Listen = std::function<std::expected<std::vector<std::string>, std::string>(std::string_view address)>;

  // All of them outlive it, and so does `players`, who gets what players send; null: none can come here.
  Listeners(const ServeConfig& config, Log& log, boost::asio::io_context& io, core::InputSink* players = nullptr);

  // Whether the certificate is good and every address of the configuration is free. Keeps the certificate alone.
  Started check();
  Started load_certificate();
  Started open_players();  // CSA, also under TLS
  // HTTP and HTTPS, and players by WebSockets. The caller starts it.
  Started open_web(net::HttpOptions options, const core::Recovery& recovered);
  // Listens on each address by `listen`, which returns what it has bound.
  Started bind(std::string_view port, const std::vector<std::string>& addresses, const Listen& listen);
  const std::vector<Bound>& bound() const { return bound_; }  // in the order of bind()
  void start();                                               // players under TLS

  net::HttpServer* web() { return http_.get(); }  // null: not opened
  void close_web() {
    csa_web_ = nullptr;
    http_.reset();
  }
  TlsKeeper& certificate() { return certificate_; }
  const TlsKeeper& certificate() const { return certificate_; }
  // From the files that the configuration names now, for handshakes to come; an error changes nothing.
  std::expected<void, std::string> reload_certificate();

  void stop_accepting();                 // players
  void close_all(std::string_view why);  // connections of players, once their output is written
  std::size_t open_connections() const;  // of players; those that are being closed included

 private:
  Started open_tls_players();
  std::vector<std::string> addresses(std::string_view port) const;
  std::function<void(std::function<void()>)> post();

  const ServeConfig& config_;
  Log& log_;
  boost::asio::io_context& io_;
  core::InputSink* const players_;
  const core::Limits limits_;
  TlsKeeper certificate_;
  std::unique_ptr<net::HttpServer> http_;
  std::unique_ptr<net::CsaListener> csa_;
  std::unique_ptr<net::TlsListener> csa_tls_;
  net::CsaCrossing* csa_web_ = nullptr;  // of http_
  std::vector<Bound> bound_;
};

}  // namespace fuhyo::app
