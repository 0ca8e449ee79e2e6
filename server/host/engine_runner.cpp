#include "server/host/engine_runner.h"

#include <algorithm>

#include "engines/usi/values.h"

namespace fuhyo::host {
namespace {

constexpr std::int64_t kLongestDelay_ms = 60'000, kHealthy_ms = 60'000;
// Lines that the owner has not come to yet. An owner this far behind is being flooded.
constexpr int kPendingLines = 20'000;

}  // namespace

struct EngineRunner::Link {
  EngineRunner* runner;  // read on the owner's thread only; null once the process is history
  std::atomic<int> pending = 0;
};

EngineRunner::Spawn EngineRunner::child(usi::ChildProcess::Options options) {
  return [options = std::move(options)](usi::ChildProcess::Events events, const std::vector<int>& cores) {
    auto here = options;
    here.cores = cores;
    return usi::ChildProcess::spawn(here, std::move(events));
  };
}

EngineRunner::EngineRunner(Spawn spawn, Post post, Events events, std::int64_t first_delay_ms)
    : spawn_(std::move(spawn)),
      post_(std::move(post)),
      events_(std::move(events)),
      start_at_(usi::kForever),
      first_delay_ms_(first_delay_ms),
      delay_ms_(first_delay_ms) {}

EngineRunner::~EngineRunner() { stop(); }

void EngineRunner::start(std::int64_t now) {
  start_at_ = usi::kForever;
  started_at_ = now;
  auto link = std::make_shared<Link>(this);
  auto on_line = [link, post = post_](const std::string& line) {
    if (line.empty() || link->pending >= kPendingLines) return;
    ++link->pending;
    post([link, line] {
      --link->pending;
      if (link->runner != nullptr) link->runner->events_.line(line);
    });
  };
  auto on_closed = [link, post = post_](const std::string& why) {
    post([link, why] {
      if (link->runner != nullptr) link->runner->events_.closed(why);
    });
  };
  auto process = spawn_({.line = on_line, .closed = on_closed}, cores_);
  if (!process) {
    start_at_ = now + delay_ms_;
    delay_ms_ = std::min(delay_ms_ * 2, kLongestDelay_ms);
    return events_.not_started(process.error());
  }
  process_ = std::move(*process);
  link_ = std::move(link);
  events_.started();
}

void EngineRunner::stop() {
  if (link_) link_->runner = nullptr;
  link_.reset();
  process_.reset();
  start_at_ = usi::kForever;
}

void EngineRunner::restart(std::int64_t now) {
  stop();
  if (now - started_at_ >= kHealthy_ms) delay_ms_ = first_delay_ms_;
  start_at_ = now + delay_ms_;
  delay_ms_ = std::min(delay_ms_ * 2, kLongestDelay_ms);
}

// An engine that does not read misses its lines; the time-outs of those who wait for the answer deal with it.
void EngineRunner::write(std::string_view line) {
  if (process_) process_->write_line(line);
}

void EngineRunner::bind(const std::vector<int>& cores) {
  if (cores.empty() || cores == cores_) return;
  cores_ = cores;
  if (process_) process_->bind(cores);
}

void EngineRunner::tick(std::int64_t now) {
  if (now >= start_at_) start(now);
}

}  // namespace fuhyo::host
