// The local socket of `fuhyo admin`: DATA/admin.sock, and DATA/spare.sock of a standby. Open to the server's own user
// and to root (file mode 0600, and the kernel is asked who connects). On the thread that runs `io`; never blocks.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/core/effects.h"

namespace fuhyo::app {

class AdminSocket {
 public:
  struct Hooks {
    std::function<void(core::AdminLine)> submit;
    std::function<void(const std::string&)> warn;
  };

  AdminSocket(boost::asio::io_context& io, std::filesystem::path path, Hooks hooks);
  ~AdminSocket();  // takes the file away
  AdminSocket(const AdminSocket&) = delete;
  AdminSocket& operator=(const AdminSocket&) = delete;

  // Replaces what a former process left; no other one that runs uses the path.
  std::expected<void, std::string> open();
  void answer(const core::AdminReply& reply);

 private:
  class Connection;
  void accept();

  const std::filesystem::path path_;
  const Hooks hooks_;
  boost::asio::local::stream_protocol::acceptor acceptor_;
  boost::asio::steady_timer again_;                           // after a failed accept: there may be no descriptors left
  std::map<std::uint64_t, std::weak_ptr<Connection>> asked_;  // by token
  std::uint64_t tokens_ = 0;
  std::shared_ptr<std::size_t> connections_ = std::make_shared<std::size_t>(0);
};

}  // namespace fuhyo::app
