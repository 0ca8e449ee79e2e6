#include "server/app/join/worker_session.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include "engines/usi/process.h"
#include "server/app/commands.h"
#include "server/app/join/server_stream.h"
#include "server/app/join/speed.h"
#include "server/csa/line_framer.h"
#include "server/host/worker_desk.h"
#include "server/host/worker_hand.h"

namespace fuhyo::app {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using host::WorkerHand;

// A server that has not taken this much is not there any more.
constexpr std::size_t kUnsentToServer = std::size_t{8} << 20;
constexpr std::int64_t kSoonAgain_ms = 1'000, kLateAgain_ms = 15'000;  // well within the lease
constexpr auto kConnectWithin = std::chrono::seconds(10);
constexpr auto kLookEvery = std::chrono::milliseconds(250);

core::Instant steady_now() {
  using namespace std::chrono;
  return {duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count()};
}

void tell(const std::string& text) {
  const auto second = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  fmt::print(stderr, "{:%H:%M:%S} {}\n", fmt::localtime(std::chrono::system_clock::to_time_t(second)), text);
}

// Of no other process.
std::string new_session() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

class WorkerSession {
 public:
  explicit WorkerSession(WorkerOptions options)
      : options_(std::move(options)),
        hand_({.name = options_.name,
               .token = options_.token,
               .session = new_session(),
               .threads = options_.threads,
               .offers = options_.offers}),
        resolver_(io_),
        stream_(io_, options_.server),
        tick_timer_(io_),
        connect_timer_(io_),
        signals_(io_, SIGINT, SIGTERM) {}

  int run() {
    if (const auto fine = stream_.set_up(); !fine) {
      tell("error: " + fine.error());
      return kExitNoInput;
    }
    signals_.async_wait([this](error_code cancelled, int) {
      if (!cancelled) leave();
    });
    tick_later();
    connect();
    io_.run();
    return exit_code_;
  }

 private:
  using Seat = WorkerHand::Seat;

  void connect();
  void on_resolved(error_code error, const tcp::resolver::results_type& endpoints);
  void on_connected(error_code error);
  void on_greeted(const std::string& why_not);
  void read();
  void write(const std::string& line);
  void send_queued();
  void lost(const std::string& why);
  void connect_later(std::chrono::milliseconds delay);
  void leave();
  void tick_later();
  void stop(int exit_code);

  void after_event();
  void on(WorkerHand::Send& o) { write(o.line); }
  void on(WorkerHand::Hangup& o) { lost(o.why); }
  void on(WorkerHand::Refused& o);
  void on(WorkerHand::Start& o);
  void on(WorkerHand::ToEngine& o);
  void on(WorkerHand::End& o);
  void trace(const char* arrow, std::string_view line) const {
    // The first line has the token.
    if (options_.verbose) tell(fmt::format("{} {}", arrow, line.starts_with("worker ") ? "worker ..." : line));
  }

  const WorkerOptions options_;
  asio::io_context io_{1};
  WorkerHand hand_;
  tcp::resolver resolver_;
  ServerStream stream_;
  asio::steady_timer tick_timer_, connect_timer_;
  asio::signal_set signals_;
  std::map<Seat, std::unique_ptr<usi::ChildProcess>> engines_;

  csa::LineFramer framer_{host::WorkerLimits{}.line};
  std::array<char, 16 * 1024> buffer_{};
  std::string unsent_, sending_;
  bool online_ = false, closing_ = false, over_ = false, welcomed_ = false, ever_welcomed_ = false;
  std::int64_t delay_ms_ = kSoonAgain_ms;
  int exit_code_ = kExitOk;
};

// ---- the server ----

void WorkerSession::connect() {
  stream_.renew();
  framer_ = csa::LineFramer(host::WorkerLimits{}.line);
  unsent_.clear();
  connect_timer_.expires_after(kConnectWithin);
  connect_timer_.async_wait([this](error_code cancelled) {
    if (cancelled || online_) return;
    resolver_.cancel();
    stream_.close();
  });
  resolver_.async_resolve(options_.server.host, options_.server.port,
                          [this](error_code error, const auto& endpoints) { on_resolved(error, endpoints); });
}

void WorkerSession::on_resolved(error_code error, const tcp::resolver::results_type& endpoints) {
  if (over_) return;
  if (error) return lost(fmt::format("cannot find {}: {}", options_.server.host, error.message()));
  asio::async_connect(stream_.socket(), endpoints,
                      [this](error_code failed, const tcp::endpoint&) { on_connected(failed); });
}

void WorkerSession::on_connected(error_code error) {
  if (over_) return;
  if (error) {
    const std::string why = error == asio::error::operation_aborted ? "no answer" : error.message();
    return lost(fmt::format("cannot connect to {}:{}: {}", options_.server.host, options_.server.port, why));
  }
  error_code ignored;
  stream_.socket().set_option(tcp::no_delay(true), ignored);
  stream_.socket().set_option(asio::socket_base::keep_alive(true), ignored);
  stream_.greet([this](const std::string& why_not) { on_greeted(why_not); });
}

void WorkerSession::on_greeted(const std::string& why_not) {
  if (over_) return;
  if (!why_not.empty()) {
    lost(why_not);
    // Waiting does not make a certificate better.
    if (!ever_welcomed_ && why_not.contains("not believed")) stop(kExitUnavailable);
    return;
  }
  connect_timer_.cancel();
  online_ = true;
  hand_.connected(steady_now());
  after_event();
  read();
}

void WorkerSession::read() {
  stream_.read_some(asio::buffer(buffer_), [this](error_code error, std::size_t count) {
    if (!online_ || error == asio::error::operation_aborted) return;
    if (error) return lost(error == asio::error::eof ? "the server closed the line" : error.message());
    framer_.feed({buffer_.data(), count}, [this](std::string_view line, bool) {
      trace("server >", line);
      hand_.line(line, steady_now());
    });
    if (framer_.overlong()) return lost("the server sent a line that does not end");
    after_event();
    if (online_) read();
  });
}

void WorkerSession::write(const std::string& line) {
  if (!online_) return;
  trace("server <", line);
  unsent_ += line + "\n";
  if (unsent_.size() > kUnsentToServer) return lost("the server does not read");
  if (sending_.empty()) send_queued();
}

void WorkerSession::send_queued() {
  sending_.swap(unsent_);
  stream_.write(asio::buffer(sending_), [this](error_code error, std::size_t) {
    sending_.clear();
    if (!error && !unsent_.empty()) return send_queued();
    if (closing_) stop(kExitOk);  // of errors the reader tells
  });
}

void WorkerSession::lost(const std::string& why) {
  online_ = false;
  stream_.close();
  connect_timer_.cancel();
  if (over_) return;
  if (closing_) return stop(kExitOk);
  hand_.disconnected(steady_now());
  if (std::exchange(welcomed_, false)) delay_ms_ = kSoonAgain_ms;
  tell(fmt::format("{}; trying again in {} s", why, delay_ms_ / 1000));
  connect_later(std::chrono::milliseconds(delay_ms_));
  delay_ms_ = std::min(delay_ms_ * 2, kLateAgain_ms);
}

void WorkerSession::connect_later(std::chrono::milliseconds delay) {
  connect_timer_.expires_after(delay);
  connect_timer_.async_wait([this](error_code cancelled) {
    if (cancelled || over_) return;
    // The last bytes of the former connection may still be on their way.
    if (!sending_.empty()) return connect_later(std::chrono::milliseconds(100));
    connect();
  });
}

void WorkerSession::on(WorkerHand::Refused& o) {
  tell("error: the server refused this worker: " + o.why);
  stop(kExitFailed);
}

// Tells the server, if it listens, so that it need not wait for the lease.
void WorkerSession::leave() {
  closing_ = true;
  hand_.leave();
  after_event();
  if (!online_ || sending_.empty()) return stop(kExitOk);
  connect_timer_.expires_after(std::chrono::seconds(1));
  connect_timer_.async_wait([this](error_code cancelled) {
    if (!cancelled) stop(kExitOk);
  });
}

// ---- engines ----

void WorkerSession::on(WorkerHand::Start& o) {
  const auto offer = std::ranges::find(options_.offers, o.engine, &host::WorkerOffer::engine);
  const host::BuiltinPlayer& player = options_.engines[static_cast<std::size_t>(offer - options_.offers.begin())];
  const Seat seat = o.seat;
  usi::ChildProcess::Events events;
  events.line = [this, seat](std::string line) {
    asio::post(io_, [this, seat, text = std::move(line)] {
      hand_.engine_line(seat, text);
      after_event();
    });
  };
  events.closed = [this, seat](const std::string& why) {
    asio::post(io_, [this, seat, why] {
      if (engines_.erase(seat) != 0) tell(fmt::format("the engine of seat {} ended: {}", seat, why));
      hand_.engine_ended(seat, why);
      after_event();
    });
  };
  auto process = usi::ChildProcess::spawn({.command = player.command,
                                           .working_dir = player.working_dir,
                                           .nice = player.nice,
                                           .sandbox = player.sandboxed ? std::optional(player.sandbox) : std::nullopt},
                                          std::move(events));
  if (!process) {
    tell(fmt::format("{}: {}", player.name, process.error()));
    return hand_.engine_ended(seat, process.error());
  }
  tell(fmt::format("{}: its engine has seat {}", player.name, seat));
  engines_.emplace(seat, std::move(*process));
}

void WorkerSession::on(WorkerHand::ToEngine& o) {
  const auto engine = engines_.find(o.seat);
  if (engine != engines_.end()) engine->second->write_line(o.line);
}

void WorkerSession::on(WorkerHand::End& o) {
  if (engines_.erase(o.seat) != 0) tell(fmt::format("the engine of seat {} is ended: {}", o.seat, o.why));
}

// ---- everything ----

void WorkerSession::after_event() {
  for (auto outputs = hand_.take(); !outputs.empty(); outputs = hand_.take()) {
    for (WorkerHand::Output& output : outputs) {
      if (!over_) std::visit([this](auto& o) { on(o); }, output);
    }
  }
  if (!online_ || !hand_.welcomed() || std::exchange(welcomed_, true)) return;
  ever_welcomed_ = true;
  tell(fmt::format("connected to {}:{} as {}", options_.server.host, options_.server.port, options_.name));
}

void WorkerSession::tick_later() {
  tick_timer_.expires_after(kLookEvery);
  tick_timer_.async_wait([this](error_code cancelled) {
    if (cancelled || over_) return;
    hand_.tick(steady_now());
    after_event();
    tick_later();
  });
}

void WorkerSession::stop(int exit_code) {
  if (std::exchange(over_, true)) return;
  exit_code_ = exit_code;
  online_ = false;
  engines_.clear();
  stream_.close();
  resolver_.cancel();
  tick_timer_.cancel();
  connect_timer_.cancel();
  signals_.cancel();
}

}  // namespace

std::expected<std::pair<std::string, std::string>, std::string> read_worker_token(const std::string& file) {
  std::ifstream stream(file);
  std::string line, name, token, more;
  if (!std::getline(stream, line)) return std::unexpected(fmt::format("--token {}: cannot be read", file));
  std::istringstream words(line);
  if (words >> name >> token && !(words >> more)) return std::pair(name, token);
  return std::unexpected(fmt::format("--token {}: its first line is not NAME TOKEN", file));
}

int run_worker(WorkerOptions options) {
  std::ignore = std::signal(SIGPIPE, SIG_IGN);  // it cannot fail
  for (std::size_t i = 0; i < options.engines.size(); ++i) {
    const auto nps = measure_speed(options.engines[i]);
    if (!nps) {
      tell(fmt::format("error: {}: {}", options.engines[i].name, nps.error()));
      return kExitFailed;
    }
    options.offers[i].nps = *nps;
    tell(fmt::format("{}: {} nodes a second", options.engines[i].name, *nps));
  }
  return WorkerSession(std::move(options)).run();
}

}  // namespace fuhyo::app
