#include "tests/support/postgres_proxy.h"

#include <chrono>
#include <cstring>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace fuhyo::test {
namespace {

constexpr int kSlice_ms = 20;

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

// What a message more or less makes a difference for: a connection begins or is let in, a statement is executed or the
// end of a transaction is reached, and the same done and told. The others belong to one of these.
bool counts(PostgresProxy::Way way, char type) {
  constexpr std::string_view kAsked("\0EQS", 4), kTold("RCZ");
  return (way == PostgresProxy::Way::to_server ? kAsked : kTold).contains(type);
}

}  // namespace

// Two sockets that are closed together.
struct PostgresProxy::Link {
  int client = -1, server = -1;
  std::atomic<bool> broken{false};
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
  stop_ = true;
  acceptor_.join();
  break_all();
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
  away_ = away;
  if (away) break_all();
}

void PostgresProxy::fall_silent(bool silent) { silent_ = silent; }

void PostgresProxy::break_all() {
  const std::lock_guard lock(mutex_);
  for (const auto& link : links_) link->break_off();
  links_.clear();
}

void PostgresProxy::accept_all() {
  const sockaddr_un address = address_of(server_folder_);
  while (!stop_) {
    pollfd ready{.fd = listener_, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, kSlice_ms) <= 0) continue;
    auto link = std::make_shared<Link>();
    link->client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (link->client < 0 || away_) continue;
    link->server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::connect(link->server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) continue;
    const std::lock_guard lock(mutex_);
    links_.push_back(link);
    for (const Way way : {Way::to_server, Way::to_client}) {
      pumps_.emplace_back([this, link, way] { pump(link, way); });
    }
  }
}

bool PostgresProxy::pass(Way way, char type, std::string_view body) {
  const std::lock_guard lock(mutex_);
  if (counts(way, type) && ++messages_ == cut_at_) return false;
  return !judge_ || judge_({.way = way, .type = type, .body = body});
}

void PostgresProxy::pump(const std::shared_ptr<Link>& link, Way way) {
  const int from = way == Way::to_server ? link->client : link->server;
  const int to = way == Way::to_server ? link->server : link->client;
  bool first = way == Way::to_server;  // without a type
  std::string bytes;
  char chunk[16384];
  while (!stop_ && !link->broken) {
    pollfd ready{.fd = from, .events = POLLIN, .revents = 0};
    if (silent_) std::this_thread::sleep_for(std::chrono::milliseconds(kSlice_ms));
    // Once more: what comes after the silence has begun must not pass.
    if (silent_ || ::poll(&ready, 1, kSlice_ms) <= 0 || silent_) continue;
    const ssize_t size = ::recv(from, chunk, sizeof chunk, 0);
    if (size <= 0) break;
    bytes.append(chunk, static_cast<std::size_t>(size));
    for (;;) {
      const std::size_t head = first ? 4 : 5;
      if (bytes.size() < head) break;
      const std::size_t whole = length_at(bytes, head - 4) + head - 4;
      if (bytes.size() < whole) break;
      const std::string_view message = std::string_view(bytes).substr(0, whole);
      if (!pass(way, first ? '\0' : message.front(), message.substr(head)) || !send_all(to, message)) {
        link->break_off();
        return;
      }
      first = false;
      bytes.erase(0, whole);
    }
  }
  link->break_off();
}

}  // namespace fuhyo::test
