#include "server/app/join/session.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/app/commands.h"
#include "server/app/join/server_wire.h"
#include "server/host/engine_runner.h"

namespace fuhyo::app {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using host::Bridge;

constexpr ServerWire::Limits kServerWire{.line = 16 * 1024,
                                         .unsent = 64 * 1024,
                                         .connect = std::chrono::seconds(15),
                                         .first_delay = std::chrono::seconds(1),
                                         .longest_delay = std::chrono::seconds(60)};
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
        wire_(io_, options, kServerWire, wire_events()),
        timer_(io_),
        signals_(io_, SIGINT, SIGTERM) {}

  int run() {
    if (const auto fine = wire_.set_up(); !fine) {
      say("error: " + fine.error());
      return kExitNoInput;
    }
    wait_for_signal();
    engine_.start(now_ms());
    if (!over_) wire_.connect();
    after_event();
    io_.run();
    return exit_code_;
  }

 private:
  host::EngineRunner::Events engine_events();
  ServerWire::Events wire_events();

  void lost(const std::string& why, bool was_online);
  void hang_up(const std::string& why);
  void wait_for_signal();

  void after_event();  // carries out what the bridge wants and sets the timer
  void carry_out(Bridge::Output& output);
  void on(const Bridge::ToServer& o);
  void on(const Bridge::ToEngine& o);
  void on(const Bridge::RestartEngine& o);
  void on(const Bridge::Hangup& o) { hang_up(o.why); }
  void on(const Bridge::Refused& o);
  // Seats are for engines that share a machine with others.
  void on(const Bridge::Lobby&) {}
  void on(const Bridge::SeatWanted&) {}
  void on(const Bridge::Thought&) {}
  void on(const Bridge::Began&) { wire_.went_well(); }
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
  ServerWire wire_;
  asio::steady_timer timer_;
  asio::signal_set signals_;

  bool over_ = false;
  bool logged_in_once_ = false, engine_started_once_ = false;
  int interrupts_ = 0;
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

ServerWire::Events Session::wire_events() {
  ServerWire::Events events;
  events.connected = [this] {
    bridge_.connected(now_ms());
    after_event();
  };
  events.line = [this](std::string_view line) {
    trace("server >", line);
    if (line.starts_with("LOGIN:") && line.ends_with(" OK")) logged_in_once_ = true;
    bridge_.server_line(line, now_ms());
  };
  events.read = [this] { after_event(); };
  events.lost = [this](const std::string& why, bool was_online) { lost(why, was_online); };
  events.sent = [] {};
  return events;
}

void Session::on(const Bridge::ToServer& o) {
  if (!wire_.online()) return;
  trace("server <", o.line);
  wire_.write(o.line);
}

void Session::hang_up(const std::string& why) {
  if (!wire_.online()) return;
  wire_.hang_up();
  bridge_.disconnected(why, now_ms());
  if (!bridge_.done()) wire_.connect_in(kAfterGame);
}

void Session::lost(const std::string& why, bool was_online) {
  say(why);
  if (was_online) bridge_.disconnected(why, now_ms());
  after_event();
  if (over_) return;
  if (!options_.relogin || (!was_online && !logged_in_once_)) return stop(kExitUnavailable);
  wire_.connect_again();
}

// The first login decides whether we are welcome. Later, the server may only not have noticed yet that the former line
// is dead: try again.
void Session::on(const Bridge::Refused& o) {
  say("error: " + o.why);
  if (!logged_in_once_ || bridge_.games_played() == 0 || !options_.relogin) return stop(kExitFailed);
  hang_up(o.why);
  wire_.connect_again();
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
  if (bridge_.done() && !wire_.online() && !wire_.sending()) return stop(kExitOk);
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
  engine_.write("quit");
  engine_.stop();
  wire_.stop();
  timer_.cancel();
  signals_.cancel();
}

}  // namespace

int run_join(const JoinOptions& options) { return Session(options).run(); }

}  // namespace fuhyo::app
