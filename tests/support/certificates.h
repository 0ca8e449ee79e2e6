// Keys and certificates for tests, made when they are needed: nothing of them is kept anywhere.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <string>

namespace fuhyo::test {

struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
struct FreeCertificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
using Key = std::unique_ptr<EVP_PKEY, FreeKey>;
using Certificate = std::unique_ptr<X509, FreeCertificate>;

Key make_p256_key();
Key make_rsa_key(unsigned bits);

struct CertificateOptions {
  std::string name = "localhost";                           // its common name
  std::int64_t from_s = -3600, until_s = 90LL * 24 * 3600;  // from now
  X509* issuer = nullptr;                                   // null: signed by itself
  EVP_PKEY* issuer_key = nullptr;
};
Certificate make_certificate(EVP_PKEY& key, const CertificateOptions& options = {});

std::string pem(X509& certificate);
// `password`: empty for none.
std::string pem(EVP_PKEY& key, const std::string& password = {});

// A pair in two files of a folder, for whoever only needs one that works.
struct PairFiles {
  std::filesystem::path certificate, key;
};
PairFiles write_pair(const std::filesystem::path& folder, const std::string& name = "localhost");

void write_file(const std::filesystem::path& path, const std::string& text);  // readable by its owner alone

}  // namespace fuhyo::test
