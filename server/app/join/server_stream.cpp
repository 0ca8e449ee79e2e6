#include "server/app/join/server_stream.h"

#include <array>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <span>
#include <utility>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/write.hpp>

#include "server/secrets/text.h"

namespace fuhyo::app {
namespace {

namespace asio = boost::asio;
namespace ssl = asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;

bool is_address(const std::string& host) {
  error_code error;
  asio::ip::make_address(host, error);
  return !error;
}

}  // namespace

ServerStream::ServerStream(asio::io_context& io, const JoinOptions& options)
    : options_(options), io_(io), socket_(io) {}

std::expected<void, std::string> ServerStream::set_up() {
  if (!options_.tls) return {};
  context_.emplace(ssl::context::tls_client);
  SSL_CTX_set_min_proto_version(context_->native_handle(), TLS1_2_VERSION);
  SSL_CTX_set_options(context_->native_handle(), SSL_OP_IGNORE_UNEXPECTED_EOF);  // lines say themselves where they end
  error_code error;
  if (options_.insecure || !options_.fingerprint.empty()) {
    context_->set_verify_mode(ssl::verify_none, error);
    return {};
  }
  context_->set_verify_mode(ssl::verify_peer, error);
  if (options_.tls_ca.empty()) {
    context_->set_default_verify_paths(error);
  } else {
    context_->load_verify_file(options_.tls_ca, error);
  }
  if (!error) return {};
  return std::unexpected(fmt::format("--tls-ca {}: {}", options_.tls_ca, error.message()));
}

void ServerStream::renew() {
  close();
  tls_.reset();
  socket_ = tcp::socket(io_);
}

void ServerStream::greet(std::function<void(const std::string&)> done) {
  if (!context_) return done({});
  tls_ = std::make_shared<Tls>(socket_, *context_);
  SSL* connection = tls_->native_handle();
  if (is_address(options_.host)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(connection), options_.host.c_str());
  } else {
    SSL_set1_host(connection, options_.host.c_str());
    // A server with several names has to know which certificate to show.
    SSL_set_tlsext_host_name(connection, options_.host.c_str());
  }
  tls_->async_handshake(Tls::client, [this, tls = tls_, done = std::move(done)](error_code error) {
    done(error ? refusal(*tls, error) : not_the_one(*tls));
  });
}

// Why the certificate is not that of the fingerprint; empty: it is, or nobody asked.
std::string ServerStream::not_the_one(Tls& tls) const {
  if (options_.fingerprint.empty()) return {};
  const std::unique_ptr<X509, void (*)(X509*)> shown(SSL_get1_peer_certificate(tls.native_handle()), X509_free);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  if (!shown || X509_digest(shown.get(), EVP_sha256(), digest.data(), &length) != 1)
    return "the server has shown no certificate";
  const std::string fingerprint = secrets::hex(std::span(digest).first(length));
  if (fingerprint == options_.fingerprint) return {};
  return fmt::format("the server's certificate is not believed: its fingerprint is {}", fingerprint);
}

std::string ServerStream::refusal(Tls& tls, const error_code& error) const {
  const long verified = SSL_get_verify_result(tls.native_handle());
  if (verified != X509_V_OK && !options_.insecure && options_.fingerprint.empty()) {
    return fmt::format("the server's certificate is not believed: {}", X509_verify_cert_error_string(verified));
  }
  return "no TLS with the server: " + error.message();
}

void ServerStream::read_some(asio::mutable_buffer into, Done done) {
  if (!tls_) return socket_.async_read_some(into, std::move(done));
  tls_->async_read_some(
      into, [tls = tls_, done = std::move(done)](error_code error, std::size_t count) { done(error, count); });
}

void ServerStream::write(asio::const_buffer bytes, Done done) {
  if (!tls_) return asio::async_write(socket_, bytes, std::move(done));
  asio::async_write(*tls_, bytes,
                    [tls = tls_, done = std::move(done)](error_code error, std::size_t count) { done(error, count); });
}

void ServerStream::close() {
  error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_both, ignored);
  socket_.close(ignored);
}

}  // namespace fuhyo::app
