#include "engines/usi/process_hidden_paths_linux.h"

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
int make_mounts_slave() noexcept { return ::mount("none", "/", nullptr, MS_REC | MS_SLAVE, nullptr) == 0 ? 0 : errno; }

int mount_over_folder(const char* path) noexcept {
  return ::mount("none", path, "tmpfs", kBare, kSmall) == 0 ? 0 : errno;
}
int mount_over_file(const char* path) noexcept {
  return ::mount("/dev/null", path, nullptr, MS_BIND, nullptr) == 0 ? 0 : errno;
}

// What has gone meanwhile need not be hidden.
bool is_gone(int error) noexcept { return error == ENOENT || error == ENOTDIR; }

// Without those that lie in another.
std::vector<fs::path> outermost(std::vector<fs::path> places) {
  std::ranges::sort(places);
  std::vector<fs::path> outer;
  for (fs::path& place : places) {
    const bool inside = std::ranges::any_of(outer, [&](const fs::path& each) { return holds(each, place); });
    if (!inside) outer.push_back(std::move(place));
  }
  return outer;
}

}  // namespace

bool holds(const fs::path& folder, const fs::path& place) {
  const auto [end, rest] = std::ranges::mismatch(folder, place);
  return end == folder.end() || (std::next(end) == folder.end() && end->empty());
}

HiddenPaths::HiddenPaths(std::vector<fs::path> hidden, const std::vector<fs::path>& visible,
                         const fs::path& working_dir) {
  std::error_code error;
  std::erase_if(hidden, [&](const fs::path& place) {
    return place == "/" || !fs::exists(place, error) || std::ranges::find(visible, place) != visible.end();
  });
  const std::vector<fs::path> stays = outermost(visible);
  for (const fs::path& place : outermost(std::move(hidden))) {
    HiddenPath path{.path = place.string(), .is_folder = fs::is_directory(place, error), .visible = {}};
    for (const fs::path& each : stays) {
      if (!holds(place, each)) continue;
      VisiblePath one{.path = each.string(), .folders = {}, .is_folder = fs::is_directory(each, error)};
      for (fs::path outer = each.parent_path(); outer != place; outer = outer.parent_path()) {
        one.folders.insert(one.folders.begin(), outer.string());
      }
      path.visible.push_back(std::move(one));
    }
    if (holds(place, working_dir)) working_dir_ = working_dir.string();
    paths_.push_back(std::move(path));
  }
}

int HiddenPaths::restore(VisiblePath& visible) noexcept {
  if (visible.tree_fd < 0) return 0;
  for (const std::string& folder : visible.folders) ::mkdir(folder.c_str(), 0755);
  if (visible.is_folder) {
    ::mkdir(visible.path.c_str(), 0755);
  } else if (const int file = ::open(visible.path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0444); file >= 0) {
    ::close(file);
  }
  const long moved = ::syscall(SYS_move_mount, visible.tree_fd, "", AT_FDCWD, visible.path.c_str(), kFromDescriptor);
  const int error = moved == 0 ? 0 : errno;
  ::close(std::exchange(visible.tree_fd, -1));
  return error;
}

int HiddenPaths::mount_over(HiddenPath& path) noexcept {
  if (!path.is_folder) return mount_over_file(path.path.c_str());
  if (const int error = mount_over_folder(path.path.c_str()); error != 0) return error;
  for (VisiblePath& each : path.visible) {
    if (const int error = restore(each); error != 0) return error;
  }
  constexpr unsigned long kClosed = MS_REMOUNT | MS_BIND | MS_RDONLY | kBare;
  return ::mount("none", path.path.c_str(), nullptr, kClosed, nullptr) == 0 ? 0 : errno;
}

int HiddenPaths::hide() noexcept {
  if (paths_.empty()) return 0;
  if (const int error = make_mounts_slave(); error != 0) return error;
  for (HiddenPath& each : paths_) {
    for (VisiblePath& visible : each.visible) {
      visible.tree_fd = static_cast<int>(
          ::syscall(SYS_open_tree, AT_FDCWD, visible.path.c_str(), kClone | kWhole | static_cast<unsigned>(O_CLOEXEC)));
      if (visible.tree_fd < 0 && !is_gone(errno)) return errno;
    }
  }
  for (HiddenPath& each : paths_) {
    if (const int error = mount_over(each); error != 0 && !is_gone(error)) return error;
  }
  // The process would still stand in the folder below the mount.
  if (working_dir_.empty() || ::chdir(working_dir_.c_str()) == 0) return 0;
  return ::chdir("/") == 0 ? 0 : errno;
}

int try_to_hide() noexcept {
  if (const int error = make_mounts_slave(); error != 0) return error;
  if (const int error = mount_over_file("/dev/null"); error != 0) return error;
  return mount_over_folder("/");
}

}  // namespace fuhyo::usi
