#include "engines/usi/process_veil_linux.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <iterator>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace fuhyo::usi {
namespace {

namespace fs = std::filesystem;

constexpr unsigned long kBare = MS_NOSUID | MS_NODEV | MS_NOEXEC;
constexpr const char* kSmall = "size=64k,nr_inodes=1k,mode=0755";
// Of open_tree() and move_mount(), which the headers of the oldest system that this is built on do not all have.
constexpr unsigned kClone = 1, kWhole = 0x8000 /* AT_RECURSIVE */, kFromDescriptor = 4;

// What is mounted here stays here; what the machine unmounts goes here, too.
int leave_the_others_alone() noexcept {
  return ::mount("none", "/", nullptr, MS_REC | MS_SLAVE, nullptr) == 0 ? 0 : errno;
}

int cover_folder(const char* path) noexcept { return ::mount("none", path, "tmpfs", kBare, kSmall) == 0 ? 0 : errno; }
int cover_file(const char* path) noexcept {
  return ::mount("/dev/null", path, nullptr, MS_BIND, nullptr) == 0 ? 0 : errno;
}

// What has gone meanwhile need not be hidden.
bool is_gone(int error) noexcept { return error == ENOENT || error == ENOTDIR; }

// Without those that lie in another.
std::vector<fs::path> outermost(std::vector<fs::path> places) {
  std::ranges::sort(places);
  std::vector<fs::path> outer;
  for (fs::path& place : places) {
    const bool covered = std::ranges::any_of(outer, [&](const fs::path& each) { return holds(each, place); });
    if (!covered) outer.push_back(std::move(place));
  }
  return outer;
}

}  // namespace

bool holds(const fs::path& folder, const fs::path& place) {
  const auto [end, rest] = std::ranges::mismatch(folder, place);
  return end == folder.end() || (std::next(end) == folder.end() && end->empty());
}

Veil::Veil(std::vector<fs::path> hidden, const std::vector<fs::path>& kept, const fs::path& working_dir) {
  std::error_code error;
  std::erase_if(hidden, [&](const fs::path& place) {
    return place == "/" || !fs::exists(place, error) || std::ranges::find(kept, place) != kept.end();
  });
  const std::vector<fs::path> stays = outermost(kept);
  for (const fs::path& place : outermost(std::move(hidden))) {
    Cover cover{.path = place.string(), .is_folder = fs::is_directory(place, error), .kept = {}};
    for (const fs::path& each : stays) {
      if (!holds(place, each)) continue;
      Kept one{.path = each.string(), .folders = {}, .is_folder = fs::is_directory(each, error)};
      for (fs::path outer = each.parent_path(); outer != place; outer = outer.parent_path()) {
        one.folders.insert(one.folders.begin(), outer.string());
      }
      cover.kept.push_back(std::move(one));
    }
    if (holds(place, working_dir)) working_dir_ = working_dir.string();
    covers_.push_back(std::move(cover));
  }
}

int Veil::lay_down(Kept& kept) noexcept {
  if (kept.taken < 0) return 0;
  for (const std::string& folder : kept.folders) ::mkdir(folder.c_str(), 0755);
  if (kept.is_folder) {
    ::mkdir(kept.path.c_str(), 0755);
  } else if (const int file = ::open(kept.path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0444); file >= 0) {
    ::close(file);
  }
  const long moved = ::syscall(SYS_move_mount, kept.taken, "", AT_FDCWD, kept.path.c_str(), kFromDescriptor);
  const int error = moved == 0 ? 0 : errno;
  ::close(std::exchange(kept.taken, -1));
  return error;
}

int Veil::cover(Cover& cover) noexcept {
  if (!cover.is_folder) return cover_file(cover.path.c_str());
  if (const int error = cover_folder(cover.path.c_str()); error != 0) return error;
  for (Kept& each : cover.kept) {
    if (const int error = lay_down(each); error != 0) return error;
  }
  constexpr unsigned long kClosed = MS_REMOUNT | MS_BIND | MS_RDONLY | kBare;
  return ::mount("none", cover.path.c_str(), nullptr, kClosed, nullptr) == 0 ? 0 : errno;
}

int Veil::draw() noexcept {
  if (covers_.empty()) return 0;
  if (const int error = leave_the_others_alone(); error != 0) return error;
  for (Cover& each : covers_) {
    for (Kept& kept : each.kept) {
      kept.taken = static_cast<int>(
          ::syscall(SYS_open_tree, AT_FDCWD, kept.path.c_str(), kClone | kWhole | static_cast<unsigned>(O_CLOEXEC)));
      if (kept.taken < 0 && !is_gone(errno)) return errno;
    }
  }
  for (Cover& each : covers_) {
    if (const int error = cover(each); error != 0 && !is_gone(error)) return error;
  }
  // It would still stand below the cover.
  if (working_dir_.empty() || ::chdir(working_dir_.c_str()) == 0) return 0;
  return ::chdir("/") == 0 ? 0 : errno;
}

int try_to_cover() noexcept {
  if (const int error = leave_the_others_alone(); error != 0) return error;
  if (const int error = cover_file("/dev/null"); error != 0) return error;
  return cover_folder("/");
}

}  // namespace fuhyo::usi
