#include "server/app/serve/web_node.h"

#include <chrono>
#include <csignal>
#include <tuple>
#include <utility>

#include "server/app/admin/wire.h"
#include "server/app/commands.h"
#include "server/app/serve/metrics.h"
#include "server/app/serve/pages.h"

namespace fuhyo::app {
namespace {

using std::chrono::milliseconds;

// The end is noticed within this; the store says itself when there is something new.
constexpr milliseconds kLook(500);
constexpr milliseconds kRetry(500);  // while the store is away
constexpr std::size_t kPortion = 5'000;
constexpr std::chrono::minutes kCertificateLook(10);

std::unexpected<StartError> failed(int code, std::string text) {
  return std::unexpected(StartError{code, std::move(text)});
}

}  // namespace

WebNode::WebNode(ServeConfig config, Log& log, std::unique_ptr<store::WriterWatch> watch)
    : config_(std::move(config)),
      log_(log),
      signals_(io_, SIGINT, SIGTERM, SIGHUP),
      certificate_timer_(io_),
      certificate_(log),
      watch_(std::move(watch)) {}

WebNode::~WebNode() {
  ends_ = true;
  if (follower_.joinable()) follower_.join();
}

std::expected<void, StartError> WebNode::open() {
  auto store =
      store::make_store(config_.store_address(), {.warn = [this](std::string_view text) { log_.warning(text); }});
  if (!store) return failed(kExitUsage, store.error());
  store_ = std::move(*store);
  const auto stands = store_->look();
  if (!stands) return failed(kExitIo, stands.error());
  auto reader = store_->open_reader();
  if (!reader) return failed(kExitIo, reader.error());
  reader_ = std::move(*reader);
  seen_ = stands->last;
  net::HttpOptions options;
  options.exempt = is_listed_in(config_.exempt);
  options.warn = [this](std::string_view text) { log_.warning(text); };
  options.metrics = process_metrics;
  if (auto fine = set_pages(config_, *store_, log_, options); !fine) return fine;
  http_ = std::make_unique<net::HttpServer>(std::move(options), *stands);
  if (watch_) http_->set_not_ready("this one stands by\n");
  if (auto fine = open_doors(); !fine) return fine;
  if (watch_) open_spare_socket();
  http_->start();
  return {};
}

std::expected<void, StartError> WebNode::open_doors() {
  for (const std::string& address : config_.http) {
    const auto bound = http_->listen(address);
    if (!bound) return failed(kExitUnavailable, bound.error());
    http_addresses_.insert(http_addresses_.end(), bound->begin(), bound->end());
  }
  if (!config_.https.empty()) {
    if (const auto loaded = certificate_.load(config_.tls_cert, config_.tls_key); !loaded) {
      return failed(kExitUsage, loaded.error());
    }
    http_->use(certificate_.pair());
  }
  for (const std::string& address : config_.https) {
    const auto bound = http_->listen_tls(address);
    if (!bound) return failed(kExitUnavailable, bound.error());
    https_addresses_.insert(https_addresses_.end(), bound->begin(), bound->end());
  }
  if (!watch_ && http_addresses_.empty() && https_addresses_.empty()) {
    return failed(kExitUsage, "a web node needs an address: http or https");
  }
  return {};
}

// Without the socket it stands by all the same.
void WebNode::open_spare_socket() {
  AdminSocket::Hooks hooks;
  hooks.submit = [this](const core::AdminLine& line) {
    const std::string why = "this server stands by: give commands to the one that writes " + store_->name();
    admin_->answer({.token = line.token, .result = {.ok = false, .text = why, .columns = {}, .rows = {}}});
  };
  hooks.warn = [this](const std::string& text) { log_.warning(text); };
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
  http_.reset();
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
  if (!certificate_.pair()) return log_.info("reload: a web node without TLS has nothing to read again");
  if (const auto loaded = certificate_.load(config_.tls_cert, config_.tls_key); !loaded) {
    return log_.warning("reload: the TLS certificate stays as it was: " + loaded.error());
  }
  http_->use(certificate_.pair());
}

void WebNode::look_at_certificate() {
  std::ignore = certificate_.look();
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
      http_->set_healthy(true);
    }
    if (*newer) catch_up();
  }
}

void WebNode::report(const std::string& fault) {
  if (std::exchange(away_, true)) return;
  log_.warning("the store is away: " + fault);
  http_->set_healthy(false);
}

void WebNode::catch_up() {
  auto facts = reader_->read_after(seen_, kPortion);
  if (!facts) return report(facts.error());
  if (facts->empty()) return;
  // What retention has taken before it was seen here cannot be followed.
  if (facts->front().seq != core::next(seen_)) return look();
  seen_ = facts->back().seq;
  http_->publish({std::move(*facts)});
}

void WebNode::look() {
  auto stands = store_->look();
  if (!stands) return report(stands.error());
  log_.warning("this node had fallen behind the journal; it begins anew");
  seen_ = stands->last;
  http_->restart(*stands);
}

}  // namespace fuhyo::app
