#include "server/app/serve/position_service.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace fuhyo::app {
namespace {

constexpr int kLowest = 19;
// A portion costs the disk little more than a game: positions of all its games go to the same pages.
constexpr std::size_t kPortion = 500;

}  // namespace

PositionService::PositionService(std::unique_ptr<store::PositionIndex> index,
                                 std::function<void(std::string_view)> warn, const Rests& rests)
    : index_(std::move(index)), warn_(std::move(warn)), rests_(rests), thread_([this] { run(); }) {}

PositionService::~PositionService() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void PositionService::ask() {
  {
    const std::lock_guard lock(mutex_);
    asked_ = true;
  }
  wake_.notify_all();
}

void PositionService::run() {
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kLowest);
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return asked_ || closing_; });
      if (closing_) return;
      asked_ = false;
    }
    while (take_in()) {
      if (!rest(rests_.portion)) return;
    }
    if (!rest(away_ ? rests_.retry : rests_.gather)) return;
    if (away_) ask();
  }
}

bool PositionService::take_in() {
  const auto taken = index_->take_in(kPortion);
  if (taken) {
    away_ = false;
    return *taken == kPortion;
  }
  if (!std::exchange(away_, true)) warn_(fmt::format("positions of games are not kept for now: {}", taken.error()));
  return false;
}

// False: it ends.
bool PositionService::rest(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, time, [this] { return closing_; });
}

}  // namespace fuhyo::app
