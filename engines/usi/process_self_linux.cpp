// What Linux tells a program of itself.
#include <array>
#include <filesystem>
#include <unistd.h>

#include "engines/usi/process_self.h"

namespace fuhyo::usi {

std::string own_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

std::string process_name() {
  std::array<char, 256> host{};
  const bool known = ::gethostname(host.data(), host.size() - 1) == 0 && host[0] != '\0';
  return (known ? std::string(host.data()) : std::string("host")) + "-" + std::to_string(::getpid());
}

}  // namespace fuhyo::usi
