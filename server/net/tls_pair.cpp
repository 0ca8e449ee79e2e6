#include "server/net/tls_pair.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <utility>

namespace fuhyo::net {
namespace {

template <auto Function>
struct With {
  template <class Thing>
  void operator()(Thing* thing) const {
    Function(thing);
  }
};
using Bio = std::unique_ptr<BIO, With<BIO_free_all>>;
using Certificate = std::unique_ptr<X509, With<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, With<EVP_PKEY_free>>;

constexpr std::int64_t kSecond_us = 1'000'000, kDay_us = 86'400 * kSecond_us;
constexpr std::uintmax_t kLargestFile = 1 << 20;  // a chain has some kilobytes

// Forward secrecy (ECDHE) and authenticated encryption in all of them. TLS 1.3 has no others.
constexpr const char* kSuites12 =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
constexpr const char* kGroups = "X25519:P-256:P-384";
constexpr int kSecurityLevel = 2;  // 112 bits: RSA from 2048, no SHA-1
constexpr long kTicket_s = 2 * 3600;
constexpr std::array<unsigned char, 9> kHttp11 = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

std::string last_fault() {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  return reason == nullptr ? "unknown" : reason;
}

std::expected<std::string, std::string> read_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) return std::unexpected(fmt::format("{}: {}", path.string(), error.message()));
  if (size > kLargestFile) return std::unexpected(path.string() + ": is too large for a PEM file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.is_open()) return std::unexpected(fmt::format("{}: {}", path.string(), std::strerror(errno)));
  return text;
}

Bio reader(const std::string& text) { return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))); }

// Nobody is there to be asked for a password.
int no_password(char*, int, int, void*) { return -1; }

std::expected<std::vector<Certificate>, std::string> parse_chain(const std::filesystem::path& path) {
  const auto text = read_file(path);
  if (!text) return std::unexpected(text.error());
  const Bio from = reader(*text);
  std::vector<Certificate> chain;
  ERR_clear_error();
  while (Certificate one{PEM_read_bio_X509(from.get(), nullptr, no_password, nullptr)}) chain.push_back(std::move(one));
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  if (chain.empty() && at_end) return std::unexpected(path.string() + ": holds no certificate in PEM form");
  if (!at_end) return std::unexpected(fmt::format("{}: is damaged: {}", path.string(), last_fault()));
  return chain;
}

std::expected<Key, std::string> parse_key(const std::filesystem::path& path) {
  const auto text = read_file(path);
  if (!text) return std::unexpected(text.error());
  const Bio from = reader(*text);
  ERR_clear_error();
  Key key{PEM_read_bio_PrivateKey(from.get(), nullptr, no_password, nullptr)};
  if (key) return key;
  if (text->find("ENCRYPTED") != std::string::npos) {
    return std::unexpected(path.string() + ": is protected by a password, which nobody could type at a start");
  }
  if (text->find("PRIVATE KEY-----") == std::string::npos) {
    return std::unexpected(path.string() + ": holds no private key in PEM form");
  }
  return std::unexpected(fmt::format("{}: is damaged: {}", path.string(), last_fault()));
}

std::int64_t microseconds(const ASN1_TIME* time) {
  std::tm parts{};
  ASN1_TIME_to_tm(time, &parts);
  return static_cast<std::int64_t>(::timegm(&parts)) * kSecond_us;
}

std::string date(std::int64_t us) {
  const auto seconds = static_cast<std::time_t>(us / kSecond_us);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min);
}

std::string subject_of(const X509* certificate) {
  const Bio out(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(out.get(), X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
  char* text = nullptr;
  const long size = BIO_get_mem_data(out.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

// The browser names what it speaks; one that names other protocols alone is told so.
int choose_http11(SSL*, const unsigned char** out, unsigned char* out_size, const unsigned char* in, unsigned in_size,
                  void*) {
  unsigned char* chosen = nullptr;
  const int found = SSL_select_next_proto(&chosen, out_size, kHttp11.data(), kHttp11.size(), in, in_size);
  *out = chosen;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

bool set_rules(SSL_CTX* context) {
  SSL_CTX_set_security_level(context, kSecurityLevel);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                                   SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_mode(context,
                   SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
         SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1 &&
         SSL_CTX_set_cipher_list(context, kSuites12) == 1 && SSL_CTX_set1_groups_list(context, kGroups) == 1;
}

// The file has the private key: its readers can impersonate this server.
bool others_may_read(const std::filesystem::path& key) {
  std::error_code ignored;
  const auto permissions = std::filesystem::status(key, ignored).permissions();
  return (permissions & std::filesystem::perms::others_read) != std::filesystem::perms::none;
}

}  // namespace

struct TlsPair::Parts {
  std::vector<Certificate> chain;  // not empty; its own one first
  Key key;
};

void TlsPair::Free::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }

TlsPair::~TlsPair() = default;

std::expected<TlsPair::Context, std::string> TlsPair::make_context(const Parts& parts,
                                                                   const std::filesystem::path& certificate) {
  ERR_clear_error();
  Context context(SSL_CTX_new(TLS_server_method()));
  if (!context || !set_rules(context.get())) return std::unexpected("TLS cannot be set up: " + last_fault());
  if (SSL_CTX_use_certificate(context.get(), parts.chain.front().get()) != 1) {
    return std::unexpected(fmt::format("{}: cannot be used: {}", certificate.string(), last_fault()));
  }
  for (std::size_t i = 1; i < parts.chain.size(); ++i) {
    if (SSL_CTX_add1_chain_cert(context.get(), parts.chain[i].get()) != 1) {
      return std::unexpected(
          fmt::format("{}: certificate {} cannot be used: {}", certificate.string(), i + 1, last_fault()));
    }
  }
  if (SSL_CTX_use_PrivateKey(context.get(), parts.key.get()) != 1) {
    return std::unexpected(fmt::format("{}: its key cannot be used: {}", certificate.string(), last_fault()));
  }
  return context;
}

std::expected<std::shared_ptr<const TlsPair>, std::string> TlsPair::load(const std::filesystem::path& certificate,
                                                                         const std::filesystem::path& key,
                                                                         std::int64_t now_us) {
  auto chain = parse_chain(certificate);
  if (!chain) return std::unexpected(chain.error());
  auto parsed_key = parse_key(key);
  if (!parsed_key) return std::unexpected(parsed_key.error());
  const Parts parts{std::move(*chain), std::move(*parsed_key)};
  X509* own = parts.chain.front().get();
  if (X509_check_private_key(own, parts.key.get()) != 1) {
    return std::unexpected(fmt::format("{}: is the key of another certificate than {} (whose first one has to be its)",
                                       key.string(), certificate.string()));
  }
  auto pair = std::shared_ptr<TlsPair>(new TlsPair);
  pair->subject_ = subject_of(own);
  pair->not_after_us_ = microseconds(X509_get0_notAfter(own));
  if (pair->not_after_us_ <= now_us) {
    return std::unexpected(fmt::format("{}: expired on {}", certificate.string(), date(pair->not_after_us_)));
  }
  if (const std::int64_t from = microseconds(X509_get0_notBefore(own)); from > now_us) {
    return std::unexpected(fmt::format("{}: is not valid before {}", certificate.string(), date(from)));
  }
  for (Context* of_port : {&pair->csa_, &pair->https_}) {
    auto context = make_context(parts, certificate);
    if (!context) return std::unexpected(context.error());
    *of_port = std::move(*context);
  }
  SSL_CTX_set_options(pair->csa_.get(), SSL_OP_NO_TICKET);
  SSL_CTX_set_num_tickets(pair->csa_.get(), 0);
  SSL_CTX_set_timeout(pair->https_.get(), kTicket_s);
  SSL_CTX_set_alpn_select_cb(pair->https_.get(), choose_http11, nullptr);
  if (others_may_read(key)) {
    pair->warnings_.push_back(key.string() + ": everybody on this machine may read the key (chmod o-r)");
  }
  return pair;
}

std::int64_t TlsPair::days_left(std::int64_t now_us) const {
  const std::int64_t left = not_after_us_ - now_us;
  return left >= 0 ? left / kDay_us : -((-left + kDay_us - 1) / kDay_us);
}

}  // namespace fuhyo::net
