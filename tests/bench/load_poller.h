// Connections of a load generator: non-blocking sockets behind one epoll, read line by line. One thread.
#pragma once

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace fuhyo::bench {

constexpr int kConnectTries = 5;

inline void bind_source(int fd, const addrinfo& to, std::size_t number) {
  if (to.ai_family != AF_INET) return;
  const auto* peer = reinterpret_cast<const sockaddr_in*>(to.ai_addr);
  if ((ntohl(peer->sin_addr.s_addr) >> 24) != 127) return;
  sockaddr_in source{};
  source.sin_family = AF_INET;
  source.sin_addr.s_addr = htonl(static_cast<std::uint32_t>(0x7f000002 + number));
  const int later = 1;  // the port is chosen with the peer in view, so that all of them can be used
  setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &later, sizeof later);
  bind(fd, reinterpret_cast<const sockaddr*>(&source), sizeof source);
}

inline int connect_once(const addrinfo& to, std::size_t source) {
  const int fd = socket(to.ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  bind_source(fd, to, source);
  if (::connect(fd, to.ai_addr, to.ai_addrlen) != 0) {
    const int error = errno;
    close(fd);
    errno = error;
    return -1;
  }
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

inline std::ptrdiff_t outcome(const SSL* ssl, int result) {
  if (result > 0) return result;
  const int why = SSL_get_error(ssl, result);
  return why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE ? 0 : -1;
}

struct Target {
  std::string host = "127.0.0.1";
  int port = 4081;
  // On loopback each connection has a source address of 127.0.0.2 and up, changing after this many: one address has
  // only 28,000 ports, and servers limit what one address may do.
  std::size_t per_address = 20'000;
  bool tls = false;        // speaks TLS, and believes anybody
  bool resume = false;     // each connection goes on with the TLS session of a first one (HTTP: it asks for a page)
  std::string web_socket;  // the path of one that players connect by; empty: in lines
};

// A blocking TLS handshake over a connected socket, believing anybody; null if it failed, or if `resumed`, which may be
// null, was not taken up again. The caller frees it.
inline SSL* shake_hands(SSL_CTX& context, int fd, SSL_SESSION* resumed = nullptr) {
  SSL* ssl = SSL_new(&context);
  SSL_set_fd(ssl, fd);
  if (resumed != nullptr) SSL_set_session(ssl, resumed);
  if (SSL_connect(ssl) == 1 && (resumed == nullptr || SSL_session_reused(ssl) == 1)) return ssl;
  SSL_free(ssl);
  return nullptr;
}

// A client's message of text (RFC 6455) of at most 125 bytes; under a mask of zeros, which leaves it as it is.
inline std::string frame(std::string_view text) {
  std::string made = {'\x81', static_cast<char>(0x80 | text.size()), 0, 0, 0, 0};
  return made.append(text);
}

// Moves what the whole frames of `frames` hold, behind their heads, to `text`: messages of a server, unmasked.
inline void unframe(std::string& frames, std::string& text) {
  std::size_t at = 0;
  while (frames.size() - at >= 2) {
    const auto byte = [&](std::size_t i) -> std::size_t { return static_cast<unsigned char>(frames[at + i]); };
    const bool is_long = byte(1) == 126;  // no message is so long that it would be 127
    if (is_long && frames.size() - at < 4) break;
    const std::size_t head = is_long ? 4 : 2, size = is_long ? byte(2) << 8 | byte(3) : byte(1);
    if (frames.size() - at < head + size) break;
    if (const std::size_t opcode = byte(0) & 0xF; opcode <= 2) text.append(frames, at + head, size);
    at += head + size;
  }
  frames.erase(0, at);
}

class Connection {
 public:
  Connection(int fd, SSL* ssl, std::uint64_t id) : fd_(fd), ssl_(ssl), id_(id) {}
  ~Connection() {
    if (ssl_ != nullptr) SSL_set_shutdown(ssl_, SSL_SENT_SHUTDOWN);  // else its session could not be resumed again
    SSL_free(ssl_);
    ::close(fd_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Hands the bytes to the kernel; what it does not take at once follows as it can.
  void send(std::string_view bytes) { is_framed_ ? send_bytes(frame(bytes)) : send_bytes(bytes); }
  std::uint64_t id() const { return id_; }
  int fd() const { return fd_; }

 private:
  friend class Poller;
  void send_bytes(std::string_view bytes) {
    if (out_.empty()) {
      const std::ptrdiff_t sent = write_some(bytes);
      if (sent < 0) return;  // the peer is gone: the next read says so
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    out_ += bytes;
  }
  void take(std::string_view bytes) {
    if (!is_framed_) return void(in_ += bytes);
    frames_ += bytes;
    unframe(frames_, in_);
  }
  // 0: not now; negative: never again.
  std::ptrdiff_t write_some(std::string_view bytes) {
    if (ssl_ != nullptr) return outcome(ssl_, SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size())));
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return sent < 0 && errno == EAGAIN ? 0 : sent;
  }
  std::ptrdiff_t read_some(char* bytes, std::size_t size) {
    if (ssl_ != nullptr) return outcome(ssl_, SSL_read(ssl_, bytes, static_cast<int>(size)));
    const ssize_t count = recv(fd_, bytes, size, 0);
    if (count == 0) return -1;
    return count < 0 && errno == EAGAIN ? 0 : count;
  }

  int fd_;
  SSL* ssl_;  // null: in the clear
  std::uint64_t id_;
  bool is_framed_ = false;  // a WebSocket
  std::string frames_;      // of it, as far as they are not whole
  std::string in_, out_;
};

class LineHandler {
 public:
  virtual ~LineHandler() = default;
  virtual void line(Connection& connection, std::string_view text) = 0;  // without its line end
  virtual void closed(Connection& connection) = 0;                       // by the peer; it is gone after this
};

class Poller {
 public:
  explicit Poller(Target target) : target_(std::move(target)), epoll_(epoll_create1(EPOLL_CLOEXEC)) {
    if (!target_.tls) return;
    context_ = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_mode(context_, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  }
  ~Poller() {
    connections_.clear();
    SSL_SESSION_free(session_);
    SSL_CTX_free(context_);
    ::close(epoll_);
  }
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // Blocks until the connection stands (loopback: at once). The pointer is valid until closed() or close().
  std::expected<Connection*, std::string> connect() {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (getaddrinfo(target_.host.c_str(), std::to_string(target_.port).c_str(), &hints, &found) != 0) {
      return std::unexpected(fmt::format("no such host: {}", target_.host));
    }
    if (target_.resume && session_ == nullptr) {
      const int first = connect_once(*found, 0);
      if (first >= 0) earn_session(first);
      ::close(first);
    }
    int fd = -1;
    for (int tries = 0; fd < 0 && tries < kConnectTries; ++tries) {
      if (tries > 0) std::this_thread::sleep_for(std::chrono::milliseconds(200));
      fd = connect_once(*found, made_ / target_.per_address);
    }
    freeaddrinfo(found);
    if (fd < 0) return std::unexpected(fmt::format("connect: {}", std::strerror(errno)));
    SSL* ssl = nullptr;
    if (target_.tls && (ssl = shake_hands(*context_, fd, session_)) == nullptr) {
      ::close(fd);
      return std::unexpected("no TLS handshake");
    }
    auto connection = std::make_unique<Connection>(fd, ssl, ++made_);
    if (!target_.web_socket.empty() && !upgrade(*connection)) return std::unexpected("no WebSocket");
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = connection->id();
    epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
    return (connections_[made_] = std::move(connection)).get();
  }
  void close(Connection& connection) { connections_.erase(connection.id()); }
  // Waits up to `ms` for input and delivers it.
  void poll(LineHandler& handler, int ms) {
    std::array<epoll_event, 256> events;
    const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), ms);
    for (int i = 0; i < count; ++i) {
      const auto found = connections_.find(events[static_cast<std::size_t>(i)].data.u64);
      if (found != connections_.end()) read(*found->second, handler);
    }
  }
  std::size_t connections() const { return connections_.size(); }
  std::uint64_t received() const { return received_; }  // bytes

 private:
  // Blocks. Nothing follows the answer before a client has spoken.
  bool upgrade(Connection& connection) const {
    connection.send(
        fmt::format("GET {} HTTP/1.1\r\nHost: {}:{}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
                    target_.web_socket, target_.host, target_.port));
    std::string answer;
    std::array<char, 1024> bytes;
    while (!answer.ends_with("\r\n\r\n")) {
      const std::ptrdiff_t size = connection.read_some(bytes.data(), bytes.size());
      if (size <= 0) return false;
      answer.append(bytes.data(), static_cast<std::size_t>(size));
    }
    connection.is_framed_ = true;
    return answer.starts_with("HTTP/1.1 101 ");
  }
  // The ticket of TLS 1.3 comes behind the handshake, with the first answer.
  void earn_session(int fd) {
    SSL* ssl = shake_hands(*context_, fd);
    if (ssl == nullptr) return;
    constexpr std::string_view kAsk = "GET /healthz HTTP/1.0\r\n\r\n";
    SSL_write(ssl, kAsk.data(), static_cast<int>(kAsk.size()));
    std::array<char, 1024> answer;
    while (SSL_read(ssl, answer.data(), static_cast<int>(answer.size())) > 0) {
    }
    session_ = SSL_get1_session(ssl);
    SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN);
    SSL_free(ssl);
  }
  void read(Connection& connection, LineHandler& handler) {
    std::array<char, 16'384> bytes;
    const std::uint64_t id = connection.id();
    if (!connection.out_.empty()) connection.send_bytes(std::exchange(connection.out_, {}));
    const std::ptrdiff_t size = connection.read_some(bytes.data(), bytes.size());
    if (size == 0) return;
    if (size > 0) {
      received_ += static_cast<std::uint64_t>(size);
      connection.take({bytes.data(), static_cast<std::size_t>(size)});
      deliver(id, handler);
      return;
    }
    handler.closed(connection);
    connections_.erase(id);
  }
  // A handler may close the connection in the middle of its lines.
  bool deliver(std::uint64_t id, LineHandler& handler) {
    std::string in = std::move(connections_.at(id)->in_);
    std::string_view rest = in;
    for (auto end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
      handler.line(*connections_.at(id), rest.substr(0, end));
      if (!connections_.contains(id)) return false;
      rest.remove_prefix(end + 1);
    }
    connections_.at(id)->in_ = rest;
    return true;
  }

  Target target_;
  int epoll_;
  SSL_CTX* context_ = nullptr;      // under TLS
  SSL_SESSION* session_ = nullptr;  // to be resumed
  std::uint64_t made_ = 0, received_ = 0;
  std::unordered_map<std::uint64_t, std::unique_ptr<Connection>> connections_;
};

}  // namespace fuhyo::bench
