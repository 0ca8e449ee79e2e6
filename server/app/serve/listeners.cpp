#include "server/app/serve/listeners.h"

#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>

#include "server/app/commands.h"
#include "server/net/endpoint.h"

namespace fuhyo::app {

Listeners::Listeners(const ServeConfig& config, Log& log, boost::asio::io_context& io, core::InputSink* players)
    : config_(config), log_(log), io_(io), players_(players), certificate_(log) {}

Started Listeners::load_certificate() {
  const auto loaded = certificate_.load(config_.tls_cert, config_.tls_key);
  return loaded ? Started() : start_failed(kExitUsage, loaded.error());
}

Started Listeners::check() {
  if (config_.tls()) {
    if (auto loaded = load_certificate(); !loaded) return loaded;
  }
  std::vector<boost::asio::ip::tcp::acceptor> bound;  // two of them may want the same
  for (const auto* listed : {&config_.csa, &config_.csa_tls, &config_.http, &config_.https, &config_.worker_door}) {
    for (const std::string& address : *listed) {
      const auto endpoints = net::resolve(address);
      if (!endpoints) return start_failed(kExitUnavailable, endpoints.error());
      for (const auto& endpoint : *endpoints) {
        auto socket = net::listen(io_, endpoint);
        if (!socket) return start_failed(kExitUnavailable, socket.error());
        bound.push_back(std::move(*socket));
      }
    }
  }
  return {};
}

Started Listeners::bind(std::string_view port, const std::vector<std::string>& addresses, const Listen& listen) {
  for (const std::string& address : addresses) {
    auto bound = listen(address);
    if (!bound) return start_failed(kExitUnavailable, bound.error());
    for (std::string& each : *bound) bound_.push_back({port, std::move(each)});
  }
  return {};
}

Started Listeners::open_players() {
  csa_ = std::make_unique<net::CsaListener>(io_, *players_, limits_, "main", log_.warner());
  csa_->expect_proxy_header(is_listed_in(config_.proxy_protocol));
  const auto listen = [this](std::string_view address) { return csa_->listen(address); };
  if (auto bound = bind("csa", config_.csa, listen); !bound || config_.csa_tls.empty()) return bound;
  return open_tls_players();
}

Started Listeners::open_tls_players() {
  csa_tls_ = std::make_unique<net::TlsListener>(*players_, limits_, "main", certificate_.pair(),
                                                net::TlsListener::Hooks{.post_to_core = post(), .warn = log_.warner()});
  csa_tls_->expect_proxy_header(is_listed_in(config_.proxy_protocol));
  return bind("csa-tls", config_.csa_tls, [this](std::string_view address) { return csa_tls_->listen(address); });
}

Started Listeners::open_web(net::HttpOptions options, const core::Recovery& recovered) {
  options.exempt = is_listed_in(config_.exempt);  // a copy: the HTTP thread asks it
  options.warn = log_.warner();
  if (players_ != nullptr) {
    options.endpoints = {.csa = addresses("csa"),
                         .csa_tls = addresses("csa-tls"),
                         .websocket = config_.csa_websocket,
                         .engines = std::vector<net::ServingEngine>()};
  }
  http_ = std::make_unique<net::HttpServer>(std::move(options), recovered);
  auto bound = bind("http", config_.http, [this](std::string_view address) { return http_->listen(address); });
  if (!bound) return bound;
  http_->use(certificate_.pair());
  bound = bind("https", config_.https, [this](std::string_view address) { return http_->listen_tls(address); });
  if (bound && players_ != nullptr && config_.csa_websocket) {
    csa_web_ = &http_->take_players(*players_, limits_, "main", post());
  }
  return bound;
}

void Listeners::start() {
  if (csa_tls_) csa_tls_->start();
}

std::expected<void, std::string> Listeners::reload_certificate() {
  if (auto loaded = certificate_.load(config_.tls_cert, config_.tls_key); !loaded) return loaded;
  if (csa_tls_) csa_tls_->use(certificate_.pair());
  if (http_) http_->use(certificate_.pair());
  return {};
}

void Listeners::stop_accepting() {
  csa_->stop_accepting();
  if (csa_tls_) csa_tls_->stop_accepting();
}

void Listeners::close_all(std::string_view why) {
  csa_->close_all(why);
  if (csa_tls_) csa_tls_->close_all(why);
  if (csa_web_ != nullptr) csa_web_->close_all(why);
}

std::size_t Listeners::open_connections() const {
  return csa_->connections() + (csa_tls_ ? csa_tls_->connections() : 0) +
         (csa_web_ != nullptr ? csa_web_->connections() : 0);
}

std::vector<std::string> Listeners::addresses(std::string_view port) const {
  std::vector<std::string> addresses;
  for (const Bound& each : bound_) {
    if (each.port == port) addresses.push_back(each.address);
  }
  return addresses;
}

std::function<void(std::function<void()>)> Listeners::post() {
  return [this](std::function<void()> work) { boost::asio::post(io_, std::move(work)); };
}

}  // namespace fuhyo::app
