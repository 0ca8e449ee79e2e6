// What operators ask of the shell of the server: configuration, engines, the end, and what only files can answer.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <made/host_commands.h>
#include <utility>

#include <boost/asio/post.hpp>

#include "server/app/admin/answers.h"
#include "server/app/admin/files.h"
#include "server/app/admin/wire.h"
#include "server/app/serve/game_rules.h"
#include "server/app/serve/game_server.h"
#include "server/core/counted.h"

namespace fuhyo::app {

// Without the socket the server does its work all the same.
void GameServer::open_admin_socket() {
  AdminSocket::Hooks hooks;
  hooks.submit = [this](core::AdminLine line) { node_.deliver(std::move(line)); };
  hooks.warn = log_.warner();
  admin_ = std::make_unique<AdminSocket>(io_, admin_socket_path(config_.data), std::move(hooks));
  if (const auto opened = admin_->open(); !opened) log_.warning("no administration socket: " + opened.error());
}

void GameServer::host_request(const core::HostRequest& request) {
  using core::HostCommand;
  const auto answer = [&](core::AdminResult result) {
    node_.deliver(core::HostDone{request.token, std::move(result)});
  };
  const auto* verb = std::ranges::find(core::kHostCommandWords, request.verb);
  const auto command = static_cast<HostCommand>(verb - std::begin(core::kHostCommandWords));
  switch (command) {
    case HostCommand::load_positions:
    case HostCommand::load_accounts:
    case HostCommand::tournament_new:
    case HostCommand::tournament_check:
    case HostCommand::tournament_write:
      return files_.answer(command, request);
    case HostCommand::logins:
      return logins_.list_sessions(request);
    case HostCommand::results:
    case HostCommand::export_:
    case HostCommand::audit:
      return files_.run([request, files = AdminFiles{storage_.store(), config_.records_folder()}] {
        return core::HostDone{request.token, ask_files(files, request.verb, request.rest)};
      });
    case HostCommand::reload:
      return answer(reload());
    case HostCommand::engines:
      return answer(builtin_.engines());
    case HostCommand::seat:
      return answer(builtin_.seat(request.rest));
    case HostCommand::unseat:
      return answer(builtin_.unseat(request.rest));
    case HostCommand::workers:
      return answer(builtin_.workers());
    case HostCommand::worker_drop:
      return answer(builtin_.drop_worker(request.rest));
    case HostCommand::logout:
      return answer(logins_.log_out(request.rest));
    case HostCommand::store:
      return answer(store_counters());
    case HostCommand::delays:
      return answer(delays_->table());
    case HostCommand::drain:
      // Posted: the answer leaves before there is nobody to hear it.
      boost::asio::post(io_, [this] { drain(); });
      return answer(done(fmt::format("no new games; the server ends after the last one, at the latest in {} s",
                                     config_.drain_timeout_s)));
  }
}

core::AdminResult GameServer::reload() {
  const std::vector<Operator> former = config_.operators;
  const auto change = live_config_.reread();
  if (!change) return refused(change.error());
  node_.change_rules(game_rules(config_, storage_.keys()));
  logins_.end_sessions_of_former(former);
  builtin_.change_workers();
  std::vector<std::string> faults = files_.read();
  storage_.ask_for_ratings();
  std::string text =
      change->made.empty() ? "nothing changed" : fmt::format("changed: {}", fmt::join(change->made, ", "));
  text += "; the files of floodgate groups and rooms are read again";
  if (!change->later.empty()) text += fmt::format("; with the next start: {}", fmt::join(change->later, ", "));
  if (listeners_.certificate().pair()) {
    const auto fine = listeners_.reload_certificate();
    if (!fine) faults.push_back("the TLS certificate stays as it was: " + fine.error());
    if (fine) {
      builtin_.use(listeners_.certificate().pair());
      reporter_.count_certificate();
      text += "; the TLS certificate ends in " + core::counted(listeners_.certificate().days_left(), "day");
    }
  }
  if (!faults.empty()) return refused(fmt::format("{}; {}", text, fmt::join(faults, "; ")));
  return done(std::move(text));
}

core::AdminResult GameServer::store_counters() {
  core::AdminResult result{.ok = true, .text = {}, .columns = {"figure", "value"}, .rows = {}};
  for (store::Counter& counter : storage_.journal().counters()) {
    result.rows.push_back({std::move(counter.what), std::move(counter.value)});
  }
  return result;
}

}  // namespace fuhyo::app
