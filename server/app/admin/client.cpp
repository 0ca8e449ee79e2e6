#include "server/app/admin/client.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/app/admin/wire.h"

namespace fuhyo::app {
namespace {

constexpr timeval kPatience{.tv_sec = 60, .tv_usec = 0};

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

// -1: errno says why. The path fits into an address.
int connected_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, path.size());
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
  const int why = errno;
  ::close(fd);
  errno = why;
  return -1;
}

bool nobody_listens() { return errno == ENOENT || errno == ECONNREFUSED; }

bool send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

std::expected<std::string, std::string> ask_server(const std::filesystem::path& data, const std::string& line) {
  std::string path = admin_socket_path(data).string();
  const auto failed = [&] { return std::unexpected(fmt::format("{}: {}", path, std::strerror(errno))); };
  if (path.size() >= sizeof(sockaddr_un::sun_path)) {
    return std::unexpected(path + ": the path is too long for a socket");
  }
  Descriptor socket{connected_to(path)};
  if (socket.fd < 0 && nobody_listens()) {
    path = spare_socket_path(data).string();  // as long
    socket.fd = connected_to(path);
  }
  if (socket.fd < 0 && nobody_listens()) {
    return std::unexpected(fmt::format("no server runs on {}; did you forget --data, or --config?", data.string()));
  }
  if (socket.fd < 0) return failed();
  ::setsockopt(socket.fd, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  if (!send_all(socket.fd, admin_request(line) + "\n")) return failed();
  std::string answer;
  for (std::array<char, 65536> buffer; !answer.ends_with('\n');) {
    const ssize_t count = ::recv(socket.fd, buffer.data(), buffer.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed();
    if (count == 0) return std::unexpected(path + ": the server hung up (only its own user and root may ask)");
    answer.append(buffer.data(), static_cast<std::size_t>(count));
  }
  answer.pop_back();
  return answer;
}

}  // namespace fuhyo::app
