// Connections of a load generator: non-blocking sockets behind one epoll, read line by line. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

struct ssl_st;
struct ssl_ctx_st;
struct ssl_session_st;

namespace fuhyo::bench {

struct Target {
  std::string host = "127.0.0.1";
  int port = 4081;
  // On loopback each connection has a source address of 127.0.0.2 and up, changing after this many: one address has
  // only 28,000 ports, and servers limit what one address may do.
  std::size_t per_address = 20'000;
  bool tls = false;     // speaks TLS, and believes anybody
  bool resume = false;  // each connection goes on with the TLS session of a first one (HTTP: it asks for a page)
};

// A blocking TLS handshake over a connected socket, believing anybody; null if it failed, or if `resumed`, which may be
// null, was not taken up again. The caller frees it.
ssl_st* shake_hands(ssl_ctx_st& context, int fd, ssl_session_st* resumed = nullptr);

class Connection {
 public:
  Connection(int fd, ssl_st* ssl, std::uint64_t id) : fd_(fd), ssl_(ssl), id_(id) {}
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Hands the bytes to the kernel; what it does not take at once follows as it can.
  void send(std::string_view bytes);
  std::uint64_t id() const { return id_; }
  int fd() const { return fd_; }

 private:
  friend class Poller;
  std::ptrdiff_t write_some(std::string_view bytes);  // 0: not now; negative: never again
  std::ptrdiff_t read_some(char* bytes, std::size_t size);

  int fd_;
  ssl_st* ssl_;  // null: in the clear
  std::uint64_t id_;
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
  explicit Poller(Target target);
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // Blocks until the connection stands (loopback: at once). The pointer is valid until closed() or close().
  std::expected<Connection*, std::string> connect();
  void close(Connection& connection);
  // Waits up to `ms` for input and delivers it.
  void poll(LineHandler& handler, int ms);
  std::size_t connections() const { return connections_.size(); }

 private:
  void earn_session(int fd);
  void read(Connection& connection, LineHandler& handler);
  bool deliver(std::uint64_t id, LineHandler& handler);

  Target target_;
  int epoll_;
  ssl_ctx_st* context_ = nullptr;      // under TLS
  ssl_session_st* session_ = nullptr;  // to be resumed
  std::uint64_t made_ = 0;
  std::unordered_map<std::uint64_t, std::unique_ptr<Connection>> connections_;
};

}  // namespace fuhyo::bench
