#include "server/app/serve/host_facts.h"

#include <array>
#include <chrono>
#include <ctime>
#include <openssl/evp.h>
#include <random>
#include <span>
#include <sys/resource.h>

#include "server/secrets/text.h"

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

}  // namespace

core::Wall wall_now() {
  using std::chrono::duration_cast, std::chrono::microseconds;
  return {duration_cast<microseconds>(std::chrono::system_clock::now().time_since_epoch()).count()};
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
  return secrets::hex(std::span(digest).first(length));
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
