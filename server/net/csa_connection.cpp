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

// A cable that is pulled is noticed within 30 s. Where TCP_USER_TIMEOUT is set, it alone says when a line is lost, and
// TCP_KEEPCNT counts for nothing (Linux, tcp(7)): the probes of a line on which nobody says anything must all fit into
// it. With the first one as late as the timeout, a single packet that got lost would end a game.
constexpr int kKeepIdle_s = 10, kKeepInterval_s = 5, kKeepCount = 4;
constexpr int kUserTimeout_s = kKeepIdle_s + kKeepCount * kKeepInterval_s;

template <class Value>
void set(int fd, int level, int name, Value value) {
  ::setsockopt(fd, level, name, &value, sizeof value);  // a kernel without the option still serves
}

}  // namespace

CsaConnection::CsaConnection(tcp::socket socket, std::shared_ptr<CsaShared> shared)
    : socket_(std::move(socket)),
      shared_(std::move(shared)),
      framer_(shared_->limits.line_before_login),
      state_(shared_->tls ? State::greeting : State::open) {
  configure();
}

CsaConnection::CsaConnection(tcp::socket socket, std::unique_ptr<TlsChannel> tls, std::shared_ptr<CsaShared> shared)
    : socket_(std::move(socket)),
      shared_(std::move(shared)),
      framer_(shared_->limits.line_before_login),
      tls_(std::move(tls)),
      web_(std::make_unique<WebSocket>()),
      state_(State::open) {
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
  set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, 1'000U * kUserTimeout_s);
}

void CsaConnection::start(core::ConnId id) {
  id_ = id;
  if (state_ == State::greeting) give_up_later(shared_->deadlines.handshake, "did not finish its TLS handshake");
  arm_read();
}

// Nothing is spent on a peer that says nothing: its part of TLS begins with its first bytes. Then a signature is to be
// made, which takes up to a millisecond: the listener lets one peer after the other have its turn.
void CsaConnection::shake_hands() {
  if (state_ != State::greeting) return;
  if (!tls_) tls_ = std::make_unique<TlsChannel>(shared_->tls->csa(), socket_.native_handle());
  error_code error;
  tls_->handshake(error);
  if (error == asio::error::would_block) return tls_->waits_to_write() ? arm_write() : arm_read();
  if (error) return give_up(fmt::format("no TLS handshake: {}", reason(error)));
  state_ = State::open;
  deadline_.reset();
  arm_read();
  if (!out_.empty()) send_queued();
  if (close_later_) close();
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
  if (state_ == State::greeting) return shared_->queue_handshake(shared_from_this());
  // Back-pressure. The core resumes within Limits::throttle_us, and a peer that has gone is noticed then.
  if (paused_ && state_ == State::open) return;
  if (read_once(shared_->buffer)) arm_read();
}

std::optional<std::size_t> CsaConnection::read_once(std::span<char> buffer) {
  error_code error;
  const std::size_t count = read_some(buffer, error);
  if (error == asio::error::would_block || error == asio::error::interrupted) return 0;
  if (error) {
    give_up(error == asio::error::eof ? "closed by the peer" : reason(error));
    return std::nullopt;
  }
  take({buffer.data(), count});
  return state_ == State::over ? std::nullopt : std::optional(count);
}

std::size_t CsaConnection::read_some(std::span<char> buffer, error_code& error) {
  if (!tls_) return socket_.read_some(asio::buffer(buffer.data(), buffer.size()), error);
  const std::size_t count = tls_->read_some(buffer, error);
  if (error == asio::error::would_block && tls_->waits_to_write()) arm_write();  // an answer to a new key
  return count;
}

void CsaConnection::take(std::string_view bytes) {
  if (state_ != State::open) return;  // read only to see the end
  const core::Instant arrived = shared_->sink.now();
  web_ ? take_frames(bytes, arrived) : take_lines(bytes, arrived);
}

void CsaConnection::take_frames(std::string_view bytes, core::Instant arrived) {
  std::string answer;
  const WebSocket::Status end = web_->take(bytes, [&](std::string_view text) { take_lines(text, arrived); }, answer);
  if (!answer.empty()) queue(std::move(answer));
  if (end != WebSocket::Status::none) {
    give_up(end == WebSocket::Status::normal ? "closed by the peer" : "does not speak as a WebSocket");
  }
}

void CsaConnection::take_lines(std::string_view bytes, core::Instant arrived) {
  if (deaf_) return;
  framer_.feed(bytes, [&](std::string_view line, bool crlf) {
    shared_->sink.deliver(core::ClientLine{.conn = id_, .text = std::string(line), .arrived = arrived, .crlf = crlf});
  });
  if (!framer_.overlong()) return;
  deaf_ = true;
  shared_->sink.deliver(core::BadInput{id_, "a line is too long"});
}

// Bounded by what the kernel holds at the start: a flood cannot keep the thread here. Under TLS that is more than what
// comes out of it, in reads of one record each. The shared buffer may be in use by the caller's caller, so this one is
// its own; a record fits into it, so that TLS holds nothing back that no wait would tell of.
void CsaConnection::read_pass(std::uint64_t token) {
  std::array<char, 16 * 1024> buffer;
  error_code ignored;
  std::size_t left = std::max<std::size_t>(socket_.available(ignored), 1);  // 1: sees the end of an empty stream
  if (tls_) left += buffer.size();  // the beginning of a record that TLS has taken already
  while (left > 0 && state_ == State::open) {
    const auto count = read_once(buffer);
    if (!count) return;
    if (*count == 0) break;
    left -= std::min(left, *count);
  }
  shared_->sink.deliver(core::ReadPassed{id_, token});
}

void CsaConnection::throttle(bool paused) {
  paused_ = paused;
  if (!paused) arm_read();
}

// ---- writing ----

void CsaConnection::write(std::string bytes) { queue(web_ ? WebSocket::message(bytes) : std::move(bytes)); }

void CsaConnection::queue(std::string bytes) {
  if ((state_ != State::open && state_ != State::greeting) || reported_ || close_later_) return;
  if (out_.empty()) longest_ = 0;
  // Judged by what waited before, beside its longest message: one long answer is no reason.
  if (out_.size() > shared_->limits.output_bytes + longest_) {
    return give_up(fmt::format("does not read: {} bytes wait for it", out_.size()));
  }
  longest_ = std::max(longest_, bytes.size());
  if (!out_.empty() || state_ != State::open) {
    out_ += bytes;
  } else {
    out_ = std::move(bytes);
    send_queued();
  }
}

void CsaConnection::send_queued() {
  error_code error;
  const std::size_t count = write_some(error);
  if (error && error != asio::error::would_block && error != asio::error::interrupted) return give_up(reason(error));
  if (count == out_.size()) {
    out_ = std::string();  // gives the memory back
    if (state_ == State::closing) linger();
    return;
  }
  out_.erase(0, count);
  arm_write();
}

std::size_t CsaConnection::write_some(error_code& error) {
  return tls_ ? tls_->write_some(out_, error) : socket_.write_some(asio::buffer(out_), error);
}

void CsaConnection::arm_write() {
  if (writing_) return;
  writing_ = true;
  socket_.async_wait(tcp::socket::wait_write, [self = shared_from_this()](error_code error) {
    self->writing_ = false;
    if (!error) self->on_writable();
  });
}

void CsaConnection::on_writable() {
  if (state_ == State::over) return;
  if (state_ == State::greeting) return shared_->queue_handshake(shared_from_this());
  if (state_ == State::lingering || (out_.empty() && state_ == State::open)) return arm_read();  // TLS had to answer
  send_queued();
}

// ---- ending ----

void CsaConnection::close() {
  if (state_ == State::greeting) {
    if (out_.empty()) return give_up("closed by the server");  // nothing was said that could get lost
    close_later_ = true;
    return;
  }
  if (state_ != State::open) return;
  state_ = State::closing;
  give_up_later(shared_->deadlines.flush, "did not read its last lines");
  const bool waited = !out_.empty();
  if (web_) out_ += WebSocket::close(WebSocket::Status::normal);
  if (out_.empty()) return linger();
  if (!waited) send_queued();
}

void CsaConnection::linger() {
  if (!say_goodbye()) return arm_write();
  // Where very many go at once, refused ones above all, they must not keep the descriptors of those who play.
  if (shared_->lingering >= kMostLingering) return give_up("closed by the server");
  ++shared_->lingering;
  state_ = State::lingering;
  error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
  give_up_later(shared_->deadlines.linger, "did not read its last lines");
  arm_read();
  report("closed by the server");
}

// TLS: that nothing follows is a record of its own. Whether it has left, or cannot any more.
bool CsaConnection::say_goodbye() {
  if (!tls_) return true;
  error_code error;
  tls_->finish(error);
  return error != asio::error::would_block;
}

void CsaConnection::give_up_later(std::chrono::milliseconds time, std::string_view why) {
  if (!deadline_) deadline_ = std::make_unique<asio::steady_timer>(socket_.get_executor());
  deadline_->expires_after(time);
  deadline_->async_wait([self = shared_from_this(), why](error_code error) {
    if (!error) self->give_up(why);
  });
}

void CsaConnection::give_up(std::string_view why) {
  if (state_ == State::over) return;
  const auto keep = shared_from_this();
  abort();
  report(why);
  shared_->over(id_);
}

std::string CsaConnection::reason(const error_code& error) const {
  const std::string fault = tls_ ? tls_->fault() : std::string();
  return fault.empty() ? error.message() : fault;
}

void CsaConnection::report(std::string_view why) {
  if (std::exchange(reported_, true)) return;
  shared_->sink.deliver(core::Closed{id_, std::string(why)});
}

void CsaConnection::abort() {
  if (std::exchange(state_, State::over) == State::lingering) --shared_->lingering;
  tls_.reset();
  error_code ignored;
  socket_.close(ignored);
  deadline_.reset();
  out_ = std::string();
}

}  // namespace fuhyo::net
