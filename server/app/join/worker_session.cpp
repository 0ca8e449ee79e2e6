#include "server/app/join/worker_session.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include "engines/usi/process.h"
#include "server/app/commands.h"
#include "server/app/join/engine_trial.h"
#include "server/app/join/server_wire.h"
#include "server/host/worker_client.h"
#include "server/host/worker_server.h"

namespace fuhyo::app {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using host::WorkerClient;

constexpr ServerWire::Limits kWorkerWire{.line = host::WorkerLimits{}.line,
                                         .unsent = std::size_t{8} << 20,
                                         .connect = std::chrono::seconds(10),
                                         .first_delay = std::chrono::seconds(1),
                                         .longest_delay = std::chrono::seconds(15)};  // well within the lease
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
        client_({.name = options_.name,
                 .token = options_.token,
                 .session = new_session(),
                 .threads = options_.threads,
                 .offers = options_.offers}),
        wire_(io_, options_.server, kWorkerWire, wire_events()),
        tick_timer_(io_),
        leave_timer_(io_),
        signals_(io_, SIGINT, SIGTERM) {}

  int run() {
    if (const auto fine = wire_.set_up(); !fine) {
      tell("error: " + fine.error());
      return kExitNoInput;
    }
    signals_.async_wait([this](error_code cancelled, int) {
      if (!cancelled) leave();
    });
    tick_later();
    wire_.connect();
    io_.run();
    return exit_code_;
  }

 private:
  using Seat = WorkerClient::Seat;

  ServerWire::Events wire_events();
  void lost(const std::string& why, bool was_online);
  void leave();
  void tick_later();
  void stop(int exit_code);

  void after_event();
  void on(WorkerClient::Send& o);
  void on(WorkerClient::Hangup& o) { wire_.drop(o.why); }
  void on(WorkerClient::Refused& o);
  void on(WorkerClient::Told& o) { tell("the server says: " + o.text); }
  void on(WorkerClient::Start& o);
  void on(WorkerClient::ToEngine& o);
  void on(WorkerClient::End& o);
  void trace(const char* arrow, std::string_view line) const {
    // The first line has the token.
    if (options_.verbose) tell(fmt::format("{} {}", arrow, line.starts_with("worker ") ? "worker ..." : line));
  }

  const WorkerOptions options_;
  asio::io_context io_{1};
  WorkerClient client_;
  ServerWire wire_;
  asio::steady_timer tick_timer_, leave_timer_;
  asio::signal_set signals_;
  std::map<Seat, std::unique_ptr<usi::ChildProcess>> engines_;

  bool closing_ = false, over_ = false, welcomed_ = false, ever_welcomed_ = false;
  int exit_code_ = kExitOk;
};

// ---- the server ----

ServerWire::Events WorkerSession::wire_events() {
  ServerWire::Events events;
  events.connected = [this] {
    client_.connected(steady_now());
    after_event();
  };
  events.line = [this](std::string_view line) {
    trace("server >", line);
    client_.line(line, steady_now());
  };
  events.read = [this] { after_event(); };
  events.lost = [this](const std::string& why, bool was_online) { lost(why, was_online); };
  events.sent = [this] {
    if (closing_) stop(kExitOk);
  };
  return events;
}

void WorkerSession::on(WorkerClient::Send& o) {
  if (!wire_.online()) return;
  trace("server <", o.line);
  wire_.write(o.line);
}

void WorkerSession::lost(const std::string& why, bool was_online) {
  if (closing_) return stop(kExitOk);
  client_.disconnected(steady_now());
  if (std::exchange(welcomed_, false)) wire_.went_well();
  const auto delay = std::chrono::floor<std::chrono::seconds>(wire_.connect_again());
  tell(fmt::format("{}; trying again in {} s", why, delay.count()));
  // Waiting does not make a certificate better.
  if (!was_online && !ever_welcomed_ && why.contains("not believed")) stop(kExitUnavailable);
}

void WorkerSession::on(WorkerClient::Refused& o) {
  tell("error: the server refused this worker: " + o.why);
  stop(kExitFailed);
}

// Tells the server, if it listens, so that it need not wait for the lease.
void WorkerSession::leave() {
  closing_ = true;
  client_.leave();
  after_event();
  if (!wire_.online() || !wire_.sending()) return stop(kExitOk);
  leave_timer_.expires_after(std::chrono::seconds(1));
  leave_timer_.async_wait([this](error_code cancelled) {
    if (!cancelled) stop(kExitOk);
  });
}

// ---- engines ----

void WorkerSession::on(WorkerClient::Start& o) {
  const auto offer = std::ranges::find(options_.offers, o.engine, &host::WorkerOffer::engine);
  const host::BuiltinPlayer& player = options_.engines[static_cast<std::size_t>(offer - options_.offers.begin())];
  const Seat seat = o.seat;
  usi::ChildProcess::Events events;
  events.line = [this, seat](std::string line) {
    asio::post(io_, [this, seat, text = std::move(line)] {
      client_.engine_line(seat, text);
      after_event();
    });
  };
  events.closed = [this, seat](const std::string& why) {
    asio::post(io_, [this, seat, why] {
      if (engines_.erase(seat) != 0) tell(fmt::format("the engine of seat {} ended: {}", seat, why));
      client_.engine_ended(seat, why);
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
    return client_.engine_ended(seat, process.error());
  }
  tell(fmt::format("{}: its engine has seat {}", player.name, seat));
  engines_.emplace(seat, std::move(*process));
}

void WorkerSession::on(WorkerClient::ToEngine& o) {
  const auto engine = engines_.find(o.seat);
  if (engine != engines_.end()) engine->second->write_line(o.line);
}

void WorkerSession::on(WorkerClient::End& o) {
  if (engines_.erase(o.seat) != 0) tell(fmt::format("the engine of seat {} is ended: {}", o.seat, o.why));
}

// ---- everything ----

void WorkerSession::after_event() {
  for (auto outputs = client_.take(); !outputs.empty(); outputs = client_.take()) {
    for (WorkerClient::Output& output : outputs) {
      if (!over_) std::visit([this](auto& o) { on(o); }, output);
    }
  }
  if (!wire_.online() || !client_.welcomed() || std::exchange(welcomed_, true)) return;
  ever_welcomed_ = true;
  tell(fmt::format("connected to {}:{} as {}", options_.server.host, options_.server.port, options_.name));
}

void WorkerSession::tick_later() {
  tick_timer_.expires_after(kLookEvery);
  tick_timer_.async_wait([this](error_code cancelled) {
    if (cancelled || over_) return;
    client_.tick(steady_now());
    after_event();
    tick_later();
  });
}

void WorkerSession::stop(int exit_code) {
  if (std::exchange(over_, true)) return;
  exit_code_ = exit_code;
  engines_.clear();
  wire_.stop();
  tick_timer_.cancel();
  leave_timer_.cancel();
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
    const std::string& name = options.engines[i].name;
    const auto trial = try_engine(options.engines[i]);
    if (!trial) {
      tell(fmt::format("error: {}: {}", name, trial.error()));
      return kExitFailed;
    }
    for (const std::string& why : trial->refused) tell(fmt::format("warning: {}: {}", name, why));
    options.offers[i].nps = trial->nps;
    tell(fmt::format("{}: {} nodes a second", name, trial->nps));
  }
  return WorkerSession(std::move(options)).run();
}

}  // namespace fuhyo::app
