#include "tests/support/postgres_proxy.h"

#include <cstring>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace fuhyo::test {
namespace {

sockaddr_un address_of(const std::filesystem::path& folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = (folder / ".s.PGSQL.5432").string();
  if (path.size() >= sizeof address.sun_path) throw std::runtime_error("the path of a socket is too long: " + path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::uint32_t length_at(std::string_view bytes, std::size_t at) {
  std::uint32_t length = 0;
  for (std::size_t i = at; i < at + 4; ++i) length = length << 8U | static_cast<unsigned char>(bytes[i]);
  return length;
}

// Which messages of one way make a difference: a connection begins or is let in; of what is asked together, the first
// statement, a COMMIT and the end; of the answers to it, the first and the end. At those between, the server undoes the
// same and the client knows the same.
class Difference {
 public:
  bool made_by(PostgresProxy::Way way, char type, std::string_view body) {
    const bool asked = way == PostgresProxy::Way::to_server;
    if (asked && type == 'B') commits_ = body.contains("commit");
    if (type == (asked ? 'E' : 'C')) return !std::exchange(amid_, true) || (asked && commits_);
    const bool end = type == (asked ? 'S' : 'Z');
    if (end) amid_ = false;
    return end || (asked ? type == '\0' || type == 'Q' : type == 'R');
  }

 private:
  bool amid_ = false, commits_ = false;
};

}  // namespace

// Two sockets that are closed together.
struct PostgresProxy::Link {
  int client = -1, server = -1;
  bool broken = false;  // under the proxy's lock
  void break_off() {
    broken = true;
    ::shutdown(client, SHUT_RDWR);
    ::shutdown(server, SHUT_RDWR);
  }
  ~Link() {
    ::close(client);
    ::close(server);
  }
};

PostgresProxy::PostgresProxy(std::filesystem::path folder, std::filesystem::path server_folder)
    : folder_(std::move(folder)), server_folder_(std::move(server_folder)) {
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un address = address_of(folder_);
  if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_, 32) != 0) {
    throw std::runtime_error("the proxy cannot listen in " + folder_.string());
  }
  acceptor_ = std::thread([this] { accept_all(); });
}

PostgresProxy::~PostgresProxy() {
  ::shutdown(listener_, SHUT_RDWR);  // wakes the acceptor
  acceptor_.join();
  go_away(true);
  for (std::thread& pump : pumps_) pump.join();
  ::close(listener_);
}

void PostgresProxy::set_judge(Judge judge) {
  const std::lock_guard lock(mutex_);
  judge_ = std::move(judge);
}

void PostgresProxy::cut_at(std::uint64_t n) {
  const std::lock_guard lock(mutex_);
  messages_ = 0;
  cut_at_ = n;
}

std::uint64_t PostgresProxy::messages() const {
  const std::lock_guard lock(mutex_);
  return messages_;
}

void PostgresProxy::go_away(bool away) {
  const std::lock_guard lock(mutex_);
  away_ = away;
  if (away) break_all();
}

void PostgresProxy::fall_silent(bool silent) {
  const std::lock_guard lock(mutex_);
  silent_ = silent;
  changed_.notify_all();
}

void PostgresProxy::break_all() {
  for (const auto& link : links_) link->break_off();
  links_.clear();
  changed_.notify_all();
}

void PostgresProxy::accept_all() {
  const sockaddr_un address = address_of(server_folder_);
  for (;;) {
    auto link = std::make_shared<Link>();
    link->client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (link->client < 0) return;
    link->server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const std::lock_guard lock(mutex_);
    if (away_) continue;
    if (::connect(link->server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) continue;
    links_.push_back(link);
    for (const Way way : {Way::to_server, Way::to_client}) {
      pumps_.emplace_back([this, link, way] { pump(link, way); });
    }
  }
}

bool PostgresProxy::pass(const Link& link, const Message& message, bool counts) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !silent_ || link.broken; });
  if (link.broken) return false;
  if (counts && ++messages_ == cut_at_) return false;
  return !judge_ || judge_(message);
}

void PostgresProxy::pump(const std::shared_ptr<Link>& link, Way way) {
  const int from = way == Way::to_server ? link->client : link->server;
  const int to = way == Way::to_server ? link->server : link->client;
  bool first = way == Way::to_server;  // without a type
  Difference difference;
  std::string bytes;
  char chunk[16384];
  for (bool open = true; open;) {
    const ssize_t size = ::recv(from, chunk, sizeof chunk, 0);
    if (size <= 0) break;
    bytes.append(chunk, static_cast<std::size_t>(size));
    while (open) {
      const std::size_t head = first ? 4 : 5;
      if (bytes.size() < head) break;
      const std::size_t whole = length_at(bytes, head - 4) + head - 4;
      if (bytes.size() < whole) break;
      const std::string_view message = std::string_view(bytes).substr(0, whole);
      const Message told{.way = way, .type = first ? '\0' : message.front(), .body = message.substr(head)};
      open = pass(*link, told, difference.made_by(way, told.type, told.body)) && send_all(to, message);
      first = false;
      bytes.erase(0, whole);
    }
  }
  const std::lock_guard lock(mutex_);
  link->break_off();
  std::erase(links_, link);
  changed_.notify_all();
}

}  // namespace fuhyo::test
