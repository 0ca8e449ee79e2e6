#include "server/app/serve/service_manager.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <sstream>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace fuhyo::app {

void notify_service_manager(std::string_view state) {
  const char* name = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (name == nullptr || std::strlen(name) >= sizeof address.sun_path) return;
  std::strcpy(address.sun_path, name);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(name));
  if (*name == '@') address.sun_path[0] = '\0';  // a name that is no file
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  ::sendto(fd, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), size);
  ::close(fd);
}

bool is_logged_by_journal() {
  const char* stream = std::getenv("JOURNAL_STREAM");
  struct stat status{};
  if (stream == nullptr || ::fstat(STDERR_FILENO, &status) != 0) return false;
  return fmt::format("{}:{}", status.st_dev, status.st_ino) == stream;
}

void print_errors(const std::string& lines) {
  const std::string_view level = is_logged_by_journal() ? "<3>" : "";
  std::istringstream read(lines);
  for (std::string line; std::getline(read, line);) fmt::print(stderr, "{}{}\n", level, line);
}

}  // namespace fuhyo::app
