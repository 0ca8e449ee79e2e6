// What operators ask of the shell of the server: configuration, engines, the end, and what only files can answer.
#include <algorithm>
#include <array>
#include <filesystem>
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
namespace {

// What reload() takes over while the server runs; the others need a restart.
constexpr std::array<std::string_view, 17> kReloadable = {
    "resume",         "resume-window", "resume-times",   "loss-grace",          "operator", "tls-cert",
    "admin-networks", "exempt",        "max-moves",      "least-time-per-move", "event",    "tls-key",
    "accounts",       "entry",         "reserved-names", "duplicate-login",     "worker"};

}  // namespace

// Without the socket the server does its work all the same.
void GameServer::open_admin_socket() {
  AdminSocket::Hooks hooks;
  hooks.submit = [this](core::AdminLine line) { node_.deliver(std::move(line)); };
  hooks.warn = [this](const std::string& text) { log_.warning(text); };
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
      return answer(builtin_->engines());
    case HostCommand::seat:
      return answer(builtin_->seat(request.rest));
    case HostCommand::unseat:
      return answer(builtin_->unseat(request.rest));
    case HostCommand::workers:
      return answer(builtin_->workers());
    case HostCommand::worker_drop:
      return answer(builtin_->drop_worker(request.rest));
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
  auto read = reread_();
  if (!read) {
    std::string problems = read.error();
    std::ranges::replace(problems, '\n', ';');  // an answer is one line
    return refused(problems);
  }
  std::vector<std::string> changed, later;
  for (const auto& [key, said] : read->said) {
    if (said_.at(key).words == said.words) continue;
    const bool now = std::ranges::find(kReloadable, key) != kReloadable.end();
    (now ? changed : later).push_back(key);
    if (now) said_.insert_or_assign(key, said);
  }
  const ServeConfig& fresh = read->config;
  const std::vector<Operator> former = std::exchange(config_.operators, fresh.operators);
  config_.admin_networks = fresh.admin_networks;
  config_.exempt = fresh.exempt;
  config_.accounts = fresh.accounts;
  config_.entry = fresh.entry;
  config_.reserved_names = fresh.reserved_names;
  config_.takeover = fresh.takeover;
  config_.max_moves = fresh.max_moves;
  config_.least_time_per_move_s = fresh.least_time_per_move_s;
  config_.event = fresh.event;
  config_.resume = fresh.resume;
  config_.times_as_played = fresh.times_as_played;
  config_.resume_window_s = fresh.resume_window_s;
  config_.loss_grace_s = fresh.loss_grace_s;
  config_.tls_cert = fresh.tls_cert;
  config_.tls_key = fresh.tls_key;
  node_.change_rules(game_rules(config_, storage_.keys()));
  logins_.end_sessions_of_former(former);
  config_.workers = fresh.workers;
  builtin_->change_workers();
  std::vector<std::string> faults = files_.read();
  storage_.ask_for_ratings();
  std::string text = changed.empty() ? "nothing changed" : fmt::format("changed: {}", fmt::join(changed, ", "));
  text += "; the files of floodgate groups and rooms are read again";
  if (!later.empty()) text += fmt::format("; with the next start: {}", fmt::join(later, ", "));
  if (listeners_.certificate().pair()) {
    const auto fine = reload_certificate();
    if (!fine) faults.push_back("the TLS certificate stays as it was: " + fine.error());
    if (fine) text += "; the TLS certificate ends in " + core::counted(listeners_.certificate().days_left(), "day");
  }
  if (!faults.empty()) return refused(fmt::format("{}; {}", text, fmt::join(faults, "; ")));
  return done(std::move(text));
}

std::expected<void, std::string> GameServer::reload_certificate() {
  if (auto loaded = listeners_.reload_certificate(); !loaded) return loaded;
  builtin_->use(listeners_.certificate().pair());
  count_certificate();
  return {};
}

void GameServer::count_certificate() {
  if (!listeners_.certificate().pair()) return;
  node_.deliver(
      core::HostCounter{"TLS certificate ends in, days", std::to_string(listeners_.certificate().days_left())});
}

// Not with every move: each figure is an input of the core.
void GameServer::count_delays() {
  constexpr std::int64_t kEvery_us = 10 * core::kSecond;
  if (node_.now() - counted_delays_ < kEvery_us) return;
  counted_delays_ = node_.now();
  const DelayHistogram::Summary all = delays_->all();
  if (std::exchange(counted_moves_, all.count) == all.count) return;
  node_.deliver(core::HostCounter{"delay of moves, p50, us", std::to_string(all.p50_us)});
  node_.deliver(core::HostCounter{"delay of moves, p99, us", std::to_string(all.p99_us)});
  node_.deliver(core::HostCounter{"delay of moves, most, us", std::to_string(all.max_us)});
}

core::AdminResult GameServer::store_counters() {
  core::AdminResult result{.ok = true, .text = {}, .columns = {"figure", "value"}, .rows = {}};
  for (store::Counter& counter : storage_.journal().counters()) {
    result.rows.push_back({std::move(counter.what), std::move(counter.value)});
  }
  return result;
}

}  // namespace fuhyo::app
