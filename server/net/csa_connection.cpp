#include "server/net/csa_connection.h"

#include <algorithm>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <utility>

#include <boost/asio/buffer.hpp>

namespace fuhyo::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

// A cable that is pulled is noticed within about a minute.
constexpr int kKeepIdle_s = 30, kKeepInterval_s = 10, kKeepCount = 3;
constexpr unsigned kUserTimeout_ms = 30'000;
// How long a closing connection may take to read its last lines, and then to close its own side.
constexpr std::int64_t kFlush_us = 5 * core::kSecond, kLinger_us = 2 * core::kSecond;

template <class Value>
void set(int fd, int level, int name, Value value) {
  ::setsockopt(fd, level, name, &value, sizeof value);  // a kernel without the option still serves
}

}  // namespace

CsaConnection::CsaConnection(tcp::socket socket, std::shared_ptr<CsaShared> shared)
    : socket_(std::move(socket)), shared_(std::move(shared)), framer_(shared_->limits.line_before_login) {
  configure();
}

void CsaConnection::configure() {
  error_code ignored;
  socket_.non_blocking(true, ignored);
  const int fd = socket_.native_handle();
  set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(fd, IPPROTO_TCP, TCP_KEEPIDLE, kKeepIdle_s);
  set(fd, IPPROTO_TCP, TCP_KEEPINTVL, kKeepInterval_s);
  set(fd, IPPROTO_TCP, TCP_KEEPCNT, kKeepCount);
  set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, kUserTimeout_ms);
}

void CsaConnection::start(core::ConnId id) {
  id_ = id;
  arm_read();
}

// ---- reading ----

void CsaConnection::arm_read() {
  if (reading_ || state_ == State::over) return;
  reading_ = true;
  socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](error_code error) {
    self->reading_ = false;
    if (!error) self->on_readable();
  });
}

// One read a turn, so that nobody is served at the cost of the others; the next wait returns at once if more is there.
void CsaConnection::on_readable() {
  if (state_ == State::over) return;
  // Back-pressure. The core resumes within Limits::throttle_us, and a peer that has gone is noticed then.
  if (paused_ && state_ == State::open) return;
  if (read_once(shared_->buffer.data(), shared_->buffer.size()) != Read::ended) arm_read();
}

CsaConnection::Read CsaConnection::read_once(char* buffer, std::size_t size) {
  error_code error;
  const std::size_t count = socket_.read_some(asio::buffer(buffer, size), error);
  if (error == asio::error::would_block || error == asio::error::interrupted) return Read::nothing;
  if (error) {
    gone(error == asio::error::eof ? "closed by the peer" : error.message());
    return Read::ended;
  }
  take({buffer, count});
  return state_ == State::over ? Read::ended : Read::some;
}

void CsaConnection::take(std::string_view bytes) {
  if (state_ != State::open || deaf_) return;  // read only to see the end
  const core::Instant arrived = shared_->intake.now();
  framer_.feed(bytes, [&](std::string_view line, bool crlf) {
    shared_->intake.deliver(core::Line{.conn = id_, .text = std::string(line), .arrived = arrived, .crlf = crlf});
  });
  if (!framer_.overlong()) return;
  deaf_ = true;
  shared_->intake.deliver(core::BadInput{id_, "a line is too long"});
}

// Bounded by what the kernel holds at the start: a flood cannot keep the core here. The shared buffer may be in use by
// the caller's caller, so this one is its own.
void CsaConnection::read_pass(std::uint64_t token) {
  std::array<char, 16 * 1024> buffer;
  error_code ignored;
  std::size_t left = std::max<std::size_t>(socket_.available(ignored), 1);  // 1: sees the end of an empty stream
  while (left > 0 && state_ == State::open) {
    const Read read = read_once(buffer.data(), std::min(left, buffer.size()));
    if (read == Read::ended) return;
    if (read == Read::nothing) break;
    left -= std::min(left, buffer.size());
  }
  shared_->intake.deliver(core::ReadPassed{id_, token});
}

void CsaConnection::throttle(bool paused) {
  paused_ = paused;
  if (!paused) arm_read();
}

// ---- writing ----

void CsaConnection::write(std::string bytes) {
  if (state_ != State::open || reported_) return;
  if (out_.empty()) {
    out_ = std::move(bytes);
    return send_queued();
  }
  // Judged by what waited before: one long answer is no reason.
  if (out_.size() > shared_->limits.output_bytes) {
    return gone(fmt::format("does not read: {} bytes wait for it", out_.size()));
  }
  out_ += bytes;
}

void CsaConnection::send_queued() {
  error_code error;
  const std::size_t count = socket_.write_some(asio::buffer(out_), error);
  if (error && error != asio::error::would_block && error != asio::error::interrupted) return gone(error.message());
  if (count == out_.size()) {
    out_ = std::string();  // gives the memory back
    if (state_ == State::closing) linger();
    return;
  }
  out_.erase(0, count);
  arm_write();
}

void CsaConnection::arm_write() {
  if (writing_) return;
  writing_ = true;
  socket_.async_wait(tcp::socket::wait_write, [self = shared_from_this()](error_code error) {
    self->writing_ = false;
    if (!error && self->state_ != State::over) self->send_queued();
  });
}

// ---- ending ----

void CsaConnection::close() {
  if (state_ != State::open) return;
  state_ = State::closing;
  give_up_later(kFlush_us);
  if (out_.empty()) linger();
}

void CsaConnection::linger() {
  state_ = State::lingering;
  error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
  give_up_later(kLinger_us);
  arm_read();
  report("closed by the server");
}

void CsaConnection::give_up_later(std::int64_t us) {
  if (!deadline_) deadline_ = std::make_unique<asio::steady_timer>(socket_.get_executor());
  deadline_->expires_after(std::chrono::microseconds(us));
  deadline_->async_wait([self = shared_from_this()](error_code error) {
    if (!error) self->gone("did not read its last lines");
  });
}

void CsaConnection::gone(std::string_view why) {
  if (state_ == State::over) return;
  const auto keep = shared_from_this();
  abort();
  report(why);
  shared_->over(id_);
}

void CsaConnection::report(std::string_view why) {
  if (std::exchange(reported_, true)) return;
  shared_->intake.deliver(core::Closed{id_, std::string(why)});
}

void CsaConnection::abort() {
  state_ = State::over;
  error_code ignored;
  socket_.close(ignored);
  deadline_.reset();
  out_ = std::string();
}

}  // namespace fuhyo::net
