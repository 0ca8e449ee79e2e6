// A blocking TCP client for tests: sends bytes, and waits for bytes, lines and the end, at most for kPatience.
#pragma once

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

#include "tests/support/patience.h"

namespace fuhyo::test {

class TcpClient {
 public:
  // "127.0.0.1:4081" or "[::1]:4081". `receive_buffer`: SO_RCVBUF in bytes, 0 for the system's.
  explicit TcpClient(const std::string& address, int receive_buffer = 0) {
    const std::size_t colon = address.rfind(':');
    const auto port = static_cast<std::uint16_t>(std::atoi(address.c_str() + colon + 1));
    if (address.starts_with('[')) {
      sockaddr_in6 to{};
      to.sin6_family = AF_INET6;
      to.sin6_port = htons(port);
      ::inet_pton(AF_INET6, address.substr(1, colon - 2).c_str(), &to.sin6_addr);
      open(AF_INET6, reinterpret_cast<const sockaddr*>(&to), sizeof to, receive_buffer);
    } else {
      sockaddr_in to{};
      to.sin_family = AF_INET;
      to.sin_port = htons(port);
      ::inet_pton(AF_INET, address.substr(0, colon).c_str(), &to.sin_addr);
      open(AF_INET, reinterpret_cast<const sockaddr*>(&to), sizeof to, receive_buffer);
    }
  }
  TcpClient(TcpClient&& other) noexcept : fd_(std::exchange(other.fd_, -1)), buffer_(std::move(other.buffer_)) {}
  TcpClient& operator=(TcpClient&&) = delete;
  ~TcpClient() { hang_up(); }

  bool connected() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  void hang_up() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  void reset() {  // RST instead of FIN
    const linger now{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    hang_up();
  }
  void shut_down_sending() { ::shutdown(fd_, SHUT_WR); }
  // Waits until the peer's kernel has all that was sent, the end of the stream too: nothing is unacknowledged.
  bool delivered() const {
    return eventually([this] {
      int unacknowledged = 0;
      return ::ioctl(fd_, SIOCOUTQ, &unacknowledged) == 0 && unacknowledged == 0;
    });
  }

  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) {
        if (ready(POLLOUT)) continue;
      }
      if (count < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  // The next line without its LF; nothing if none came or the peer closed.
  std::optional<std::string> line() {
    while (buffer_.find('\n') == std::string::npos) {
      if (!read_some()) return std::nullopt;
    }
    std::string text = until("\n");
    text.pop_back();
    return text;
  }

  // Reads until `text` has come; returns everything up to and including it, or what came if it did not come.
  std::string until(std::string_view text) {
    std::size_t at = 0, searched = 0;
    while ((at = buffer_.find(text, searched)) == std::string::npos) {
      searched = buffer_.size() - std::min(buffer_.size(), text.size());
      if (!read_some()) return std::exchange(buffer_, {});
    }
    std::string result = buffer_.substr(0, at + text.size());
    buffer_.erase(0, at + text.size());
    return result;
  }

  // Everything until the peer closes; nothing if it does not close.
  std::optional<std::string> rest() {
    while (read_some()) {
    }
    if (!ended_) return std::nullopt;
    return std::exchange(buffer_, {});
  }

 private:
  void open(int family, const sockaddr* to, socklen_t size, int receive_buffer) {
    fd_ = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (receive_buffer > 0) ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    const int on = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::connect(fd_, to, size) != 0) hang_up();
  }

  bool ready(short events) const {
    pollfd wait{fd_, events, 0};
    return ::poll(&wait, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count())) == 1;
  }
  bool read_some() {
    if (!ready(POLLIN)) return false;
    char bytes[16 * 1024];
    const ssize_t count = ::recv(fd_, bytes, sizeof bytes, 0);
    if (count <= 0) {
      ended_ = true;
      return false;
    }
    buffer_.append(bytes, static_cast<std::size_t>(count));
    return true;
  }

  int fd_ = -1;
  std::string buffer_;
  bool ended_ = false;
};

}  // namespace fuhyo::test
