#include "server/app/serve/game_server.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <utility>

#include <boost/asio/post.hpp>

#include "server/app/commands.h"
#include "server/app/serve/engine_means.h"
#include "server/app/serve/game_rules.h"
#include "server/app/serve/host_facts.h"
#include "server/app/serve/pages.h"
#include "server/app/serve/service_manager.h"
#include "server/secrets/keyed_hash.h"

namespace fuhyo::app {
namespace {

std::vector<std::unique_ptr<WireLog>> open_wire_logs(const ServeConfig& config, Log& log) {
  std::vector<std::unique_ptr<WireLog>> logs;
  const auto open = [&](const std::filesystem::path& folder, bool like_shogi_server) {
    if (folder.empty()) return;
    logs.push_back(
        std::make_unique<WireLog>(WireLog::Options{.folder = folder,
                                                   .max_bytes = static_cast<std::size_t>(config.wire_log_mib) << 20,
                                                   .like_shogi_server = like_shogi_server},
                                  log.warner()));
  };
  open(config.wire_log, false);
  open(config.player_logs, true);
  return logs;
}

}  // namespace

GameServer::GameServer(Resolved resolved, Log& log, LiveConfig::Reread reread)
    : live_config_(std::move(resolved), std::move(reread)),
      config_(live_config_.now()),
      log_(log),
      signals_(io_, SIGINT, SIGTERM, SIGHUP),
      shutdown_timer_(io_),
      delays_(std::make_shared<MoveDelays>(&Node::clock)),
      storage_(config_, log_),
      node_(io_, limits_, node_hooks()),
      watch_(
          io_, [this] { pulse(); },
          [this](std::chrono::milliseconds gap) {
            reporter_.stood_still();
            log_.warning("the event loop stood still", {{"ms", std::to_string(gap.count())}});
          }),
      listeners_(config_, log, io_, &node_),
      builtin_(config_, node_, io_, log_),
      logins_(config_, io_, node_, listeners_),
      reporter_({.node = node_,
                 .storage = storage_,
                 .listeners = listeners_,
                 .builtin = builtin_,
                 .logins = logins_,
                 .delays = *delays_}),
      files_(config_, log, io_, node_),
      shutdown_(shutdown_hooks()) {}

// Nothing may be posted to the loop, followed or asked any more when its members go.
GameServer::~GameServer() {
  logins_.close();
  storage_.close();
  listeners_.close_web();
}

Started GameServer::open(bool accept_key) {
  auto opened = open_all(accept_key);
  if (!opened) storage_.take_back();
  return opened;
}

Started GameServer::open_all(bool accept_key) {
  const std::size_t descriptors = raise_descriptor_limit();
  if (descriptors < limits_.sessions + 500) {
    log_.warning("fewer connections than the limit fit: RLIMIT_NOFILE is low",
                 {{"nofile", std::to_string(descriptors)}});
  }
  // What a start may be refused for is looked at before it makes anything.
  if (auto fine = prepare_engines(config_, log_); !fine) return fine;
  if (auto fine = listeners_.check(); !fine) return fine;
  if (auto fine = storage_.make_folders(); !fine) return fine;
  node_.keep_wire_logs(open_wire_logs(config_, log_));
  core::Recovery recovered;
  const auto publish = [this](const std::vector<core::Transaction>& transactions) {
    if (auto* web = listeners_.web()) web->publish(transactions);
  };
  if (auto fine = storage_.open_store(node_.journal_events(), publish, recovered); !fine) return fine;
  if (auto fine = storage_.open_keys(recovered, accept_key); !fine) return fine;
  if (auto fine = open_ports(recovered); !fine) return fine;
  const auto on_ratings = [this](std::shared_ptr<const core::PlayerRatings> ratings) {
    node_.post(core::RatingsChanged{std::move(ratings)});
  };
  if (auto fine = storage_.open_services(on_ratings); !fine) return fine;
  node_.start(storage_.journal(), game_rules(config_, storage_.keys()), recovered);
  files_.read();
  // Nobody else knows it, and a restart makes the same: a round that owes a built-in player a game finds it again.
  builtin_.seat_all(secrets::keyed_hash(storage_.keys().secrets, "built-in players").substr(0, 16));
  builtin_.look_for_missing(recovered);
  open_admin_socket();
  files_.remove_stop_file();
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
                files_.reread_group(game_name);
                storage_.ask_for_ratings();
              },
          .check_password = [this](core::CheckPassword check) { logins_.check_password(std::move(check)); },
          .web_login_answer =
              [this](const core::WebLoginAnswer& answer) {
                if (auto* web = listeners_.web()) web->answer(answer);
              },
          .account_changed =
              [this](const std::string& name) {
                if (auto* web = listeners_.web()) web->end_web_sessions(name);
              },
          .chat_asked = [this](core::ChatAsked asked) { ask_commentator(std::move(asked)); },
          .delays = delays_};
}

void GameServer::ask_commentator(core::ChatAsked asked) {
  if (!commentator_) return;
  core::Question question{.room = asked.room, .name = std::move(asked.name), .text = std::move(asked.text)};
  commentator_->ask(std::move(question), [this, room = std::move(asked.room)](std::string name, std::string text) {
    node_.post(core::ChatAnswered{.room = room, .name = std::move(name), .text = std::move(text)});
  });
}

Started GameServer::open_ports(const core::Recovery& recovered) {
  if (auto fine = listeners_.open_players(); !fine) return fine;
  if (!config_.http.empty() || !config_.https.empty()) {
    net::HttpOptions options;
    options.web = logins_.web_options();
    options.metrics = reporter_.metrics_page();
    if (auto fine = set_pages(config_, storage_.store(), log_, options); !fine) return fine;
    commentator_ = options.archive.commentator;
    if (auto fine = listeners_.open_web(std::move(options), recovered); !fine) return fine;
  }
  if (auto fine = builtin_.listen(listeners_); !fine) return fine;
  if (auto* web = listeners_.web()) web->start();
  return {};
}

// ---- running and ending ----

int GameServer::run() {
  listeners_.start();
  builtin_.start();
  reporter_.start();
  watch_.start();
  wait_for_signal();
  io_.run();
  return close_down();
}

void GameServer::pulse() {
  node_.breathe();
  files_.look_for_stop_file();
  reporter_.look();
  if (!builtin_.has_demonstration()) return;
  builtin_.set_real_games(node_.games("main"));
  // Nobody waits for demonstration games.
  if (is_draining() && node_.games("main") == 0 && node_.settled()) shutdown_.suspend();
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
  const auto timeout = std::chrono::seconds(config_.drain_timeout_s);
  const auto at_most = std::chrono::microseconds(timeout + Shutdown::kLongestEnd).count();
  notify_service_manager(fmt::format("EXTEND_TIMEOUT_USEC={}", at_most));
  shutdown_.drain(timeout);
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
  files_.close();
  logins_.close();  // it may answer the web side
  builtin_.close();
  node_.hand_over_steps();
  const bool whole = storage_.close();
  listeners_.close_web();
  node_.keep_wire_logs({});
  if (!whole) log_.error("the store was away: what was not yet durable is lost");
  log_.info("stopped");
  return whole ? kExitOk : kExitIo;
}

}  // namespace fuhyo::app
