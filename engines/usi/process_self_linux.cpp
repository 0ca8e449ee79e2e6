// What Linux tells a program of itself.
#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <link.h>
#include <system_error>
#include <unistd.h>

#include "engines/usi/process_self.h"

namespace fuhyo::usi {

std::string own_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

std::string become(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(program.c_str(), pointers.data());
  return program + ": " + std::generic_category().message(errno);
}

std::set<std::filesystem::path> own_library_folders() {
  std::set<std::filesystem::path> folders;
  const auto add = [](dl_phdr_info* library, std::size_t /*size*/, void* list) {
    const std::filesystem::path file = library->dlpi_name;  // the program has no name, the kernel's own no folder
    if (file.has_parent_path()) static_cast<decltype(folders)*>(list)->insert(file.parent_path());
    return 0;
  };
  ::dl_iterate_phdr(add, &folders);
  return folders;
}

std::string process_name() {
  std::array<char, 256> host{};
  const bool known = ::gethostname(host.data(), host.size() - 1) == 0 && host[0] != '\0';
  return (known ? std::string(host.data()) : std::string("host")) + "-" + std::to_string(::getpid());
}

}  // namespace fuhyo::usi
