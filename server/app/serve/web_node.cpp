#include "server/app/serve/web_node.h"

#include <chrono>
#include <csignal>
#include <utility>

#include "server/app/commands.h"

namespace fuhyo::app {
namespace {

using std::chrono::milliseconds;

// The end is noticed within this; the store says itself when there is something new.
constexpr milliseconds kLook(500);
constexpr milliseconds kRetry(500);  // while the store is away
constexpr std::size_t kPortion = 5'000;

}  // namespace

WebNode::WebNode(ServeConfig config, Log& log)
    : config_(std::move(config)),
      log_(log),
      exempt_(ExemptList::parse(config_.exempt).value_or(ExemptList{})),
      signals_(io_, SIGINT, SIGTERM) {}

WebNode::~WebNode() {
  ends_ = true;
  if (follower_.joinable()) follower_.join();
}

std::expected<void, StartError> WebNode::open() {
  const auto failed = [](int code, std::string text) { return std::unexpected(StartError{code, std::move(text)}); };
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
  options.exempt = [list = exempt_](std::string_view address) { return list.contains(address); };
  options.warn = [this](std::string_view text) { log_.warning(text); };
  http_ = std::make_unique<net::HttpServer>(std::move(options), *stands);
  for (const std::string& address : config_.http) {
    const auto bound = http_->listen(address);
    if (!bound) return failed(kExitUnavailable, bound.error());
    http_addresses_.insert(http_addresses_.end(), bound->begin(), bound->end());
  }
  if (http_addresses_.empty()) return failed(kExitUsage, "a web node needs an address: http");
  http_->start();
  return {};
}

int WebNode::run() {
  log_.info("following the journal", {{"store", store_->name()}});
  follower_ = std::thread([this] { follow(); });
  signals_.async_wait([this](boost::system::error_code, int) { io_.stop(); });
  io_.run();
  ends_ = true;
  follower_.join();
  http_.reset();
  log_.info("stopped");
  return kExitOk;
}

void WebNode::follow() {
  while (!ends_) {
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
