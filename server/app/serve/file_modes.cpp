#include "server/app/serve/file_modes.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pwd.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "server/store/store.h"

namespace fuhyo::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kAll = 0777, kReadOrWrite = 0666, kEnter = 0111;
constexpr std::size_t kMostNamed = 5;

std::uint32_t mode_of(const fs::path& path) {
  std::error_code error;
  return static_cast<std::uint32_t>(fs::status(path, error).permissions()) & kAll;
}

// The bits that let others in. What belongs to somebody else is open to this user by its group, as the volumes of
// containers are.
std::uint32_t others(const struct stat& status) {
  return status.st_mode & (status.st_uid == ::geteuid() ? S_IRWXG | S_IRWXO : S_IRWXO);
}

// Modes of sockets and links mean nothing.
bool is_open(const fs::path& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) return false;
  if (S_ISDIR(status.st_mode)) return (others(status) & kReadOrWrite) != 0;
  return S_ISREG(status.st_mode) && others(status) != 0;
}

bool lets_pass(const fs::path& folder) {
  struct stat status{};
  return ::stat(folder.c_str(), &status) == 0 && (others(status) & kEnter) != 0;
}

std::string named(const fs::path& path) { return fmt::format("{} ({:04o})", path.string(), mode_of(path)); }

// Where links have been followed; as it was said if it is not there.
fs::path real(const fs::path& path) {
  std::error_code error;
  const fs::path found = fs::weakly_canonical(path, error);
  return error ? path : found;
}

}  // namespace

std::vector<std::string> record_modes() { return {"0600", "0640", "0644", "0660", "0664"}; }

std::uint32_t file_mode(std::string_view text) {
  std::uint32_t mode = 0;
  std::from_chars(text.data(), text.data() + text.size(), mode, 8);
  return mode;
}

std::optional<std::string> too_open(const fs::path& data, const fs::path& records) {
  const fs::path folder = real(data), spared = real(records);
  std::vector<std::string> open;
  if (is_open(folder)) open.push_back(named(folder));
  std::error_code error;
  if (lets_pass(folder)) {
    for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::end(entry);
         entry.increment(error)) {
      if (entry->path() != spared && is_open(entry->path())) open.push_back(named(entry->path()));
    }
  }
  if (open.empty()) return std::nullopt;
  std::ranges::sort(open);  // the folder comes first: the others begin with its name
  const std::size_t more = open.size() - std::min(open.size(), kMostNamed);
  open.resize(open.size() - more);
  return fmt::format("others on this machine may read or change {}{}: chmod -R go-rwx {}", fmt::join(open, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "", folder.string());
}

std::optional<std::string> of_another_user(const fs::path& data) {
  struct stat status{};
  if (::geteuid() != 0 || ::stat(data.c_str(), &status) != 0 || status.st_uid == 0) return std::nullopt;
  const passwd* owner = ::getpwuid(status.st_uid);
  const std::string name = owner != nullptr ? owner->pw_name : fmt::format("#{}", status.st_uid);
  return fmt::format("{} belongs to {}, whose server could not write what root makes there: runuser -u {} -- fuhyo ...",
                     data.string(), name, name);
}

std::optional<std::string> store_of_another_user(std::string_view address) {
  const auto file = store::sqlite_file(address);
  return file ? of_another_user(fs::path(*file).parent_path()) : std::nullopt;
}

std::optional<std::string> out_of_reach(const fs::path& data, const fs::path& records, std::uint32_t mode) {
  const std::uint32_t enter = (mode & 044) >> 2;
  const fs::path folder = real(records), above = real(data);
  const bool inside = std::ranges::mismatch(above, folder).in1 == above.end();
  for (const fs::path& each : inside ? std::vector{above, folder} : std::vector{folder}) {
    if ((mode_of(each) & enter) == enter) continue;
    return fmt::format(
        "records-mode {:04o} does not help those whom {} keeps out: chmod {} it, or put `records` elsewhere", mode,
        named(each), each == folder ? fmt::format("{:04o}", 0700 | mode | enter) : fmt::format("{:04o}", 0700 | enter));
  }
  return std::nullopt;
}

}  // namespace fuhyo::app
