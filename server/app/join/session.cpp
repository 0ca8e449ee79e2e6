#include "server/app/join/session.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/app/commands.h"
#include "server/app/join/server_stream.h"
#include "server/csa/line_framer.h"
#include "server/host/engine_runner.h"

namespace fuhyo::app {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using host::Bridge;

constexpr std::size_t kServerLine = 16 * 1024;
constexpr std::size_t kUnsent = 64 * 1024;  // a server that has not taken this much is not there any more
constexpr std::int64_t kFirstDelay_ms = 1'000, kLongestDelay_ms = 60'000;
constexpr auto kConnectTime = std::chrono::seconds(15);
constexpr auto kAfterGame = std::chrono::milliseconds(500);  // before the next login of CSA mode

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

void say(const std::string& text) {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto second = std::chrono::floor<std::chrono::seconds>(now);
  fmt::print(stderr, "{:%H:%M:%S}.{:03} {}\n", fmt::localtime(std::chrono::system_clock::to_time_t(second)),
             (now - second).count(), text);
}

class Session {
 public:
  explicit Session(const JoinOptions& options)
      : options_(options),
        bridge_(options.bridge),
        engine_(
            host::EngineRunner::child({.command = options.engine, .show_stderr = options.show_engine_stderr}),
            [this](std::function<void()> task) { asio::post(io_, std::move(task)); }, engine_events()),
        resolver_(io_),
        stream_(io_, options),
        timer_(io_),
        connect_timer_(io_),
        signals_(io_, SIGINT, SIGTERM) {}

  int run() {
    if (const auto fine = stream_.set_up(); !fine) {
      say("error: " + fine.error());
      return kExitNoInput;
    }
    wait_for_signal();
    engine_.start(now_ms());
    if (!over_) connect();
    after_event();
    io_.run();
    return exit_code_;
  }

 private:
  host::EngineRunner::Events engine_events();

  void connect();
  void on_resolved(error_code error, const tcp::resolver::results_type& endpoints);
  void on_connected(error_code error);
  void on_greeted(const std::string& why_not);
  void read();
  void write(const std::string& line);
  void send_queued();
  void lost(const std::string& why);
  void connect_later(std::chrono::milliseconds delay);
  void hang_up(const std::string& why);
  void wait_for_signal();

  void after_event();  // carries out what the bridge wants and sets the timer
  void carry_out(Bridge::Output& output);
  void on(const Bridge::ToServer& o) { write(o.line); }
  void on(const Bridge::ToEngine& o);
  void on(const Bridge::RestartEngine& o);
  void on(const Bridge::Hangup& o) { hang_up(o.why); }
  void on(const Bridge::Refused& o);
  // Seats are for engines that share a machine with others.
  void on(const Bridge::Lobby&) {}
  void on(const Bridge::SeatWanted&) {}
  void on(const Bridge::Thought&) {}
  void on(const Bridge::Began&) { delay_ms_ = kFirstDelay_ms; }
  void on(const Bridge::Ended& o);
  void on(const Bridge::Log& o) { say((o.warning ? "warning: " : "") + o.text); }
  void trace(const char* arrow, std::string_view line) const {
    if (options_.verbose) say(fmt::format("{} {}", arrow, line));
  }
  void stop(int exit_code);

  const JoinOptions& options_;
  asio::io_context io_{1};
  Bridge bridge_;
  host::EngineRunner engine_;
  tcp::resolver resolver_;
  ServerStream stream_;
  asio::steady_timer timer_, connect_timer_;
  asio::signal_set signals_;

  csa::LineFramer framer_{kServerLine};
  std::array<char, 16 * 1024> buffer_{};
  std::string unsent_, sending_;
  bool online_ = false, closing_ = false, over_ = false;
  bool logged_in_once_ = false, engine_started_once_ = false;
  int interrupts_ = 0;
  std::int64_t delay_ms_ = kFirstDelay_ms;
  int exit_code_ = kExitOk;
};

// ---- the engine ----

host::EngineRunner::Events Session::engine_events() {
  host::EngineRunner::Events events;
  events.started = [this] {
    engine_started_once_ = true;
    bridge_.engine_started(now_ms());
  };
  events.line = [this](const std::string& line) {
    trace("engine >", line);
    bridge_.engine_line(line, now_ms());
    after_event();
  };
  events.closed = [this](const std::string& why) {
    bridge_.engine_closed(why, now_ms());
    after_event();
  };
  events.not_started = [this](const std::string& why) {
    say("error: " + why);
    // At the very first start this is a mistake in the command line, later it may pass.
    if (!engine_started_once_) stop(kExitNoInput);
  };
  return events;
}

void Session::on(const Bridge::ToEngine& o) {
  trace("engine <", o.line);
  engine_.write(o.line);
}

void Session::on(const Bridge::RestartEngine&) {
  engine_.restart(now_ms());
  // An engine that cannot even greet is not going to play.
  if (!logged_in_once_) stop(kExitFailed);
}

// ---- the server ----

void Session::connect() {
  closing_ = false;
  stream_.renew();
  framer_ = csa::LineFramer(kServerLine);
  unsent_.clear();
  connect_timer_.expires_after(kConnectTime);
  connect_timer_.async_wait([this](error_code cancelled) {
    if (cancelled || online_) return;
    resolver_.cancel();
    stream_.close();
  });
  resolver_.async_resolve(options_.host, options_.port,
                          [this](error_code error, const auto& endpoints) { on_resolved(error, endpoints); });
}

void Session::on_resolved(error_code error, const tcp::resolver::results_type& endpoints) {
  if (over_) return;
  if (error) return lost(fmt::format("cannot find {}: {}", options_.host, error.message()));
  asio::async_connect(stream_.socket(), endpoints,
                      [this](error_code failed, const tcp::endpoint&) { on_connected(failed); });
}

void Session::on_connected(error_code error) {
  if (over_) return;
  if (error) {
    const std::string why = error == asio::error::operation_aborted ? "no answer" : error.message();
    return lost(fmt::format("cannot connect to {}:{}: {}", options_.host, options_.port, why));
  }
  error_code ignored;
  stream_.socket().set_option(tcp::no_delay(true), ignored);
  stream_.socket().set_option(asio::socket_base::keep_alive(true), ignored);
  stream_.greet([this](const std::string& why_not) { on_greeted(why_not); });
}

void Session::on_greeted(const std::string& why_not) {
  if (over_) return;
  if (!why_not.empty()) return lost(why_not);
  connect_timer_.cancel();
  online_ = true;
  bridge_.connected(now_ms());
  read();
  after_event();
}

void Session::read() {
  stream_.read_some(asio::buffer(buffer_), [this](error_code error, std::size_t count) {
    if (!online_ || error == asio::error::operation_aborted) return;
    if (error) return lost(error == asio::error::eof ? "the server closed the line" : error.message());
    framer_.feed({buffer_.data(), count}, [this](std::string_view line, bool) {
      trace("server >", line);
      if (line.starts_with("LOGIN:") && line.ends_with(" OK")) logged_in_once_ = true;
      bridge_.server_line(line, now_ms());
    });
    if (framer_.overlong()) return lost("the server sent a line that does not end");
    after_event();
    if (online_) read();
  });
}

void Session::write(const std::string& line) {
  if (!online_) return;
  trace("server <", line);
  unsent_ += line + "\n";
  if (unsent_.size() > kUnsent) return lost("the server does not read");
  if (sending_.empty()) send_queued();
}

void Session::send_queued() {
  sending_.swap(unsent_);
  stream_.write(asio::buffer(sending_), [this](error_code error, std::size_t) {
    sending_.clear();
    if (error) return;  // the reader reports it
    if (!unsent_.empty()) return send_queued();
    if (closing_) stream_.close();
  });
}

// Closes after what is queued was written.
void Session::hang_up(const std::string& why) {
  if (!std::exchange(online_, false)) return;
  closing_ = true;
  if (sending_.empty()) stream_.close();
  bridge_.disconnected(why, now_ms());
  if (!bridge_.done()) connect_later(kAfterGame);
}

void Session::lost(const std::string& why) {
  const bool was_online = std::exchange(online_, false);
  stream_.close();
  connect_timer_.cancel();
  if (over_) return;
  say(why);
  if (was_online) bridge_.disconnected(why, now_ms());
  after_event();
  if (over_) return;
  if (!options_.relogin || (!was_online && !logged_in_once_)) return stop(kExitUnavailable);
  connect_later(std::chrono::milliseconds(delay_ms_));
  delay_ms_ = std::min(delay_ms_ * 2, kLongestDelay_ms);
}

void Session::connect_later(std::chrono::milliseconds delay) {
  connect_timer_.expires_after(delay);
  connect_timer_.async_wait([this](error_code cancelled) {
    if (cancelled || over_) return;
    // The last bytes of the former connection may still be on their way.
    if (!sending_.empty()) return connect_later(std::chrono::milliseconds(100));
    connect();
  });
}

// The first login decides whether we are welcome. Later, the server may only not have noticed yet that the former line
// is dead: try again.
void Session::on(const Bridge::Refused& o) {
  say("error: " + o.why);
  if (!logged_in_once_ || bridge_.games_played() == 0 || !options_.relogin) return stop(kExitFailed);
  hang_up(o.why);
  connect_later(std::chrono::milliseconds(delay_ms_));
  delay_ms_ = std::min(delay_ms_ * 2, kLongestDelay_ms);
}

void Session::on(const Bridge::Ended& o) {
  // One line a game on stdout, for scripts.
  fmt::print("{}\t{}\t{}\n", o.game_id, o.result, o.reason);
  std::ignore = std::fflush(stdout);  // nobody may read it
}

// ---- everything ----

void Session::after_event() {
  for (auto outputs = bridge_.take(); !outputs.empty(); outputs = bridge_.take()) {
    for (Bridge::Output& output : outputs) {
      if (!over_) carry_out(output);
    }
  }
  if (over_) return;
  if (bridge_.done() && !online_ && sending_.empty()) return stop(kExitOk);
  std::int64_t at = std::min({bridge_.deadline(), engine_.deadline(), now_ms() + 60'000});
  if (bridge_.done()) at = std::min(at, now_ms() + 50);  // soon: the last bytes are being written
  timer_.expires_at(std::chrono::steady_clock::time_point(std::chrono::milliseconds(at)));
  timer_.async_wait([this](error_code cancelled) {
    if (cancelled || over_) return;
    bridge_.tick(now_ms());
    engine_.tick(now_ms());
    after_event();
  });
}

void Session::carry_out(Bridge::Output& output) {
  std::visit([this](auto& o) { on(o); }, output);
}

void Session::wait_for_signal() {
  signals_.async_wait([this](error_code cancelled, int) {
    if (cancelled) return;
    if (++interrupts_ > 1 || !bridge_.in_game()) {
      bridge_.finish(now_ms());
      after_event();
      return stop(kExitOk);
    }
    say("leaving after this game; interrupt again to leave now");
    bridge_.finish(now_ms());
    after_event();
    wait_for_signal();
  });
}

void Session::stop(int exit_code) {
  if (std::exchange(over_, true)) return;
  exit_code_ = exit_code;
  online_ = false;
  engine_.write("quit");
  engine_.stop();
  stream_.close();
  resolver_.cancel();
  timer_.cancel();
  connect_timer_.cancel();
  signals_.cancel();
}

}  // namespace

int run_join(const JoinOptions& options) { return Session(options).run(); }

}  // namespace fuhyo::app
