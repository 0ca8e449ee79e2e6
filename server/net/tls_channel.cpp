#include "server/net/tls_channel.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <new>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <boost/asio/error.hpp>

namespace fuhyo::net {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

int bounded(std::size_t size) { return static_cast<int>(std::min<std::size_t>(size, INT_MAX)); }

}  // namespace

void TlsChannel::Free::operator()(ssl_st* ssl) const { SSL_free(ssl); }

TlsChannel::TlsChannel(ssl_ctx_st& context, int descriptor) : ssl_(SSL_new(&context)) {
  if (!ssl_ || SSL_set_fd(ssl_.get(), descriptor) != 1) throw std::bad_alloc();  // it fails for no other reason
  SSL_set_accept_state(ssl_.get());
}

TlsChannel::~TlsChannel() = default;

// OpenSSL keeps its errors in a queue of the thread: it is emptied before each call, so that what is in it afterwards
// is of that call.
void TlsChannel::handshake(error_code& error) {
  ERR_clear_error();
  const int result = SSL_do_handshake(ssl_.get());
  error = result == 1 ? error_code{} : outcome(result);
}

std::size_t TlsChannel::read_some(std::span<char> into, error_code& error) {
  ERR_clear_error();
  const int result = SSL_read(ssl_.get(), into.data(), bounded(into.size()));
  error = result > 0 ? error_code{} : outcome(result);
  return result > 0 ? static_cast<std::size_t>(result) : 0;
}

std::size_t TlsChannel::write_some(std::string_view bytes, error_code& error) {
  error = {};
  if (bytes.empty()) return 0;
  ERR_clear_error();
  const int result = SSL_write(ssl_.get(), bytes.data(), bounded(bytes.size()));
  if (result <= 0) error = outcome(result);
  return result > 0 ? static_cast<std::size_t>(result) : 0;
}

void TlsChannel::finish(error_code& error) {
  ERR_clear_error();
  const int result = SSL_shutdown(ssl_.get());
  error = result >= 0 ? error_code{} : outcome(result);  // 0: said; what the peer says is read as ever
}

error_code TlsChannel::outcome(int result) {
  const int system = errno;
  const int why = SSL_get_error(ssl_.get(), result);
  waits_to_write_ = why == SSL_ERROR_WANT_WRITE;
  if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) return asio::error::would_block;
  if (why == SSL_ERROR_ZERO_RETURN) return asio::error::eof;
  fault_ = ERR_peek_last_error();
  if (why == SSL_ERROR_SYSCALL && fault_ == 0 && system != 0) {
    return error_code(system, boost::system::system_category());
  }
  if (why == SSL_ERROR_SYSCALL && fault_ == 0) return asio::error::eof;
  return boost::system::errc::make_error_code(boost::system::errc::protocol_error);
}

std::string TlsChannel::fault() const {
  const char* reason = fault_ == 0 ? nullptr : ERR_reason_error_string(fault_);
  return reason == nullptr ? std::string() : std::string(reason);
}

}  // namespace fuhyo::net
