// What operators ask of the shell of the server: configuration, engines, the end, and what only files can answer.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <utility>

#include <boost/asio/post.hpp>

#include "server/app/admin/files.h"
#include "server/app/admin/wire.h"
#include "server/app/serve/account_files.h"
#include "server/app/serve/engine_means.h"
#include "server/app/serve/game_server.h"
#include "server/app/serve/seated_engines.h"
#include "server/core/counted.h"
#include "server/host/player_line.h"

namespace fuhyo::app {
namespace {

// What reload() takes over while the server runs; the others need a restart.
constexpr std::array<std::string_view, 17> kReloadable = {
    "resume",         "resume-window", "resume-times",   "loss-grace",          "operator", "tls-cert",
    "admin-networks", "exempt",        "max-moves",      "least-time-per-move", "event",    "tls-key",
    "accounts",       "entry",         "reserved-names", "duplicate-login",     "worker"};

core::AdminResult done(std::string text) { return {.ok = true, .text = std::move(text), .columns = {}, .rows = {}}; }
core::AdminResult refused(std::string text) {
  return {.ok = false, .text = std::move(text), .columns = {}, .rows = {}};
}

}  // namespace

// Without the socket the server does its work all the same.
void GameServer::open_admin_socket() {
  AdminSocket::Hooks hooks;
  hooks.submit = [this](core::AdminLine line) { node_->deliver(std::move(line)); };
  hooks.warn = [this](const std::string& text) { log_.warning(text); };
  admin_ = std::make_unique<AdminSocket>(io_, admin_socket_path(config_.data), std::move(hooks));
  if (const auto opened = admin_->open(); !opened) log_.warning("no administration socket: " + opened.error());
}

void GameServer::host_do(const core::HostDo& request) {
  if (request.verb == "load-positions") return load_positions(request);
  if (request.verb == "tournament-new") return announce_event(request);
  if (request.verb == "tournament-check" || request.verb == "tournament-write") return take_event_text(request);
  if (request.verb == "logins") return list_web_logins(request);
  if (request.verb == "load-accounts") return load_accounts(request);
  if (request.verb != "results" && request.verb != "export" && request.verb != "audit") {
    return node_->deliver(core::HostDone{request.token, carry_out(request)});
  }
  AdminFiles files{.store = *store_, .records = config_.records_folder()};
  boost::asio::post(files_, [this, request, files = std::move(files)] {
    core::HostDone answer{request.token, ask_files(files, request.verb, request.rest)};
    boost::asio::post(io_, [this, answer = std::move(answer)] { node_->deliver(answer); });
  });
}

// The answer comes from the hasher's thread.
void GameServer::check_password(core::CheckPassword check) {
  const std::uint64_t token = check.token;
  const auto answer = [this, token](const secrets::PasswordHasher::Result& result) {
    boost::asio::post(io_,
                      [this, told = core::PasswordChecked{token, result.ok, result.encoded}] { node_->deliver(told); });
  };
  const bool taken = hasher_.submit(
      secrets::PasswordHasher::Check{.encoded = std::move(check.hash), .text = std::move(check.secret)}, answer);
  if (!taken) answer({});
}

void GameServer::load_accounts(const core::HostDo& request) {
  boost::asio::post(files_, [this, request, data = config_.data] {
    core::Input answer;
    if (auto ids = read_player_ids(data, request.rest)) {
      answer = core::AccountsRead{.token = request.token, .ids = std::move(*ids)};
    } else {
      answer = core::HostDone{request.token, refused(ids.error())};
    }
    boost::asio::post(io_, [this, answer = std::move(answer)] { node_->deliver(answer); });
  });
}

core::AdminResult GameServer::carry_out(const core::HostDo& request) {
  if (request.verb == "reload") return reload();
  if (request.verb == "engines") return engines();
  if (request.verb == "seat") return seat(request.rest);
  if (request.verb == "unseat") return unseat(request.rest);
  if (request.verb == "workers") return workers();
  if (request.verb == "worker-drop") return drop_worker(request.rest);
  if (request.verb == "logout") return log_out(request.rest);
  if (request.verb == "store") return store_counters();
  if (request.verb == "delays") return delays_->table();
  if (request.verb != "drain") return refused("this server cannot do that");
  // Posted: the answer leaves before there is nobody to hear it.
  boost::asio::post(io_, [this] { drain(); });
  return done(
      fmt::format("no new games; the server ends after the last one, at the latest in {} s", config_.drain_timeout_s));
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
  config_.duplicate_login = fresh.duplicate_login;
  config_.max_moves = fresh.max_moves;
  config_.least_time_per_move_s = fresh.least_time_per_move_s;
  config_.event = fresh.event;
  config_.resume = fresh.resume;
  config_.resume_times = fresh.resume_times;
  config_.resume_window_s = fresh.resume_window_s;
  config_.loss_grace_s = fresh.loss_grace_s;
  config_.tls_cert = fresh.tls_cert;
  config_.tls_key = fresh.tls_key;
  exempt_ = ExemptList::parse(config_.exempt).value_or(ExemptList{});
  node_->change_rules(rules());
  end_web_sessions_of_former(former);
  config_.workers = fresh.workers;
  change_workers();
  std::vector<std::string> faults = reread_files();
  ratings_->ask();
  std::string text = changed.empty() ? "nothing changed" : fmt::format("changed: {}", fmt::join(changed, ", "));
  text += "; the files of floodgate groups and rooms are read again";
  if (!later.empty()) text += fmt::format("; with the next start: {}", fmt::join(later, ", "));
  if (certificate_.pair()) {
    const auto fine = reload_certificate();
    if (!fine) faults.push_back("the TLS certificate stays as it was: " + fine.error());
    if (fine) text += "; the TLS certificate ends in " + core::counted(certificate_.days_left(), "day");
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
  if (auto loaded = certificate_.load(config_.tls_cert, config_.tls_key); !loaded) return loaded;
  if (csa_tls_) csa_tls_->use(certificate_.pair());
  if (http_) http_->use(certificate_.pair());
  if (worker_door_) worker_door_->use(certificate_.pair());
  count_certificate();
  return {};
}

void GameServer::count_certificate() {
  if (!certificate_.pair()) return;
  node_->deliver(core::HostCounter{"TLS certificate ends in, days", std::to_string(certificate_.days_left())});
}

// Not with every move: each figure is an input of the core.
void GameServer::count_delays() {
  constexpr std::int64_t kEvery_us = 10 * core::kSecond;
  if (node_->now() - counted_delays_ < kEvery_us) return;
  counted_delays_ = node_->now();
  const DelayHistogram::Summary all = delays_->all();
  if (std::exchange(counted_moves_, all.count) == all.count) return;
  node_->deliver(core::HostCounter{"delay of moves, p50, us", std::to_string(all.p50_us)});
  node_->deliver(core::HostCounter{"delay of moves, p99, us", std::to_string(all.p99_us)});
  node_->deliver(core::HostCounter{"delay of moves, most, us", std::to_string(all.max_us)});
}

core::AdminResult GameServer::store_counters() const {
  core::AdminResult result{.ok = true, .text = {}, .columns = {"figure", "value"}, .rows = {}};
  for (store::Counter& counter : journal_->counters()) {
    result.rows.push_back({std::move(counter.what), std::move(counter.value)});
  }
  return result;
}

// ---- engines ----

core::AdminResult GameServer::engines() const {
  core::AdminResult result{.ok = true,
                           .text = {},
                           .columns = {"name", "room", "game", "engine", "threads", "state", "moves", "thought_ms",
                                       "charged_ms", "waited_ms"},
                           .rows = {}};
  for (const auto& [name, seated] : engines_) {
    const host::BuiltinPlayer& player = seated.player;
    std::vector<std::string> games = player.serves;
    if (!player.game.empty()) games.insert(games.begin(), player.game);
    const auto times = seated.host->thinking_times();
    result.rows.push_back(
        {name, player.room, fmt::format("{}", fmt::join(games, " ")), fmt::format("{}", fmt::join(player.command, " ")),
         std::to_string(player.threads), seated.host->state(), std::to_string(times.moves),
         fmt::format("{} (p99 {})", times.thought_p50_ms, times.thought_p99_ms),
         fmt::format("{} (p99 {})", times.charged_p50_ms, times.charged_p99_ms), std::to_string(times.waited_most_ms)});
  }
  const std::size_t seated = result.rows.size();
  for (const auto& [name, game] : missing_) {
    if (!engines_.contains(name))
      result.rows.push_back({name, "", "", "", "", "not here: game " + game, "", "", "", ""});
  }
  const auto seats = seats_->figures();
  result.text =
      fmt::format("{}; {} of {} threads have a seat, {} waiting for one; {}; {}; {}", core::counted(seated, "engine"),
                  seats.taken, seats.capacity, core::counted(seats.waiting, "player"), share_text(config_),
                  memory_text(config_), sight_text(config_));
  return result;
}

// `line` has been parsed before.
void GameServer::seat_engine(const std::string& line) {
  for (host::BuiltinPlayer& player : host::each_of(*host::parse_player_line(line))) seat_player(std::move(player), {});
}

void GameServer::seat_player(host::BuiltinPlayer player, std::string line) {
  if (player.password.empty()) player.password = builtin_secret_;
  put_into_sandbox(config_, player);
  const std::string name = player.name;
  auto host = std::make_unique<host::BuiltinHost>(*node_, std::vector{player}, builtin_hooks(), seats_);
  host->start();
  engines_.insert_or_assign(name,
                            Seated{.player = std::move(player), .host = std::move(host), .line = std::move(line)});
}

core::AdminResult GameServer::seat(const std::string& line) {
  const auto player = host::parse_player_line(line);
  if (!player) return refused(player.error());
  if (const std::string why_not = missing_program(*player); !why_not.empty()) {
    return refused(fmt::format("{} is not seated: {}", player->name, why_not));
  }
  for (const host::BuiltinPlayer& each : host::each_of(*player)) {
    if (engines_.contains(each.name)) return refused(each.name + " is seated already");
  }
  for (host::BuiltinPlayer& each : host::each_of(*player)) seat_player(std::move(each), line);
  keep_seated();
  return done(player->name + " is seated, logs in as soon as it is ready, and is there again after a restart");
}

// Without the file they play all the same.
void GameServer::keep_seated() {
  std::vector<SeatedLine> lines;
  for (const auto& [name, seated] : engines_) {
    if (!seated.line.empty()) lines.push_back({name, seated.line});
  }
  if (const auto kept = write_seated(config_.data, lines); !kept) log_.warning(kept.error());
}

void GameServer::seat_again() {
  const auto lines = read_seated(config_.data);
  if (!lines) return log_.warning(lines.error());
  for (const auto& [name, line] : *lines) {
    const auto player = host::parse_player_line(line);
    std::string why_not = player ? "its line is about other players" : player.error();
    for (host::BuiltinPlayer& each : player ? host::each_of(*player) : std::vector<host::BuiltinPlayer>()) {
      if (each.name != name) continue;
      why_not = engines_.contains(name) ? "the configuration has one of this name" : missing_program(each);
      if (!engines_.contains(name)) seat_player(std::move(each), line);
    }
    if (!why_not.empty()) log_.warning(fmt::format("{}, who was seated before the restart: {}", name, why_not));
  }
}

// A game that waits for a built-in player whom nobody brings waits in vain.
void GameServer::look_for_missing_players(const core::Recovery& recovered) {
  for (const core::Journaled& row : recovered.live) {
    const auto* opened = std::get_if<core::GameOpened>(&row.fact);
    if (opened == nullptr || opened->room == core::kDemoRoom || opened->resume == core::ResumeRule::abort) continue;
    for (const core::Seat& seat : {opened->black, opened->white}) {
      if (!seat.builtin || engines_.contains(seat.name)) continue;
      missing_.emplace(seat.name, opened->csa_id);
      log_.warning(
          fmt::format("game {} waits for {}, a built-in player that is not here: seat it, wait for its "
                      "worker, or adjudicate the game",
                      opened->csa_id, seat.name));
    }
  }
}

core::AdminResult GameServer::unseat(const std::string& name) {
  const auto seated = engines_.find(name);
  if (seated == engines_.end()) return refused(fmt::format("there is no engine {}", name));
  node_->hang_up(*seated->second.host, "the engine was taken away");
  const bool is_kept = !seated->second.line.empty();
  engines_.erase(seated);
  if (is_kept) keep_seated();
  return done(name + " is taken away");
}

}  // namespace fuhyo::app
