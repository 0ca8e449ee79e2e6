// People on the web: the HTTP side asks here, on the core's thread, who somebody is, and hands on what he commands.
#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>

#include "server/app/serve/game_server.h"
#include "server/secrets/keyed_hash.h"
#include "server/secrets/password_rules.h"
#include "server/secrets/random.h"

namespace fuhyo::app {

net::WebOptions GameServer::web_options() {
  net::WebOptions options;
  options.log_in = [this](core::WebLogin login) {
    boost::asio::post(io_, [this, login = std::move(login)] { node_.deliver(login); });
  };
  options.admin = [this](core::AdminLine line) {
    boost::asio::post(io_, [this, line = std::move(line)] { node_.deliver(line); });
  };
  options.choose = [this](net::NewPassword chosen) {
    boost::asio::post(io_, [this, chosen = std::move(chosen)] { choose_password(chosen); });
  };
  options.why_no_password = [servers = std::vector<std::string>{"fuhyo", config_.event}](std::string_view name,
                                                                                         const csa::Secret& password) {
    return secrets::why_no_password(password.reveal(), name, servers);
  };
  // A key of this process: sessions end with it.
  options.secrets = {
      .random_id = secrets::random_token,
      .keyed_hash = [key = secrets::random_token()](std::string_view text) { return secrets::keyed_hash(key, text); }};
  return options;
}

// The hash is made beside the core, and comes from the hasher's thread. The core answers when it is durable.
void GameServer::choose_password(net::NewPassword chosen) {
  const auto answer = [this, token = chosen.token](bool ok, std::string text) {
    listeners_.web()->answer(core::AdminReply{
        .token = token, .result = {.ok = ok, .text = std::move(text), .columns = {}, .rows = {}}, .after = {}});
  };
  const auto post = std::ranges::find(config_.operators, chosen.name, &Operator::name);
  if (post != config_.operators.end()) return answer(false, "the secret of an operator stands in the configuration");
  const auto take = [this, answer, token = chosen.token,
                     name = chosen.name](const secrets::PasswordHasher::Result& made) {
    if (!made.ok) return answer(false, "the password could not be taken");
    boost::asio::post(io_, [this, chosen = core::PasswordChosen{.token = token, .name = name, .hash = made.encoded}] {
      node_.deliver(chosen);
    });
  };
  if (!hasher_.submit(secrets::PasswordHasher::Make{std::move(chosen.password)}, take)) {
    answer(false, "too many passwords are looked at; try again");
  }
}

void GameServer::list_web_logins(const core::HostRequest& request) {
  const auto answer = [this, token = request.token](core::AdminResult result) {
    boost::asio::post(io_, [this, done = core::HostDone{token, std::move(result)}] { node_.deliver(done); });
  };
  if (auto* web = listeners_.web()) return web->list_web_sessions(request.rest, answer);
  answer({.ok = false, .text = "this server has no web side", .columns = {}, .rows = {}});
}

core::AdminResult GameServer::log_out(const std::string& name) {
  const bool can = listeners_.web() != nullptr && !name.empty();
  if (can) listeners_.web()->end_web_sessions(name);
  return {.ok = can,
          .text = can ? name + " has to log in again on the web" : "logout NAME: whose sessions on the web end",
          .columns = {},
          .rows = {}};
}

void GameServer::end_web_sessions_of_former(const std::vector<Operator>& former) {
  auto* web = listeners_.web();
  if (web == nullptr) return;
  for (const Operator& post : former) {
    const auto same = std::ranges::find_if(config_.operators, [&](const Operator& now) {
      return now.name == post.name && now.role == post.role && now.secret_hash == post.secret_hash;
    });
    if (same == config_.operators.end()) web->end_web_sessions(post.name);
  }
}

}  // namespace fuhyo::app
