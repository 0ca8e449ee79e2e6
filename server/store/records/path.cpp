#include "server/store/records/path.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>

namespace fuhyo::store {
namespace {

constexpr std::size_t kLongestName = 200;  // file systems take 255; ".csa" and a temporary's ending are added

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_@+-.").contains(c);
}

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// "2026/11/21" of "2026/11/21 04:15:07"; "" for anything else.
std::string day_of(std::string_view local_time) {
  constexpr std::string_view kPattern = "dddd/dd/dd ";
  if (local_time.size() < kPattern.size()) return "";
  for (std::size_t i = 0; i < kPattern.size(); ++i) {
    const char c = local_time[i];
    if (kPattern[i] == 'd' ? c < '0' || c > '9' : c != kPattern[i]) return "";
  }
  return std::string(local_time.substr(0, kPattern.size() - 1));
}

std::string utc_day_of(core::Wall at) {
  using namespace std::chrono;
  const year_month_day day(floor<days>(sys_time<microseconds>(microseconds(at.us))));
  return fmt::format("{:04}/{:02}/{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

}  // namespace

std::string safe_file_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (is_plain(c) && !(c == '.' && name.empty())) {
      name += c;
    } else {
      name += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  if (name.empty()) return "%";
  if (name.size() <= kLongestName) return name;
  constexpr std::size_t kHashLength = 17;
  return fmt::format("{}-{:016x}", std::string_view(name).substr(0, kLongestName - kHashLength), fnv1a(text));
}

std::filesystem::path record_path(const core::GameOpened& opened) {
  std::string day = day_of(opened.local_time);
  if (day.empty()) day = utc_day_of(opened.at);
  std::filesystem::path path;
  if (opened.room != "main") path /= safe_file_name(opened.room);
  return path / day / (safe_file_name(opened.csa_id) + ".csa");
}

}  // namespace fuhyo::store
