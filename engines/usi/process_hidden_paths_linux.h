// Hides paths from a child process, with their names and sizes: mounts empty folders and files over them, in a mount
// namespace of the child. Landlock forbids reading, but not stat() of a file whose name the process guesses. Linux
// only.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

namespace fuhyo::usi {

class HiddenPaths {
 public:
  HiddenPaths() = default;
  // All are real paths. `visible`: paths in a hidden folder that stay visible. Paths that do not exist are ignored.
  HiddenPaths(std::vector<std::filesystem::path> hidden, const std::vector<std::filesystem::path>& visible,
              const std::filesystem::path& working_dir);
  HiddenPaths(HiddenPaths&& other) noexcept = default;
  HiddenPaths& operator=(HiddenPaths&&) noexcept = default;

  // In a child with a mount namespace of its own and the right to mount; once, with nothing but async-signal-safe
  // calls. 0, or the errno of what failed.
  int hide() noexcept;

 private:
  // A path in a hidden folder that stays visible: cloned (tree_fd) before the mounts, and attached again after them.
  struct VisiblePath {
    std::string path;
    std::vector<std::string> folders;  // its parents in the hidden folder, the outermost first
    bool is_folder = false;
    int tree_fd = -1;
  };
  struct HiddenPath {
    std::string path;
    bool is_folder = false;
    std::vector<VisiblePath> visible;
  };
  static int mount_over(HiddenPath& path) noexcept;
  static int restore(VisiblePath& visible) noexcept;

  std::vector<HiddenPath> paths_;
  std::string working_dir_;  // not empty: it lies in a hidden folder, and must be entered again
};

// Whether `place` is `folder`, or lies in it.
bool holds(const std::filesystem::path& folder, const std::filesystem::path& place);

// In a child with namespaces: tests whether hide() works. Async-signal-safe; 0 or errno.
int try_to_hide() noexcept;

}  // namespace fuhyo::usi
