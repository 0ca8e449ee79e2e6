#include "server/app/serve/login_service.h"

#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>

#include "server/app/admin/answers.h"
#include "server/secrets/keyed_hash.h"
#include "server/secrets/password_rules.h"
#include "server/secrets/random.h"

namespace fuhyo::app {

// The web thread calls them.
net::WebOptions LoginService::web_options() {
  net::WebOptions options;
  options.log_in = [this](core::WebLogin login) { node_.post(std::move(login)); };
  options.admin = [this](core::AdminLine line) { node_.post(std::move(line)); };
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
void LoginService::choose_password(net::NewPassword chosen) {
  const auto refuse = [this, token = chosen.token](std::string why) {
    listeners_.web()->answer(core::AdminReply{.token = token, .result = refused(std::move(why)), .after = {}});
  };
  const auto post = std::ranges::find(config_.operators, chosen.name, &Operator::name);
  if (post != config_.operators.end()) return refuse("the secret of an operator stands in the configuration");
  const auto take = [this, refuse, token = chosen.token,
                     name = chosen.name](const secrets::PasswordHasher::Result& made) {
    if (!made.ok) return refuse("the password could not be taken");
    node_.post(core::PasswordChosen{.token = token, .name = name, .hash = made.encoded});
  };
  if (!hasher_.submit(secrets::PasswordHasher::Make{std::move(chosen.password)}, take)) {
    refuse("too many passwords are looked at; try again");
  }
}

// The answer comes from the hasher's thread.
void LoginService::check_password(core::CheckPassword check) {
  const auto answer = [this, token = check.token](const secrets::PasswordHasher::Result& result) {
    node_.post(core::PasswordChecked{token, result.ok, result.encoded});
  };
  const bool taken = hasher_.submit(
      secrets::PasswordHasher::Check{.encoded = std::move(check.hash), .text = std::move(check.secret)}, answer);
  if (!taken) answer({});
}

void LoginService::list_sessions(const core::HostRequest& request) {
  const auto answer = [this, token = request.token](core::AdminResult result) {
    node_.post(core::HostDone{token, std::move(result)});
  };
  if (auto* web = listeners_.web()) return web->list_web_sessions(request.rest, answer);
  answer(refused("this server has no web side"));
}

core::AdminResult LoginService::log_out(const std::string& name) {
  auto* web = listeners_.web();
  if (web == nullptr || name.empty()) return refused("logout NAME: whose sessions on the web end");
  web->end_web_sessions(name);
  return done(name + " has to log in again on the web");
}

void LoginService::end_sessions_of_former(const std::vector<Operator>& former) {
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
