#include "server/app/serve/shutdown.h"

namespace fuhyo::app {

bool Shutdown::enter(Phase phase) {
  if (phase_ >= phase) return false;
  phase_ = phase;
  return true;
}

void Shutdown::drain(std::chrono::milliseconds timeout) {
  if (!enter(Phase::draining)) return;
  hooks_.after(timeout, [this] { suspend(); });
  hooks_.drain();
}

void Shutdown::drained() { phase_ == Phase::suspending ? close() : suspend(); }

// What still runs is suspended first, so that it can go on with the next start.
void Shutdown::suspend() {
  if (!enter(Phase::suspending)) return;
  hooks_.after(kSuspendWait, [this] { close(); });
  hooks_.suspend();
}

void Shutdown::close() {
  if (!enter(Phase::closing)) return;
  // Posted: the lines that the last event caused leave first.
  hooks_.post([this] {
    hooks_.close();
    stop_when_quiet(kQuietSteps);
  });
}

void Shutdown::stop_when_quiet(int tries) {
  if (tries == 0 || hooks_.open_count() == 0) return hooks_.stop();
  hooks_.after(kQuietStep, [this, tries] { stop_when_quiet(tries - 1); });
}

}  // namespace fuhyo::app
