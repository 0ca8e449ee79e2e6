// A TLS client for tests: believes anybody, sends bytes cut as the test wants them, waits at most for kPatience. Who
// uses it has to ignore SIGPIPE while there is a server in the process.
#pragma once

#include <csignal>
#include <fcntl.h>
#include <memory>
#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "tests/support/tcp_client.h"

namespace fuhyo::test {

class IgnoredSigpipe {  // while this lives
 public:
  IgnoredSigpipe() : former_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~IgnoredSigpipe() { std::signal(SIGPIPE, former_); }
  IgnoredSigpipe(const IgnoredSigpipe&) = delete;
  IgnoredSigpipe& operator=(const IgnoredSigpipe&) = delete;

 private:
  void (*former_)(int);
};

class TlsClient {
 public:
  // `chunk`: how many bytes of TLS leave at a time. `version`: the only one that it speaks, 0 for any.
  explicit TlsClient(const std::string& address, std::size_t chunk = 1 << 20, int version = 0, int receive_buffer = 0)
      : tcp_(address, receive_buffer), chunk_(chunk), context_(SSL_CTX_new(TLS_client_method())) {
    SSL_CTX_set_security_level(context_.get(), 0);
    if (version != 0) SSL_CTX_set_min_proto_version(context_.get(), version);
    if (version != 0) SSL_CTX_set_max_proto_version(context_.get(), version);
    ssl_.reset(SSL_new(context_.get()));
    ::fcntl(tcp_.fd(), F_SETFL, ::fcntl(tcp_.fd(), F_GETFL) | O_NONBLOCK);
    outgoing_ = BIO_new(BIO_s_mem());
    SSL_set_bio(ssl_.get(), BIO_new_socket(tcp_.fd(), BIO_NOCLOSE), outgoing_);
    SSL_set_connect_state(ssl_.get());
  }

  TcpClient& tcp() { return tcp_; }
  SSL* ssl() { return ssl_.get(); }

  bool handshake() {
    return repeat([&] { return SSL_do_handshake(ssl_.get()); }) == 1;
  }
  bool send(std::string_view bytes) {
    return repeat([&] { return SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())); }) > 0;
  }
  // The TLS bytes of this text, which do not leave.
  std::string wrap(std::string_view bytes) {
    SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size()));
    return take_outgoing();
  }
  void say_goodbye() {
    SSL_shutdown(ssl_.get());
    flush();
  }

  std::optional<std::string> line() {
    for (;;) {
      if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
        std::string result = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return result;
      }
      if (!read_some()) return std::nullopt;
    }
  }
  // Everything until the end; nothing if none comes.
  std::optional<std::string> rest() {
    while (read_some()) {
    }
    if (!ended_) return std::nullopt;
    return std::exchange(buffer_, {});
  }
  // The server said that nothing more comes, instead of breaking off.
  bool ended_well() const { return (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0; }

  std::string peer_name() const {
    const std::unique_ptr<X509, void (*)(X509*)> peer(SSL_get1_peer_certificate(ssl_.get()), X509_free);
    char text[256] = "";
    if (peer) X509_NAME_get_text_by_NID(X509_get_subject_name(peer.get()), NID_commonName, text, sizeof text);
    return text;
  }

 private:
  struct Free {
    void operator()(SSL* ssl) const { SSL_free(ssl); }
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  };

  std::string take_outgoing() {
    std::string bytes(BIO_ctrl_pending(outgoing_), '\0');
    if (!bytes.empty()) BIO_read(outgoing_, bytes.data(), static_cast<int>(bytes.size()));
    return bytes;
  }
  void flush() {
    const std::string bytes = take_outgoing();
    for (std::size_t at = 0; at < bytes.size(); at += chunk_) tcp_.send(std::string_view(bytes).substr(at, chunk_));
  }
  template <class Act>
  int repeat(Act act) {
    for (;;) {
      const int result = act();
      flush();
      if (result > 0 || SSL_get_error(ssl_.get(), result) != SSL_ERROR_WANT_READ) return result;
      pollfd wait{tcp_.fd(), POLLIN, 0};
      if (::poll(&wait, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count())) != 1) return -1;
    }
  }
  bool read_some() {
    char bytes[16 * 1024];
    const int count = repeat([&] { return SSL_read(ssl_.get(), bytes, sizeof bytes); });
    if (count > 0) buffer_.append(bytes, static_cast<std::size_t>(count));
    ended_ = ended_ || (count <= 0 && SSL_get_error(ssl_.get(), count) != SSL_ERROR_WANT_READ);
    return count > 0;
  }

  TcpClient tcp_;
  const std::size_t chunk_;
  std::unique_ptr<SSL_CTX, Free> context_;
  std::unique_ptr<SSL, Free> ssl_;
  BIO* outgoing_ = nullptr;  // ssl_'s
  std::string buffer_;
  bool ended_ = false;
};

}  // namespace fuhyo::test
