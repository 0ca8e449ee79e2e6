#include "tests/support/certificates.h"

#include <fstream>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <stdexcept>

namespace fuhyo::test {
namespace {

std::string drain(BIO* bio) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio, &bytes);
  std::string text(bytes, static_cast<std::size_t>(size));
  BIO_free(bio);
  return text;
}

void require(bool fine, const char* what) {
  if (!fine) throw std::runtime_error(what);
}

}  // namespace

Key make_p256_key() {
  Key key(EVP_EC_gen("P-256"));
  require(key != nullptr, "no key");
  return key;
}

Key make_rsa_key(unsigned bits) {
  Key key(EVP_RSA_gen(bits));
  require(key != nullptr, "no key");
  return key;
}

Certificate make_certificate(EVP_PKEY& key, const CertificateOptions& options) {
  static long serial = 0;
  Certificate certificate(X509_new());
  X509* x = certificate.get();
  X509_set_version(x, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(x), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(x), options.from_s);
  X509_gmtime_adj(X509_getm_notAfter(x), options.until_s);
  X509_set_pubkey(x, &key);
  const auto* name = reinterpret_cast<const unsigned char*>(options.name.c_str());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_UTF8, name, -1, -1, 0);
  X509_set_issuer_name(x, X509_get_subject_name(options.issuer != nullptr ? options.issuer : x));
  EVP_PKEY* signer = options.issuer_key != nullptr ? options.issuer_key : &key;
  require(X509_sign(x, signer, EVP_sha256()) != 0, "no signature");
  return certificate;
}

std::string pem(X509& certificate) {
  BIO* out = BIO_new(BIO_s_mem());
  PEM_write_bio_X509(out, &certificate);
  return drain(out);
}

std::string pem(EVP_PKEY& key, const std::string& password) {
  BIO* out = BIO_new(BIO_s_mem());
  const EVP_CIPHER* cipher = password.empty() ? nullptr : EVP_aes_128_cbc();
  const auto* bytes = reinterpret_cast<const unsigned char*>(password.data());
  PEM_write_bio_PrivateKey(out, &key, cipher, bytes, static_cast<int>(password.size()), nullptr, nullptr);
  return drain(out);
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

PairFiles write_pair(const std::filesystem::path& folder, const std::string& name) {
  const Key key = make_p256_key();
  const Certificate certificate = make_certificate(*key, {.name = name});
  const PairFiles files{folder / "cert.pem", folder / "key.pem"};
  write_file(files.certificate, pem(*certificate));
  write_file(files.key, pem(*key));
  return files;
}

}  // namespace fuhyo::test
