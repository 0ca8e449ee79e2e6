#include "server/app/join/server_wire.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <boost/asio/connect.hpp>

namespace fuhyo::app {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

// What is given up at the end of the time for connecting is cancelled.
std::string why(error_code error) { return error == asio::error::operation_aborted ? "no answer" : error.message(); }

}  // namespace

ServerWire::ServerWire(asio::io_context& io, const JoinOptions& options, const Limits& limits, Events events)
    : options_(options),
      limits_(limits),
      events_(std::move(events)),
      resolver_(io),
      stream_(io, options),
      timer_(io),
      framer_(limits.line),
      delay_(limits.first_delay) {}

// ---- connecting ----

void ServerWire::connect() {
  closing_ = late_ = heard_ = false;
  stream_.renew();
  framer_ = csa::LineFramer(limits_.line);
  unsent_.clear();
  timer_.expires_after(limits_.connect);
  timer_.async_wait([this](error_code cancelled) {
    if (cancelled || online_) return;
    late_ = true;  // for a step that is done already, and has not yet been heard of
    resolver_.cancel();
    stream_.close();
  });
  resolver_.async_resolve(options_.host, options_.port,
                          [this](error_code error, const auto& endpoints) { on_resolved(error, endpoints); });
}

void ServerWire::on_resolved(error_code error, const tcp::resolver::results_type& endpoints) {
  if (stopped_) return;
  if (late_) error = asio::error::operation_aborted;
  if (error) return drop(fmt::format("cannot find {}: {}", options_.host, why(error)));
  asio::async_connect(stream_.socket(), endpoints,
                      [this](error_code failed, const tcp::endpoint&) { on_connected(failed); });
}

void ServerWire::on_connected(error_code error) {
  if (stopped_) return;
  if (late_) error = asio::error::operation_aborted;
  if (error) return drop(fmt::format("cannot connect to {}:{}: {}", options_.host, options_.port, why(error)));
  error_code ignored;
  stream_.socket().set_option(tcp::no_delay(true), ignored);
  stream_.socket().set_option(asio::socket_base::keep_alive(true), ignored);
  stream_.greet([this](const std::string& why_not) { on_greeted(why_not); });
}

void ServerWire::on_greeted(const std::string& why_not) {
  if (stopped_) return;
  if (!why_not.empty() || late_) return drop(why_not.empty() ? "the server did not greet in time" : why_not);
  timer_.cancel();
  online_ = true;
  read();
  events_.connected();
}

void ServerWire::connect_in(std::chrono::milliseconds delay) {
  timer_.expires_after(delay);
  timer_.async_wait([this](error_code cancelled) {
    if (cancelled || stopped_) return;
    if (sending()) return connect_in(std::chrono::milliseconds(100));
    connect();
  });
}

std::chrono::milliseconds ServerWire::connect_again() {
  connect_in(delay_);
  return std::exchange(delay_, std::min(delay_ * 2, limits_.longest_delay));
}

// ---- lines ----

void ServerWire::read() {
  stream_.read_some(asio::buffer(buffer_), [this](error_code error, std::size_t count) {
    if (!online_ || error == asio::error::operation_aborted) return;
    if (error) return drop(why_lost(error));
    constexpr std::string_view kTlsAlert = "\x15\x03";
    const bool alert = !std::exchange(heard_, true) && std::string_view(buffer_.data(), count).starts_with(kTlsAlert);
    if (alert && !options_.tls) return drop("the server speaks TLS here: use --tls");
    framer_.feed({buffer_.data(), count}, [this](std::string_view line, bool) { events_.line(line); });
    if (framer_.overlong()) return drop("the server sent a line that does not end");
    events_.read();
    if (online_) read();
  });
}

std::string ServerWire::why_lost(const error_code& error) const {
  const std::string why = error == asio::error::eof ? "the server closed the line" : error.message();
  return heard_ || options_.tls ? why : why + ", and the server said nothing: if it speaks TLS here, use --tls";
}

void ServerWire::write(std::string_view line) {
  if (!online_) return;
  unsent_ += line;
  unsent_ += '\n';
  if (unsent_.size() > limits_.unsent) return drop("the server does not read");
  if (!sending()) send_queued();
}

void ServerWire::send_queued() {
  sending_.swap(unsent_);
  stream_.write(asio::buffer(sending_), [this](error_code error, std::size_t) {
    sending_.clear();
    if (!error && !unsent_.empty()) return send_queued();
    if (closing_) stream_.close();  // of errors the reader tells
    if (!stopped_) events_.sent();
  });
}

// ---- ends ----

void ServerWire::hang_up() {
  online_ = false;
  closing_ = true;
  if (!sending()) stream_.close();
}

void ServerWire::drop(const std::string& why) {
  const bool was_online = std::exchange(online_, false);
  stream_.close();
  timer_.cancel();
  if (!stopped_) events_.lost(why, was_online);
}

void ServerWire::stop() {
  stopped_ = true;
  online_ = false;
  stream_.close();
  resolver_.cancel();
  timer_.cancel();
}

}  // namespace fuhyo::app
