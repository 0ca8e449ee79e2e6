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
  ~Descriptor() { ::close(fd); }
};

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
  const std::string path = admin_socket_path(data).string();
  const auto failed = [&] { return std::unexpected(fmt::format("{}: {}", path, std::strerror(errno))); };
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return std::unexpected(path + ": the path is too long for a socket");
  path.copy(address.sun_path, path.size());
  const Descriptor socket{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (socket.fd < 0) return failed();
  if (::connect(socket.fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    if (errno != ENOENT && errno != ECONNREFUSED) return failed();
    return std::unexpected(fmt::format("no server runs on {}; did you forget --data?", data.string()));
  }
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
