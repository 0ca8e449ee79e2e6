// Who somebody is: passwords, which are made and checked beside the core, and sessions on the web, where people give
// commands, too. On the core's thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "server/app/config/config.h"
#include "server/app/serve/listeners.h"
#include "server/app/serve/node.h"
#include "server/net/web_options.h"
#include "server/secrets/password_hasher.h"

namespace fuhyo::app {

class LoginService {
 public:
  // All of them outlive it; the web side is that of `listeners`, if it has one, until close().
  LoginService(const ServeConfig& config, boost::asio::io_context& io, Node& node, Listeners& listeners)
      : config_(config), io_(io), node_(node), listeners_(listeners) {}

  net::WebOptions web_options();
  void check_password(core::CheckPassword check);        // the core gets the answer
  void list_sessions(const core::HostRequest& request);  // likewise
  core::AdminResult log_out(const std::string& name);
  // Of operators who are not any more what they were.
  void end_sessions_of_former(const std::vector<Operator>& former);
  std::size_t waiting() const { return hasher_.waiting(); }  // passwords
  void close() { hasher_.stop(); }

 private:
  void choose_password(net::NewPassword chosen);

  const ServeConfig& config_;
  boost::asio::io_context& io_;
  Node& node_;
  Listeners& listeners_;
  secrets::PasswordHasher hasher_;
};

}  // namespace fuhyo::app
