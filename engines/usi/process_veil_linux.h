// What a child process is not to see at all, not even a name or a size: empty folders and files are mounted over it,
// in a mount namespace of the child's own. Landlock keeps a process from reading; it does not keep it from asking for
// the size of a file whose name it guesses. Linux only.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

namespace fuhyo::usi {

class Veil {
 public:
  Veil() = default;
  // Places are real paths. `kept`: what stays although it lies in a hidden folder. What does not exist is left out.
  Veil(std::vector<std::filesystem::path> hidden, const std::vector<std::filesystem::path>& kept,
       const std::filesystem::path& working_dir);
  Veil(Veil&& other) noexcept = default;
  Veil& operator=(Veil&&) noexcept = default;

  // In a child with a mount namespace of its own and the right to mount; once, with nothing but async-signal-safe
  // calls. 0, or the errno of what failed.
  int draw() noexcept;

 private:
  // What stays of a hidden folder is taken before anything is covered, and laid down in the empty one.
  struct Kept {
    std::string path;
    std::vector<std::string> folders;  // to be made for it, from the outside
    bool is_folder = false;
    int taken = -1;
  };
  struct Cover {
    std::string path;
    bool is_folder = false;
    std::vector<Kept> kept;
  };
  static int cover(Cover& cover) noexcept;
  static int lay_down(Kept& kept) noexcept;

  std::vector<Cover> covers_;
  std::string working_dir_;  // not empty: it lies in a hidden folder, and is gone into anew
};

// Whether `place` is `folder`, or lies in it.
bool holds(const std::filesystem::path& folder, const std::filesystem::path& place);

// In a child with namespaces: whether it may do what draw() does. Async-signal-safe; 0 or errno.
int try_to_cover() noexcept;

}  // namespace fuhyo::usi
