#include "server/net/csa_listener.h"

#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <unordered_map>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/net/csa_connection.h"
#include "server/net/endpoint.h"
#include "server/net/proxy_header.h"

namespace fuhyo::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr int kAcceptsPerTurn = 64;  // a storm of newcomers takes its turns with the players

// Kept to be given up when no other descriptor is left, so that a waiting newcomer can be taken and turned away.
class SpareDescriptor {
 public:
  SpareDescriptor() { reserve(); }
  ~SpareDescriptor() { release(); }
  SpareDescriptor(const SpareDescriptor&) = delete;
  SpareDescriptor& operator=(const SpareDescriptor&) = delete;
  void reserve() {
    if (fd_ < 0) fd_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  }
  void release() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

// A connection of a proxy that is yet to say whose it is.
struct Announced {
  explicit Announced(tcp::socket socket_in) : socket(std::move(socket_in)), deadline(socket.get_executor()) {}
  tcp::socket socket;
  asio::steady_timer deadline;
  ProxyHeader header;
  std::array<char, 128> buffer{};
};

bool out_of_resources(const error_code& error) {
  return error == boost::system::errc::too_many_files_open ||
         error == boost::system::errc::too_many_files_open_in_system || error == boost::system::errc::no_buffer_space ||
         error == boost::system::errc::not_enough_memory;
}

}  // namespace

struct CsaListener::State : std::enable_shared_from_this<State> {
  struct Acceptor {
    tcp::acceptor socket;
    asio::steady_timer pause;
  };

  State(asio::io_context& io_in, core::InputSink& sink, const core::Limits& limits, std::string room_in, Warn warn_in,
        const CsaDeadlines& deadlines)
      : io(io_in),
        shared(std::make_shared<CsaShared>(CsaShared{.sink = sink,
                                                     .limits = limits,
                                                     .deadlines = deadlines,
                                                     .over = {},
                                                     .buffer = {},
                                                     .tls = {},
                                                     .queue_handshake = {}})),
        room(std::move(room_in)),
        warn(std::move(warn_in)) {}

  void arm(Acceptor& acceptor);
  void on_acceptable(Acceptor& acceptor);
  void greet(tcp::socket socket);
  void read_header(std::shared_ptr<Announced> newcomer);
  void take_header(std::shared_ptr<Announced> newcomer, const error_code& error, std::size_t count);
  void admit_socket(tcp::socket socket, const tcp::endpoint& peer);
  void admit(const std::shared_ptr<CsaConnection>& connection, core::ConnectionKind kind, std::string peer,
             bool secure);
  void stand_back(Acceptor& acceptor, const error_code& error);
  void queue_handshake(std::shared_ptr<CsaConnection> connection);
  void shake_next();
  // Shared, because a call on a connection may be its last.
  std::shared_ptr<CsaConnection> find(core::ConnId conn) const {
    const auto it = connections.find(conn);
    return it == connections.end() ? nullptr : it->second;
  }

  asio::io_context& io;
  std::shared_ptr<CsaShared> shared;
  std::string room;
  Warn warn;
  CsaListener* owner = nullptr;
  std::deque<Acceptor> acceptors;  // stable addresses
  std::unordered_map<core::ConnId, std::shared_ptr<CsaConnection>> connections;
  std::atomic<std::size_t> count{0};                      // of them
  std::deque<std::shared_ptr<CsaConnection>> handshakes;  // that can be carried on
  std::function<bool(std::string_view address)> is_proxy;
  std::size_t announced = 0;
  bool missed_header = false;
  SpareDescriptor spare;
  bool short_of_descriptors = false;
};

void CsaListener::State::arm(Acceptor& acceptor) {
  acceptor.socket.async_wait(tcp::acceptor::wait_read, [self = shared_from_this(), &acceptor](error_code error) {
    if (!error && self->owner != nullptr) self->on_acceptable(acceptor);
  });
}

void CsaListener::State::on_acceptable(Acceptor& acceptor) {
  for (int i = 0; i < kAcceptsPerTurn; ++i) {
    error_code error;
    tcp::socket socket(io);
    acceptor.socket.accept(socket, error);
    if (error == asio::error::would_block) break;
    if (out_of_resources(error)) return stand_back(acceptor, error);
    if (!error) greet(std::move(socket));  // any other error is the newcomer's own: it has gone already
  }
  arm(acceptor);
}

void CsaListener::State::greet(tcp::socket socket) {
  error_code error;
  const auto peer = socket.remote_endpoint(error);
  if (error) return;
  short_of_descriptors = false;
  if (!is_proxy || !is_proxy(unmapped(peer.address()).to_string())) return admit_socket(std::move(socket), peer);
  if (announced >= kMostAnnounced) return;
  ++announced;
  auto newcomer = std::make_shared<Announced>(std::move(socket));
  newcomer->deadline.expires_after(shared->deadlines.handshake);
  newcomer->deadline.async_wait([newcomer](error_code over) {
    error_code ignored;
    if (!over) newcomer->socket.close(ignored);
  });
  read_header(std::move(newcomer));
}

// No byte more than the header has: what follows is the newcomer's.
void CsaListener::State::read_header(std::shared_ptr<Announced> newcomer) {
  Announced& it = *newcomer;
  asio::async_read(it.socket, asio::buffer(it.buffer, it.header.wanted()),
                   [self = shared_from_this(), newcomer = std::move(newcomer)](error_code error, std::size_t bytes) {
                     if (self->owner != nullptr) self->take_header(newcomer, error, bytes);
                   });
}

void CsaListener::State::take_header(std::shared_ptr<Announced> newcomer, const error_code& error, std::size_t bytes) {
  const bool fits = !error && newcomer->header.take({newcomer->buffer.data(), bytes});
  if (fits && newcomer->header.wanted() > 0) return read_header(std::move(newcomer));
  --announced;
  newcomer->deadline.cancel();
  error_code gone;
  const auto proxy = newcomer->socket.remote_endpoint(gone);
  if (gone || error) return;
  if (fits) return admit_socket(std::move(newcomer->socket), newcomer->header.source().value_or(proxy));
  if (std::exchange(missed_header, true)) return;
  warn(fmt::format("connections from {} are closed: they begin with no PROXY header, though proxy-protocol names it",
                   proxy.address().to_string()));
}

void CsaListener::State::admit_socket(tcp::socket socket, const tcp::endpoint& peer) {
  admit(std::make_shared<CsaConnection>(std::move(socket), shared), core::ConnectionKind::csa, to_string(peer),
        shared->tls != nullptr);
}

void CsaListener::State::admit(const std::shared_ptr<CsaConnection>& connection, core::ConnectionKind kind,
                               std::string peer, bool secure) {
  const core::ConnId id = shared->sink.open(*owner, kind, room, std::move(peer), secure);
  connections.emplace(id, connection);
  count = connections.size();
  connection->start(id);
}

// No descriptor is left: one newcomer is told so by a close, and the listener rests instead of spinning.
void CsaListener::State::stand_back(Acceptor& acceptor, const error_code& error) {
  if (!std::exchange(short_of_descriptors, true)) {
    warn(fmt::format("cannot accept connections: {}; trying again every {} ms", error.message(),
                     shared->deadlines.retry.count()));
  }
  spare.release();
  error_code ignored;
  {
    tcp::socket turned_away(io);
    acceptor.socket.accept(turned_away, ignored);
  }
  spare.reserve();
  acceptor.pause.expires_after(shared->deadlines.retry);
  acceptor.pause.async_wait([self = shared_from_this(), &acceptor](error_code cancelled) {
    if (!cancelled && self->owner != nullptr) self->arm(acceptor);
  });
}

void CsaListener::State::queue_handshake(std::shared_ptr<CsaConnection> connection) {
  handshakes.push_back(std::move(connection));
  if (handshakes.size() == 1) asio::post(io, [self = shared_from_this()] { self->shake_next(); });
}

// What is posted runs after whatever else is ready.
void CsaListener::State::shake_next() {
  if (owner == nullptr) return handshakes.clear();
  const auto connection = handshakes.front();
  connection->shake_hands();
  handshakes.pop_front();
  if (!handshakes.empty()) asio::post(io, [self = shared_from_this()] { self->shake_next(); });
}

CsaListener::CsaListener(asio::io_context& io, core::InputSink& sink, const core::Limits& limits, std::string room,
                         Warn warn, const CsaDeadlines& deadlines)
    : state_(std::make_shared<State>(io, sink, limits, std::move(room), std::move(warn), deadlines)) {
  state_->owner = this;
  state_->shared->over = [weak = std::weak_ptr(state_)](core::ConnId id) {
    const auto state = weak.lock();
    if (!state) return;
    state->connections.erase(id);
    state->count = state->connections.size();
  };
  state_->shared->queue_handshake = [weak = std::weak_ptr(state_)](std::shared_ptr<CsaConnection> connection) {
    if (const auto state = weak.lock()) state->queue_handshake(std::move(connection));
  };
}

CsaListener::~CsaListener() {
  state_->owner = nullptr;
  stop_accepting();
  state_->handshakes.clear();
  for (const auto& [id, connection] : std::exchange(state_->connections, {})) connection->abort();
}

std::expected<std::vector<std::string>, std::string> CsaListener::listen(std::string_view address) {
  const auto endpoints = resolve(address);
  if (!endpoints) return std::unexpected(endpoints.error());
  std::vector<std::string> bound;
  for (const auto& endpoint : *endpoints) {
    auto socket = net::listen(state_->io, endpoint);
    if (!socket) return std::unexpected(socket.error());
    bound.push_back(to_string(socket->local_endpoint()));
    state_->acceptors.push_back({std::move(*socket), asio::steady_timer(state_->io)});
    state_->arm(state_->acceptors.back());
  }
  return bound;
}

void CsaListener::expect_proxy_header(std::function<bool(std::string_view address)> from) {
  state_->is_proxy = std::move(from);
}

void CsaListener::adopt(tcp::socket socket, std::unique_ptr<TlsChannel> tls, std::string peer, bool secure,
                        std::string_view begun) {
  const auto connection = std::make_shared<CsaConnection>(std::move(socket), std::move(tls), state_->shared);
  state_->admit(connection, core::ConnectionKind::web, std::move(peer), secure);
  connection->take(begun);
}

void CsaListener::stop_accepting() {
  error_code ignored;
  for (State::Acceptor& acceptor : state_->acceptors) {
    acceptor.socket.close(ignored);
    acceptor.pause.cancel();
  }
}

void CsaListener::close_all(std::string_view why) {
  const auto all = state_->connections;  // closing may erase
  for (const auto& [id, connection] : all) close(id, why);
}

std::size_t CsaListener::connections() const { return state_->count; }

void CsaListener::use(std::shared_ptr<const TlsPair> pair) { state_->shared->tls = std::move(pair); }

void CsaListener::give_up(core::ConnId conn, std::string_view why) {
  if (const auto connection = state_->find(conn)) connection->give_up(why);
}

void CsaListener::write(core::ConnId conn, std::string bytes) {
  if (const auto connection = state_->find(conn)) connection->write(std::move(bytes));
}
void CsaListener::close(core::ConnId conn, std::string_view) {
  if (const auto connection = state_->find(conn)) connection->close();
}
void CsaListener::read_pass(core::ConnId conn, std::uint64_t token) {
  if (const auto connection = state_->find(conn)) connection->read_pass(token);
}
void CsaListener::limit_lines(core::ConnId conn, std::size_t bytes) {
  if (const auto connection = state_->find(conn)) connection->limit_lines(bytes);
}
void CsaListener::throttle(core::ConnId conn, bool paused) {
  if (const auto connection = state_->find(conn)) connection->throttle(paused);
}

}  // namespace fuhyo::net
