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
#include "server/app/serve/account_files.h"
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
  switch (static_cast<HostCommand>(verb - std::begin(core::kHostCommandWords))) {
    case HostCommand::load_positions:
      return load_positions(request);
    case HostCommand::tournament_new:
      return announce_event(request);
    case HostCommand::tournament_check:
    case HostCommand::tournament_write:
      return take_event_text(request);
    case HostCommand::logins:
      return list_web_logins(request);
    case HostCommand::load_accounts:
      return load_accounts(request);
    case HostCommand::results:
    case HostCommand::export_:
    case HostCommand::audit:
      return ask_of_files(request);
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
      return answer(log_out(request.rest));
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

void GameServer::ask_of_files(const core::HostRequest& request) {
  AdminFiles files{.store = *store_, .records = config_.records_folder()};
  boost::asio::post(files_, [this, request, files = std::move(files)] {
    core::HostDone answer{request.token, ask_files(files, request.verb, request.rest)};
    boost::asio::post(io_, [this, answer = std::move(answer)] { node_.deliver(answer); });
  });
}

// The answer comes from the hasher's thread.
void GameServer::check_password(core::CheckPassword check) {
  const std::uint64_t token = check.token;
  const auto answer = [this, token](const secrets::PasswordHasher::Result& result) {
    boost::asio::post(io_,
                      [this, told = core::PasswordChecked{token, result.ok, result.encoded}] { node_.deliver(told); });
  };
  const bool taken = hasher_.submit(
      secrets::PasswordHasher::Check{.encoded = std::move(check.hash), .text = std::move(check.secret)}, answer);
  if (!taken) answer({});
}

void GameServer::load_accounts(const core::HostRequest& request) {
  boost::asio::post(files_, [this, request, data = config_.data] {
    core::Input answer;
    if (auto ids = read_player_ids(data, request.rest)) {
      answer = core::AccountsRead{.token = request.token, .ids = std::move(*ids)};
    } else {
      answer = core::HostDone{request.token, refused(ids.error())};
    }
    boost::asio::post(io_, [this, answer = std::move(answer)] { node_.deliver(answer); });
  });
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
  node_.change_rules(rules());
  end_web_sessions_of_former(former);
  config_.workers = fresh.workers;
  builtin_->change_workers();
  std::vector<std::string> faults = reread_files();
  ratings_->ask();
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

std::vector<std::string> GameServer::reread_files() {
  std::vector<std::string> faults;
  for (const std::string& name : config_.floodgate_games) {
    std::ranges::move(take_round_group(name, read_group(config_.data, name, round_defaults())),
                      std::back_inserter(faults));
  }
  std::ranges::move(take_room_files(), std::back_inserter(faults));
  return faults;
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

core::AdminResult GameServer::store_counters() const {
  core::AdminResult result{.ok = true, .text = {}, .columns = {"figure", "value"}, .rows = {}};
  for (store::Counter& counter : journal_->counters()) {
    result.rows.push_back({std::move(counter.what), std::move(counter.value)});
  }
  return result;
}

}  // namespace fuhyo::app
