#include "server/app/serve/builtin_players.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include <boost/asio/post.hpp>

#include "engines/usi/process_share.h"
#include "server/app/admin/answers.h"
#include "server/app/serve/engine_means.h"
#include "server/app/serve/seated_engines.h"
#include "server/core/counted.h"
#include "server/core/rooms/rules.h"
#include "server/host/player_line.h"

namespace fuhyo::app {
namespace {

// Who else plays the demonstration: fuhyo-mcts, if it is there; else fuhyo-nnue alone.
std::string demo_opponent() {
  std::error_code ignored;
  std::string mcts = sibling_program("fuhyo-mcts");
  return std::filesystem::exists(mcts, ignored) ? mcts : "";
}

}  // namespace

BuiltinPlayers::BuiltinPlayers(const ServeConfig& config, Node& node, boost::asio::io_context& io, Log& log)
    : config_(config), node_(node), io_(io), log_(log) {}

void BuiltinPlayers::seat_all(std::string secret) {
  secret_ = std::move(secret);
  seats_ = std::make_shared<host::CpuScheduler>(thinking_threads(config_), usi::own_cores());
  if (config_.builtin == "demo") seat_demonstration();
  for (const std::string& line : config_.engines) seat_engine(line);
  seat_again();
}

void BuiltinPlayers::seat_demonstration() {
  auto players = host::demo_players(sibling_program("fuhyo-nnue"), demo_opponent(), secret_, usi::own_cores().size());
  for (host::BuiltinPlayer& player : players) put_into_sandbox(config_, player);
  demo_ = std::make_unique<host::BuiltinHost>(node_, std::move(players), hooks(), seats_);
  demo_->start();
}

host::BuiltinHost::Hooks BuiltinPlayers::hooks() {
  host::BuiltinHost::Hooks hooks;
  hooks.post_to_core = [this](std::function<void()> work) { boost::asio::post(io_, std::move(work)); };
  hooks.clock = [this] { return node_.now(); };
  hooks.log = [this](bool warning, const std::string& text) { log(warning, text); };
  return hooks;
}

void BuiltinPlayers::log(bool warning, const std::string& text) {
  log_.write(warning ? Log::Level::warning : Log::Level::info, text);
}

void BuiltinPlayers::start() {
  if (worker_listener_) worker_listener_->start();
}

void BuiltinPlayers::close() {
  engines_.clear();
  demo_.reset();
  worker_listener_.reset();
}

void BuiltinPlayers::use(std::shared_ptr<const net::TlsPair> certificate) {
  if (worker_listener_) worker_listener_->use(std::move(certificate));
}

void BuiltinPlayers::set_real_games(std::size_t count) {
  if (demo_) demo_->set_real_games(count);
}

void BuiltinPlayers::count(GameFigures& figures) const {
  figures.seats = seats_->figures();
  for (const auto& [name, seated] : engines_) ++figures.engines[seated.host->state().is];
  if (!worker_listener_) return;
  for (const host::WorkerServer::Row& row : worker_listener_->pool().rows()) {
    ++(row.connected ? figures.workers_connected : figures.workers_away);
  }
}

std::vector<net::ServingEngine> BuiltinPlayers::serving() const {
  std::vector<net::ServingEngine> all;
  for (const auto& [name, seated] : engines_) {
    if (seated.player.serves.empty() || seated.player.room != core::kMainRoom) continue;
    all.push_back({.name = name, .games = seated.player.serves});
  }
  return all;
}

// ---- for operators ----

core::AdminResult BuiltinPlayers::engines() const {
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
    const auto [state, fault] = seated.host->state();
    result.rows.push_back(
        {name, player.room, fmt::format("{}", fmt::join(games, " ")), fmt::format("{}", fmt::join(player.command, " ")),
         std::to_string(player.threads), fault.empty() ? std::string(to_string(state)) : "no engine: " + fault,
         std::to_string(times.moves), fmt::format("{} (p99 {})", times.thought_p50_ms, times.thought_p99_ms),
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
void BuiltinPlayers::seat_engine(const std::string& line) {
  for (host::BuiltinPlayer& player : host::each_of(*host::parse_player_line(line))) seat_player(std::move(player), {});
}

void BuiltinPlayers::seat_player(host::BuiltinPlayer player, std::string line) {
  if (player.password.empty()) player.password = secret_;
  put_into_sandbox(config_, player);
  const std::string name = player.name;
  auto host = std::make_unique<host::BuiltinHost>(node_, std::vector{player}, hooks(), seats_);
  host->start();
  ++changes_;
  engines_.insert_or_assign(name,
                            Seated{.player = std::move(player), .host = std::move(host), .line = std::move(line)});
}

core::AdminResult BuiltinPlayers::seat(const std::string& line) {
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
void BuiltinPlayers::keep_seated() {
  std::vector<SeatedLine> lines;
  for (const auto& [name, seated] : engines_) {
    if (!seated.line.empty()) lines.push_back({name, seated.line});
  }
  if (const auto kept = write_seated(config_.data, lines); !kept) log_.warning(kept.error());
}

void BuiltinPlayers::seat_again() {
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
void BuiltinPlayers::look_for_missing(const core::Recovery& recovered) {
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

core::AdminResult BuiltinPlayers::unseat(const std::string& name) {
  const auto seated = engines_.find(name);
  if (seated == engines_.end()) return refused(fmt::format("there is no engine {}", name));
  node_.hang_up(*seated->second.host, "the engine was taken away");
  const bool is_kept = !seated->second.line.empty();
  engines_.erase(seated);
  ++changes_;
  if (is_kept) keep_seated();
  return done(name + " is taken away");
}

}  // namespace fuhyo::app
