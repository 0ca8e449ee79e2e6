#include "server/app/serve/web_node.h"

#include <chrono>
#include <csignal>
#include <tuple>
#include <utility>

#include "server/app/admin/wire.h"
#include "server/app/commands.h"
#include "server/app/serve/metrics.h"
#include "server/app/serve/pages.h"
#include "server/app/serve/store_key.h"

namespace fuhyo::app {
namespace {

using std::chrono::milliseconds;

// The end is noticed within this; the store says itself when there is something new.
constexpr milliseconds kLook(500);
constexpr milliseconds kRetry(500);  // while the store is away
constexpr std::size_t kFactsAtOnce = 5'000;
constexpr std::chrono::minutes kCertificateLook(10);

}  // namespace

WebNode::WebNode(ServeConfig config, Log& log, std::unique_ptr<store::WriterWatch> watch, bool accept_key)
    : config_(std::move(config)),
      log_(log),
      accept_key_(accept_key),
      signals_(io_, SIGINT, SIGTERM, SIGHUP),
      certificate_timer_(io_),
      watch_(std::move(watch)),
      listeners_(config_, log, io_) {}

WebNode::~WebNode() {
  ends_ = true;
  if (follower_.joinable()) follower_.join();
}

Started WebNode::open() {
  auto store = store::make_store(config_.store_address(), {.warn = log_.warner()});
  if (!store) return start_failed(kExitUsage, store.error());
  store_ = std::move(*store);
  const auto stands = store_->look();
  if (!stands) return start_failed(kExitIo, stands.error());
  if (watch_ && !accept_key_) {  // under another key it could not take over
    auto fine = check_store_key(config_.data / "secret.key", store_->name(), kept_fingerprint(*stands));
    if (!fine) return fine;
  }
  auto reader = store_->open_reader();
  if (!reader) return start_failed(kExitIo, reader.error());
  reader_ = std::move(*reader);
  seen_ = stands->last;
  net::HttpOptions options;
  options.metrics = process_metrics;
  if (auto fine = set_pages(config_, *store_, log_, options); !fine) return fine;
  return open_web(std::move(options), *stands);
}

Started WebNode::open_web(net::HttpOptions options, const core::Recovery& stands) {
  if (!config_.https.empty()) {
    if (auto loaded = listeners_.load_certificate(); !loaded) return loaded;
  }
  if (auto fine = listeners_.open_web(std::move(options), stands); !fine) return fine;
  if (!watch_ && bound().empty()) return start_failed(kExitUsage, "a web node needs an address: http or https");
  if (watch_) {
    listeners_.web()->set_not_ready("this one stands by\n");
    open_spare_socket();
  }
  listeners_.web()->start();
  return {};
}

// Without the socket it stands by all the same.
void WebNode::open_spare_socket() {
  AdminSocket::Hooks hooks;
  hooks.submit = [this](const core::AdminLine& line) {
    const std::string why = "this server stands by: give commands to the one that writes " + store_->name();
    admin_->answer({.token = line.token, .result = {.ok = false, .text = why, .columns = {}, .rows = {}}});
  };
  hooks.warn = log_.warner();
  admin_ = std::make_unique<AdminSocket>(io_, spare_socket_path(config_.data), std::move(hooks));
  std::ignore = admin_->open();
}

int WebNode::run() {
  log_.info(watch_ ? "standing by" : "following the journal", {{"store", store_->name()}});
  follower_ = std::thread([this] { follow(); });
  wait_for_signal();
  look_at_certificate();
  io_.run();
  ends_ = true;
  follower_.join();
  listeners_.close_web();
  log_.info(vacant_ ? "no server writes the store: this one takes over" : "stopped");
  return kExitOk;
}

void WebNode::wait_for_signal() {
  signals_.async_wait([this](boost::system::error_code cancelled, int number) {
    if (cancelled || number != SIGHUP) return io_.stop();
    reload_certificate();
    wait_for_signal();
  });
}

void WebNode::reload_certificate() {
  if (!listeners_.certificate().pair()) return log_.info("reload: a web node without TLS has nothing to read again");
  if (const auto loaded = listeners_.reload_certificate(); !loaded) {
    log_.warning("reload: the TLS certificate stays as it was: " + loaded.error());
  }
}

void WebNode::look_at_certificate() {
  std::ignore = listeners_.certificate().look();
  certificate_timer_.expires_after(kCertificateLook);
  certificate_timer_.async_wait([this](boost::system::error_code cancelled) {
    if (!cancelled) look_at_certificate();
  });
}

bool WebNode::is_vacant() {
  const auto now = std::chrono::steady_clock::now();
  if (!watch_ || now - looked_ < kLook) return false;
  looked_ = now;
  return takeover_wait_.seen(watch_->is_written(), now);
}

void WebNode::follow() {
  while (!ends_) {
    if (is_vacant()) {
      vacant_ = true;
      return io_.stop();
    }
    const auto newer = reader_->wait_after(seen_, kLook);
    if (!newer) {
      report(newer.error());
      std::this_thread::sleep_for(kRetry);
      continue;
    }
    if (std::exchange(away_, false)) {
      log_.info("the store is back");
      listeners_.web()->set_healthy(true);
    }
    if (*newer) catch_up();
  }
}

void WebNode::report(const std::string& fault) {
  if (std::exchange(away_, true)) return;
  log_.warning("the store is away: " + fault);
  listeners_.web()->set_healthy(false);
}

void WebNode::catch_up() {
  auto facts = reader_->read_after(seen_, kFactsAtOnce);
  if (!facts) return report(facts.error());
  if (facts->empty()) return;
  // What retention has taken before it was seen here cannot be followed.
  if (facts->front().seq != core::next(seen_)) return look();
  seen_ = facts->back().seq;
  listeners_.web()->publish({std::move(*facts)});
}

void WebNode::look() {
  auto stands = store_->look();
  if (!stands) return report(stands.error());
  log_.warning("this node had fallen behind the journal; it begins anew");
  seen_ = stands->last;
  listeners_.web()->restart(*stands);
}

}  // namespace fuhyo::app
