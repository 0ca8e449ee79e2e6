#include "server/app/admin/socket.h"

#include <array>
#include <chrono>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include "server/app/admin/wire.h"

namespace fuhyo::app {
namespace {

using Socket = boost::asio::local::stream_protocol::socket;
using Error = boost::system::error_code;

constexpr std::size_t kLongestRequest = 64 * 1024;
constexpr std::size_t kMostConnections = 16;

std::string user_name(uid_t uid) {
  std::array<char, 4096> space;
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(uid, &entry, space.data(), space.size(), &found) == 0 && found != nullptr) return entry.pw_name;
  return fmt::format("uid {}", uid);
}

// Who is at the other end, if he may give commands.
std::expected<std::string, std::string> peer_of(Socket& socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
    return std::unexpected(std::string("a peer that the system does not know"));
  }
  if (peer.uid != 0 && peer.uid != ::geteuid()) return std::unexpected(user_name(peer.uid));
  return user_name(peer.uid);
}

}  // namespace

// Lives as long as somebody reads or writes.
class AdminSocket::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(AdminSocket& owner, Socket socket, std::string who)
      : owner_(owner), socket_(std::move(socket)), who_(std::move(who)), count_(owner.connections_) {
    ++*count_;
  }
  ~Connection() { --*count_; }

  void read() {
    boost::asio::async_read_until(socket_, boost::asio::dynamic_buffer(buffer_, kLongestRequest), '\n',
                                  [self = shared_from_this()](Error error, std::size_t size) {
                                    if (!error) self->request(size);
                                  });
  }
  void answer(const core::AdminResult& result) {
    out_ = admin_answer(result) + "\n";
    boost::asio::async_write(socket_, boost::asio::buffer(out_), [self = shared_from_this()](Error error, std::size_t) {
      if (!error) self->read();
    });
  }

 private:
  void request(std::size_t size) {
    const std::string text = buffer_.substr(0, size - 1);
    buffer_.erase(0, size);
    const auto line = read_admin_request(text);
    if (!line) return answer({.ok = false, .text = "that is no request", .columns = {}, .rows = {}});
    const std::uint64_t token = ++owner_.tokens_;
    owner_.asked_.emplace(token, weak_from_this());
    waiting_ = shared_from_this();  // for the answer
    owner_.hooks_.submit({.token = token, .who = who_, .text = *line});
  }
  friend class AdminSocket;

  AdminSocket& owner_;
  Socket socket_;
  const std::string who_;
  std::shared_ptr<std::size_t> count_;
  std::shared_ptr<Connection> waiting_;
  std::string buffer_, out_;
};

AdminSocket::AdminSocket(boost::asio::io_context& io, std::filesystem::path path, Hooks hooks)
    : path_(std::move(path)), hooks_(std::move(hooks)), acceptor_(io), again_(io) {}

AdminSocket::~AdminSocket() {
  for (auto& [token, connection] : asked_) {
    if (const auto alive = connection.lock()) alive->waiting_.reset();
  }
  if (acceptor_.is_open()) ::unlink(path_.c_str());
}

std::expected<void, std::string> AdminSocket::open() {
  const auto failed = [this](const Error& error) {
    return std::unexpected(fmt::format("{}: {}", path_.string(), error.message()));
  };
  if (path_.string().size() >= sizeof(sockaddr_un::sun_path)) {
    return std::unexpected(fmt::format("{}: the path is too long for a socket", path_.string()));
  }
  ::unlink(path_.c_str());
  Error error;
  acceptor_.open(boost::asio::local::stream_protocol(), error);
  if (error) return failed(error);
  ::fchmod(acceptor_.native_handle(), 0600);  // Linux gives the file the mode of the socket, from the first moment on
  acceptor_.bind(boost::asio::local::stream_protocol::endpoint(path_.string()), error);
  if (error) return failed(error);
  ::chmod(path_.c_str(), 0600);
  acceptor_.listen(boost::asio::socket_base::max_listen_connections, error);
  if (error) return failed(error);
  accept();
  return {};
}

void AdminSocket::accept() {
  acceptor_.async_accept([this](Error error, Socket socket) {
    if (error == boost::asio::error::operation_aborted) return;
    if (error) {
      again_.expires_after(std::chrono::seconds(1));
      return again_.async_wait([this](Error cancelled) {
        if (!cancelled) accept();
      });
    }
    if (*connections_ < kMostConnections) {
      if (auto who = peer_of(socket)) {
        std::make_shared<Connection>(*this, std::move(socket), std::move(*who))->read();
      } else {
        hooks_.warn(fmt::format("{} was refused at the administration socket", who.error()));
      }
    }
    accept();
  });
}

void AdminSocket::answer(const core::AdminReply& reply) {
  const auto asked = asked_.find(reply.token);
  if (asked == asked_.end()) return;
  const auto connection = asked->second.lock();
  asked_.erase(asked);
  if (!connection) return;
  connection->waiting_.reset();
  connection->answer(reply.result);
}

}  // namespace fuhyo::app
