#include "server/net/http_stream.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include <boost/asio/steady_timer.hpp>

#include "server/net/await.h"

namespace fuhyo::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Buffers = std::vector<asio::const_buffer>;

constexpr std::size_t kRecord = 16 * 1024;  // the longest of TLS
// A peer that takes so much within `patience` gets as much time again: 9 KB/s.
constexpr std::size_t kPatienceWorth = 256 * 1024;

void drop(Buffers& buffers, std::size_t count) {
  auto first = buffers.begin();
  while (first != buffers.end() && count >= first->size()) count -= (first++)->size();
  if (first != buffers.end()) *first += count;
  buffers.erase(buffers.begin(), first);
}

}  // namespace

struct HttpStream::State {
  State(tcp::socket socket_in, std::shared_ptr<const TlsPair> pair_in)
      : socket(std::move(socket_in)), timer(socket.get_executor()), pair(std::move(pair_in)) {}

  asio::awaitable<error_code> wait(bool reading) {
    if (timed_out) co_return asio::error::timed_out;
    const bool to_write = !reading || (channel && channel->waits_to_write());
    const auto [error] =
        co_await socket.async_wait(to_write ? tcp::socket::wait_write : tcp::socket::wait_read, kAwait);
    if (timed_out) co_return asio::error::timed_out;
    co_return error;
  }
  std::size_t read_some(asio::mutable_buffer into, error_code& error) {
    if (!channel) return socket.read_some(into, error);
    return channel->read_some({static_cast<char*>(into.data()), into.size()}, error);
  }
  // Under TLS as many of them as make one record: what is tried again then begins with the same bytes.
  std::size_t write_some(const Buffers& buffers, error_code& error) {
    if (!channel) return socket.write_some(buffers, error);
    std::array<char, kRecord> record;
    const std::size_t size = asio::buffer_copy(asio::buffer(record), buffers);
    return channel->write_some({record.data(), size}, error);
  }

  tcp::socket socket;
  asio::steady_timer timer;
  std::shared_ptr<const TlsPair> pair;
  std::unique_ptr<TlsChannel> channel;
  bool timed_out = false;
};

HttpStream::HttpStream(tcp::socket socket, std::shared_ptr<const TlsPair> pair)
    : state_(std::make_shared<State>(std::move(socket), std::move(pair))) {
  error_code ignored;
  state_->socket.non_blocking(true, ignored);
}
HttpStream::~HttpStream() = default;
HttpStream::HttpStream(HttpStream&&) noexcept = default;

bool HttpStream::secure() const { return state_->pair != nullptr; }
asio::any_io_executor HttpStream::executor() { return state_->socket.get_executor(); }

asio::awaitable<error_code> HttpStream::handshake() {
  State& s = *state_;
  if (!s.pair) co_return error_code{};
  if (const error_code silent = co_await s.wait(true)) co_return silent;
  s.channel = std::make_unique<TlsChannel>(s.pair->https(), s.socket.native_handle());
  for (;;) {
    error_code error;
    s.channel->handshake(error);
    if (error != asio::error::would_block) co_return error;
    if (const error_code failed = co_await s.wait(true)) co_return failed;
  }
}

asio::awaitable<std::pair<error_code, std::size_t>> HttpStream::read_some(asio::mutable_buffer into) {
  for (;;) {
    error_code error;
    const std::size_t count = state_->read_some(into, error);
    if (error != asio::error::would_block) co_return std::pair(error, count);
    if (const error_code failed = co_await state_->wait(true)) co_return std::pair(failed, std::size_t{0});
  }
}

asio::awaitable<error_code> HttpStream::write(Buffers buffers, std::chrono::milliseconds patience) {
  drop(buffers, 0);
  error_code error;
  bool waited = false;
  std::size_t taken = 0;  // since the last wait that was given all the patience
  while (!error && !buffers.empty()) {
    const std::size_t count = state_->write_some(buffers, error);
    drop(buffers, count);
    taken += count;
    if (error != asio::error::would_block) continue;
    if (!std::exchange(waited, true) || taken >= kPatienceWorth) {
      expires_after(patience);
      taken = 0;
    }
    error = co_await state_->wait(false);
  }
  if (waited) expires_never();
  co_return error;
}

void HttpStream::expires_after(std::chrono::milliseconds time) {
  state_->timer.expires_after(time);
  state_->timer.async_wait([weak = std::weak_ptr(state_)](error_code cancelled) {
    const auto state = weak.lock();
    // One that had run out may have been set anew before this was called.
    if (cancelled || !state || state->timer.expiry() > std::chrono::steady_clock::now()) return;
    state->timed_out = true;
    error_code ignored;
    state->socket.cancel(ignored);
  });
}

void HttpStream::expires_never() { state_->timer.expires_at(std::chrono::steady_clock::time_point::max()); }

void HttpStream::shut_down_sending() {
  error_code ignored;
  if (state_->channel) state_->channel->finish(ignored);
  state_->socket.shutdown(tcp::socket::shutdown_send, ignored);
}

void HttpStream::close() {
  error_code ignored;
  state_->timer.cancel();
  state_->channel.reset();
  state_->socket.close(ignored);
}

HttpStream::Connection HttpStream::release() {
  state_->timer.cancel();
  return {std::move(state_->socket), std::move(state_->channel)};
}

}  // namespace fuhyo::net
