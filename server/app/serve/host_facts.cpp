#include "server/app/serve/host_facts.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <iterator>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <random>
#include <span>
#include <sys/resource.h>
#include <unistd.h>

namespace fuhyo::app {
namespace {

constexpr std::int64_t kDay_s = 86'400, kYears = 40;

std::int32_t offset_at(std::int64_t utc_s) {
  const auto time = static_cast<std::time_t>(utc_s);
  std::tm local{};
  if (::localtime_r(&time, &local) == nullptr) return 0;  // a year that no int holds
  return static_cast<std::int32_t>(local.tm_gmtoff);
}

// The second at which the offset changes, between `low` (old offset) and `high` (another one).
std::int64_t change_between(std::int64_t low, std::int64_t high) {
  const std::int32_t before = offset_at(low);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (offset_at(middle) == before ? low : high) = middle;
  }
  return high;
}

std::string hex(std::span<const unsigned char> bytes) {
  std::string text;
  for (const unsigned char byte : bytes) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

constexpr std::size_t kSecretBytes = 32, kHashBytes = 16;

}  // namespace

core::Wall wall_now() {
  using std::chrono::duration_cast, std::chrono::microseconds;
  return {duration_cast<microseconds>(std::chrono::system_clock::now().time_since_epoch()).count()};
}

// Written beside and moved into place, so that a half written secret is never read.
std::expected<std::string, std::string> secret_of(const std::filesystem::path& file) {
  const auto refuse = [&](const char* what) {
    return std::unexpected(fmt::format("{}: {}: {}", file.string(), what, std::strerror(errno)));
  };
  std::array<char, 2 * kSecretBytes> text{};
  if (const int there = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW); there >= 0) {
    const ssize_t size = ::read(there, text.data(), text.size());
    ::close(there);
    if (size == static_cast<ssize_t>(text.size())) return std::string(text.data(), text.size());
    return std::unexpected(fmt::format("{}: is not a secret of 64 hex digits", file.string()));
  }
  if (errno != ENOENT) return refuse("cannot be read");
  std::array<unsigned char, kSecretBytes> random{};
  if (RAND_bytes(random.data(), static_cast<int>(random.size())) != 1) return std::unexpected("no random numbers");
  const std::string secret = hex(random);
  const std::string beside = file.string() + ".new";
  const int made = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (made < 0) return refuse("cannot be made");
  const bool whole = ::write(made, secret.data(), secret.size()) == static_cast<ssize_t>(secret.size());
  const bool safe = whole && ::fsync(made) == 0;
  ::close(made);
  if (!safe || ::rename(beside.c_str(), file.c_str()) != 0) return refuse("cannot be written");
  return secret;
}

std::string keyed_hash(std::string_view key, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes, text.size(), digest.data(), &length) ==
      nullptr) {
    return {};
  }
  return hex(std::span(digest).first(kHashBytes));
}

core::TimeZone local_time_zone(core::Wall from) {
  ::tzset();
  const std::int64_t first = from.us / core::kSecond - 366 * kDay_s;  // a year back: games of before a restart
  core::TimeZone zone;
  zone.spans.push_back({INT64_MIN, offset_at(first)});
  for (std::int64_t day = first; day < first + kYears * 366 * kDay_s; day += kDay_s) {
    if (offset_at(day) == offset_at(day + kDay_s)) continue;
    const std::int64_t change = change_between(day, day + kDay_s);
    zone.spans.push_back({change, offset_at(change)});
  }
  return zone;
}

std::string md5_hex(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_md5(), nullptr) != 1) return {};
  return hex(std::span(digest).first(length));
}

std::size_t raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  const rlim_t had = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  return static_cast<std::size_t>(::setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_max : had);
}

std::uint64_t random_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

}  // namespace fuhyo::app
