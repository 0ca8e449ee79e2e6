#include "server/app/serve/worker_listener.h"

#include <utility>
#include <variant>

#include <boost/asio/post.hpp>

#include "server/app/serve/node.h"

namespace fuhyo::app {
namespace {

constexpr auto kTick = std::chrono::milliseconds(250);
// What a worker that does not read may leave unread: each of its seats has a limit of its own.
constexpr std::size_t kWorkerOutput = std::size_t{8} << 20;

core::Limits limits_of_listener() {
  const host::WorkerLimits of_workers;
  core::Limits limits;
  limits.line_before_login = of_workers.line_before_login;
  limits.line = of_workers.line;
  limits.output_bytes = kWorkerOutput;
  return limits;
}

// "192.0.2.7:50312", "[2001:db8::7]:50312" without the port.
std::string address_without_port(std::string_view peer) {
  if (peer.starts_with('[')) return std::string(peer.substr(1, peer.find(']') - 1));
  return std::string(peer.substr(0, peer.rfind(':')));
}

}  // namespace

WorkerListener::WorkerListener(std::shared_ptr<const net::TlsPair> pair, std::uint64_t first, const Hooks& hooks)
    : timer_(io_),
      pool_(std::make_shared<host::WorkerPool>(
          host::WorkerLimits{}, first,
          host::WorkerPool::Hooks{
              .send =
                  [this](core::ConnId conn, std::string line) {
                    boost::asio::post(io_,
                                      [this, conn, text = std::move(line) + "\n"] { listener_.write(conn, text); });
                  },
              .close =
                  [this](core::ConnId conn) { boost::asio::post(io_, [this, conn] { listener_.close(conn, {}); }); },
              .known =
                  [this](core::ConnId conn) {
                    boost::asio::post(io_, [this, conn] { listener_.limit_lines(conn, host::WorkerLimits{}.line); });
                  },
              .offered = hooks.offered,
              .present = hooks.present,
              .log = hooks.log})),
      listener_(io_, *this, limits_of_listener(), "workers",
                [log = hooks.log](std::string_view text) { log(true, std::string(text)); }) {
  listener_.use(std::move(pair));
}

WorkerListener::~WorkerListener() {
  pool_->shut();
  io_.stop();
  if (thread_.joinable()) thread_.join();
}

void WorkerListener::start() {
  tick_later();
  thread_ = std::thread([this] { io_.run(); });
}

void WorkerListener::use(std::shared_ptr<const net::TlsPair> pair) {
  boost::asio::post(io_, [this, pair = std::move(pair)] { listener_.use(pair); });
}

void WorkerListener::tick_later() {
  timer_.expires_after(kTick);
  timer_.async_wait([this](boost::system::error_code cancelled) {
    if (cancelled) return;
    pool_->tick(now());
    tick_later();
  });
}

core::ConnId WorkerListener::open(core::Transport&, core::ConnectionKind, std::string, std::string peer, bool) {
  const core::ConnId conn{++last_conn_};
  pool_->opened(conn, address_without_port(peer), now());
  return conn;
}

void WorkerListener::deliver(core::Input input) {
  if (const auto* line = std::get_if<core::ClientLine>(&input)) {
    pool_->line(line->conn, line->text, now());
  } else if (const auto* bad = std::get_if<core::BadInput>(&input)) {
    pool_->bad_input(bad->conn, bad->why, now());
  } else if (const auto* closed = std::get_if<core::Closed>(&input)) {
    pool_->closed(closed->conn, now());
  }
}

core::Instant WorkerListener::now() const { return Node::clock(); }

}  // namespace fuhyo::app
