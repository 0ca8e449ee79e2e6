#include "server/app/serve/game_server.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include <boost/asio/post.hpp>

#include "engines/usi/process_share.h"
#include "server/app/commands.h"
#include "server/app/serve/engine_means.h"
#include "server/app/serve/file_modes.h"
#include "server/app/serve/host_facts.h"
#include "server/app/serve/pages.h"
#include "server/app/serve/secret_rules.h"
#include "server/app/serve/store_key.h"
#include "server/secrets/keyed_hash.h"

namespace fuhyo::app {
namespace {

// While it is in the data folder nobody begins a game (shogi-server's STOP).
constexpr std::string_view kStopFile = "STOP";
// So far back reaches the history of ratings.
constexpr std::int64_t kTwelveYears_us = 12LL * 366 * 86'400 * core::kSecond;

bool any_game_ended(const std::vector<core::Transaction>& transactions) {
  for (const core::Transaction& transaction : transactions) {
    for (const core::Journaled& row : transaction) {
      if (std::holds_alternative<core::GameEnded>(row.fact)) return true;
    }
  }
  return false;
}

std::vector<std::unique_ptr<WireLog>> open_wire_logs(const ServeConfig& config, Log& log) {
  std::vector<std::unique_ptr<WireLog>> logs;
  const auto open = [&](const std::filesystem::path& folder, bool like_shogi_server) {
    if (folder.empty()) return;
    logs.push_back(
        std::make_unique<WireLog>(WireLog::Options{.folder = folder,
                                                   .max_bytes = static_cast<std::size_t>(config.wire_log_mib) << 20,
                                                   .like_shogi_server = like_shogi_server},
                                  [&log](std::string_view text) { log.warning(text); }));
  };
  open(config.wire_log, false);
  open(config.player_logs, true);
  return logs;
}

}  // namespace

GameServer::GameServer(Resolved resolved, Log& log, Reread reread)
    : config_(std::move(resolved.config)),
      said_(std::move(resolved.said)),
      reread_(std::move(reread)),
      log_(log),
      signals_(io_, SIGINT, SIGTERM, SIGHUP),
      shutdown_timer_(io_),
      delays_(std::make_shared<MoveDelays>(&Node::clock)),
      node_(io_, limits_, node_hooks()),
      watch_(
          io_, [this] { pulse(); },
          [this](std::chrono::milliseconds gap) {
            ++stalls_;
            log_.warning("the event loop stood still", {{"ms", std::to_string(gap.count())}});
          }),
      listeners_(config_, log, io_, &node_),
      shutdown_(shutdown_hooks()) {}

// Nothing may be posted to the loop or followed any more when its members go.
GameServer::~GameServer() {
  if (journal_) journal_->close();
}

Started GameServer::open(bool accept_key) {
  auto opened = open_all(accept_key);
  if (!opened) take_back();
  return opened;
}

// What this start has made; of folders those that hold nothing. The lock of the store is kept until its journal goes,
// so that no other server has begun to use any of it.
void GameServer::take_back() {
  if (journal_) journal_->close();
  std::error_code ignored;
  for (; !made_.empty(); made_.pop_back()) std::filesystem::remove(made_.back(), ignored);
}

Started GameServer::open_all(bool accept_key) {
  const std::size_t descriptors = raise_descriptor_limit();
  if (descriptors < limits_.sessions + 500) {
    log_.warning("fewer connections than the limit fit: RLIMIT_NOFILE is low",
                 {{"nofile", std::to_string(descriptors)}});
  }
  // What a start may be refused for is looked at before it makes anything.
  if (auto fine = look_at_sandbox(); !fine) return fine;
  if (auto fine = listeners_.check(); !fine) return fine;
  if (auto fine = make_folders(); !fine) return fine;
  node_.keep_wire_logs(open_wire_logs(config_, log_));
  builtin_ = std::make_unique<BuiltinPlayers>(config_, node_, io_, log_);
  core::Recovery recovered;
  if (auto fine = open_store(recovered); !fine) return fine;
  if (auto fine = open_secrets(recovered, accept_key); !fine) return fine;
  if (auto fine = open_ports(recovered); !fine) return fine;
  if (auto fine = open_services(); !fine) return fine;
  node_.start(*journal_, rules(), recovered);
  open_round_groups();
  take_room_files();
  // Nobody else knows it, and a restart makes the same: a round that owes a built-in player a game finds it again.
  builtin_->seat_all(secrets::keyed_hash(secret_, "built-in players").substr(0, 16));
  builtin_->look_for_missing(recovered);
  open_admin_socket();
  std::error_code ignored;
  std::filesystem::remove(config_.data / kStopFile, ignored);  // of a former run
  return {};
}

Started GameServer::make_folders() {
  std::vector<std::filesystem::path> folders = {config_.data};
  for (const auto& logs : {config_.wire_log, config_.player_logs}) {
    if (!logs.empty()) folders.push_back(logs);
  }
  for (const auto& folder : folders) {
    note_missing(folder);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
      return start_failed(kExitCannotCreate, fmt::format("cannot create {}: {}", folder.string(), error.message()));
  }
  const std::uint32_t mode = file_mode(config_.records_mode);
  note_missing(config_.records_folder());
  const auto made = store::make_folder(config_.records_folder(), mode);
  if (!made) return start_failed(kExitCannotCreate, made.error());
  for (const auto& fault :
       {too_open(config_.data, config_.records_folder()), out_of_reach(config_.data, config_.records_folder(), mode)}) {
    if (fault) log_.warning(*fault);
  }
  return {};
}

// What is about to be made, the outermost first.
void GameServer::note_missing(const std::filesystem::path& path) {
  std::error_code ignored;
  std::vector<std::filesystem::path> missing;
  for (auto each = path; !each.empty() && !std::filesystem::exists(each, ignored); each = each.parent_path()) {
    missing.push_back(each);
  }
  made_.insert(made_.end(), missing.rbegin(), missing.rend());
}

Started GameServer::open_secrets(const core::Recovery& recovered, bool accept_key) {
  const std::string kept = kept_fingerprint(recovered);
  for (const char* file : {"secret.key", "reconnect.key"}) note_missing(config_.data / file);
  auto key = open_store_key(config_.data / "secret.key", store_->name(), kept, accept_key);
  if (!key) return std::unexpected(std::move(key.error()));
  secret_ = std::move(*key);
  if (!kept.empty() && key_fingerprint(secret_) != kept) log_.warning("the store goes on with another key");
  if (!config_.reconnect_tokens) return {};
  auto secret = secrets::secret_of(config_.data / "reconnect.key");
  if (!secret) return start_failed(kExitCannotCreate, secret.error());
  reconnect_secret_ = std::move(*secret);
  return {};
}

Node::Hooks GameServer::node_hooks() {
  return {.note =
              [this](const core::Note& note) {
                log_.write(note.level == core::Note::Level::warning ? Log::Level::warning : Log::Level::info,
                           note.text);
              },
          .drained = [this] { shutdown_.drained(); },
          .store_away =
              [this](bool away) {
                if (auto* web = listeners_.web()) web->set_healthy(!away);
              },
          .replaced =
              [this](const std::string& why) {
                log_.error("another server has taken the store over, this one ends: " + why);
                shutdown_.close();
              },
          .admin_reply =
              [this](const core::AdminReply& reply) {
                if (admin_) admin_->answer(reply);
                if (auto* web = listeners_.web()) web->answer(reply);
              },
          .host_request = [this](const core::HostRequest& request) { host_request(request); },
          .round_is_over =
              [this](const std::string& game_name) {
                reread_round_group(game_name);
                ratings_->ask();
              },
          .check_password = [this](core::CheckPassword check) { check_password(std::move(check)); },
          .web_login_answer =
              [this](const core::WebLoginAnswer& answer) {
                if (auto* web = listeners_.web()) web->answer(answer);
              },
          .account_changed =
              [this](const std::string& name) {
                if (auto* web = listeners_.web()) web->end_web_sessions(name);
              },
          .delays = delays_};
}

core::Rules GameServer::rules() {
  core::Rules rules;
  rules.event = config_.event;
  rules.max_moves = config_.max_moves;
  rules.max_identifier = static_cast<std::size_t>(config_.max_identifier);
  rules.least_time_per_move_s = config_.least_time_per_move_s;
  rules.zone = local_time_zone(wall_now());
  rules.seed = random_seed();
  rules.exempt = is_listed_in(config_.exempt);
  for (const Operator& post : config_.operators) rules.operators.emplace(post.name, post.role);
  rules.operator_secret = [posts = config_.operators](std::string_view name, std::string_view secret) {
    return std::ranges::any_of(posts,
                               [&](const Operator& post) { return post.name == name && is_secret(post, secret); });
  };
  rules.admin_address = is_listed_in(config_.admin_networks);
  rules.trip_hash = [key = secret_, md5 = config_.md5_trips](std::string_view trip) {
    return md5 ? md5_hex(trip) : keyed_trip(key, trip);
  };
  rules.accounts = config_.accounts;
  rules.entry = config_.entry;
  rules.delays = config_.spectator_delay;
  rules.comments = config_.spectator_comments;
  for (const std::string& name : config_.reserved_names) rules.reserved.insert(core::name_key(name));
  rules.takeover = config_.takeover;
  rules.secrets = secret_rules(secret_, config_.event);
  rules.key_fingerprint = key_fingerprint(secret_);
  rules.resume = config_.resume;
  rules.grace_s = config_.loss_grace_s;
  rules.resume_window_us = config_.resume_window_s * core::kSecond;
  rules.times_as_played = config_.times_as_played;
  if (!reconnect_secret_.empty()) {
    rules.reconnect_token = [secret = reconnect_secret_](std::string_view game_id, std::string_view name) {
      return secrets::keyed_hash(secret, fmt::format("{}\n{}", game_id, name));
    };
  }
  return rules;
}

store::JournalLimits GameServer::journal_limits() const {
  store::JournalLimits limits;
  limits.keep_us = std::int64_t{config_.journal_days} * 86'400 * core::kSecond;
  limits.keep_rows = config_.journal_rows;
  return limits;
}

Started GameServer::open_store(core::Recovery& recovered) {
  core::JournalEvents events = node_.journal_events();
  events.committed = [this](std::vector<core::Transaction> transactions) {
    if (auto* web = listeners_.web()) web->publish(transactions);
    if (any_game_ended(transactions)) {
      if (ratings_) ratings_->ask();
      if (positions_) positions_->ask();
    }
    records_->follow(std::move(transactions));
  };
  auto store =
      store::make_store(config_.store_address(), {.limits = journal_limits(),
                                                  .unsafe = config_.unsafe,
                                                  .warn = [this](std::string_view text) { log_.warning(text); }});
  if (!store) return start_failed(kExitUsage, store.error());
  store_ = std::move(*store);
  std::vector<std::string> missing = store_->files();
  std::erase_if(missing, [](const std::string& file) { return std::filesystem::exists(file); });
  auto journal = store_->open_journal(std::move(events), recovered);
  if (!journal) return start_failed(kExitIo, journal.error());
  journal_ = std::move(*journal);
  // Another server may have made and left it meanwhile.
  if (recovered.last == core::Seq{}) made_.insert(made_.end(), missing.begin(), missing.end());
  auto reader = store_->open_reader();
  if (!reader) return start_failed(kExitIo, reader.error());
  reader_ = std::move(*reader);
  store::RecordsOptions options{.folder = config_.records_folder(), .mode = file_mode(config_.records_mode)};
  options.log = [this](std::string_view text) { log_.warning(text); };
  auto records = store::RecordsFolder::open(std::move(options), *reader_);
  if (!records) return start_failed(kExitCannotCreate, records.error());
  records_ = std::move(*records);
  return {};
}

Started GameServer::open_ports(const core::Recovery& recovered) {
  if (auto fine = listeners_.open_players(); !fine) return fine;
  if (!config_.http.empty() || !config_.https.empty()) {
    net::HttpOptions options;
    options.web = web_options();
    options.metrics = [board = board_] { return board->text(); };
    if (auto fine = set_pages(config_, *store_, log_, options); !fine) return fine;
    if (auto fine = listeners_.open_web(std::move(options), recovered); !fine) return fine;
  }
  if (auto fine = builtin_->listen(listeners_); !fine) return fine;
  if (auto* web = listeners_.web()) web->start();
  return {};
}

Started GameServer::open_services() {
  RatingService::Options options{
      .source = config_.ratings_from_file ? RatingService::Source::file : RatingService::Source::computed,
      .players_file = config_.data / "players.yaml",
      .zone = local_time_zone({wall_now().us - kTwelveYears_us}),
      .now = wall_now};
  options.on_ratings = [this](std::shared_ptr<const core::PlayerRatings> ratings) {
    boost::asio::post(io_, [this, ratings = std::move(ratings)] { node_.deliver(core::RatingsChanged{ratings}); });
  };
  options.warn = [this](std::string_view text) { log_.warning(text); };
  auto archive = store_->open_ratings();
  if (!archive) return start_failed(kExitIo, archive.error());
  ratings_ = std::make_unique<RatingService>(std::move(options), std::move(*archive));
  auto positions = store_->open_positions();
  if (!positions) return start_failed(kExitIo, positions.error());
  positions_ =
      std::make_unique<PositionService>(std::move(*positions), [this](std::string_view text) { log_.warning(text); });
  return {};
}

// Said once, where it matters.
Started GameServer::look_at_sandbox() {
  const bool has_engines = !config_.engines.empty() || config_.builtin != "off" || !config_.analysis_engine.empty();
  const std::vector<std::string> missing = usi::sandbox_support().missing();
  if (config_.engine_sandbox == EngineSandbox::required && !missing.empty()) {
    return start_failed(kExitUnavailable,
                        fmt::format("engine-sandbox is required, and this machine has {}", fmt::join(missing, "; ")));
  }
  if (config_.engine_sandbox != EngineSandbox::off) usi::make_share_groups();
  if (!has_engines) return {};
  if (std::getenv("FUHYO_WITHOUT_ENGINES") != nullptr) {
    log_.warning(
        "engines are configured, and fuhyo-without-engines.conf beside the unit takes away what they need: remove one "
        "of the two");
  }
  if (config_.engine_sandbox != EngineSandbox::off) {
    for (const auto& text : {share_text(config_), memory_text(config_), sight_text(config_)}) log_.info(text);
  }
  if (config_.engine_sandbox == EngineSandbox::off)
    log_.warning("engines run without a sandbox: they may do what the server may");
  if (config_.engine_sandbox == EngineSandbox::on) {
    for (const std::string& each : missing) log_.warning("sandbox of engines: " + each);
  }
  return {};
}

// ---- running and ending ----

int GameServer::run() {
  listeners_.start();
  builtin_->start();
  count_certificate();
  show_metrics();
  watch_.start();
  wait_for_signal();
  io_.run();
  return close_down();
}

void GameServer::pulse() {
  node_.breathe();
  look_for_stop_file();
  if (listeners_.certificate().look()) count_certificate();
  count_delays();
  show_metrics();
  show_lobby();
  if (!builtin_->has_demonstration()) return;
  builtin_->set_real_games(node_.games("main"));
  // Nobody waits for demonstration games.
  if (is_draining() && node_.games("main") == 0 && node_.settled()) shutdown_.suspend();
}

void GameServer::show_lobby() {
  auto* web = listeners_.web();
  if (web == nullptr) return;
  if (std::vector<net::ServingEngine> serving = builtin_->serving(); serving != shown_engines_) {
    web->show_engines(serving);
    shown_engines_ = std::move(serving);
  }
  if (shown_lobby_ == node_.lobby_changes()) return;
  shown_lobby_ = node_.lobby_changes();
  web->show_lobby(node_.lobby());
}

void GameServer::look_for_stop_file() {
  std::error_code ignored;
  const bool there = std::filesystem::exists(config_.data / kStopFile, ignored);
  if (std::exchange(stop_file_, there) != there) node_.deliver(core::StopFile{there});
}

void GameServer::wait_for_signal() {
  signals_.async_wait([this](boost::system::error_code cancelled, int number) {
    if (cancelled) return;
    if (number == SIGHUP) {
      const core::AdminResult result = reload();
      log_.write(result.ok ? Log::Level::info : Log::Level::warning, "reload: " + result.text);
    } else if (is_draining()) {
      return shutdown_.suspend();
    } else {
      drain();
    }
    wait_for_signal();
  });
}

bool GameServer::is_draining() const { return shutdown_.phase() != Shutdown::Phase::serving; }

void GameServer::drain() {
  if (is_draining()) return;
  listeners_.stop_accepting();
  if (auto* web = listeners_.web()) web->set_not_ready("the server is about to end\n");
  log_.info("shutting down: running games may end", {{"drain_timeout_s", std::to_string(config_.drain_timeout_s)}});
  shutdown_.drain(std::chrono::seconds(config_.drain_timeout_s));
}

Shutdown::Hooks GameServer::shutdown_hooks() {
  return {.drain = [this] { node_.drain(); },
          .suspend = [this] { node_.stop(); },
          .close =
              [this] {
                node_.retire();
                listeners_.close_all("the server ends");
              },
          .open_count = [this] { return listeners_.open_connections(); },
          .stop = [this] { io_.stop(); },
          .post = [this](std::function<void()> work) { boost::asio::post(io_, std::move(work)); },
          .after =
              [this](std::chrono::milliseconds wait, std::function<void()> work) {
                shutdown_timer_.expires_after(wait);
                shutdown_timer_.async_wait([work = std::move(work)](boost::system::error_code cancelled) {
                  if (!cancelled) work();
                });
              }};
}

int GameServer::close_down() {
  admin_.reset();
  files_.join();
  builtin_.reset();
  node_.hand_over_steps();
  const bool whole = journal_->close();
  ratings_.reset();
  positions_.reset();
  records_->close();
  listeners_.close_web();
  node_.keep_wire_logs({});
  if (!whole) log_.error("the store was away: what was not yet durable is lost");
  log_.info("stopped");
  return whole ? kExitOk : kExitIo;
}

}  // namespace fuhyo::app
