// The end of a server under a clock that the test moves.
#include "server/app/serve/shutdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace fuhyo::app {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using Phase = Shutdown::Phase;

class ShutdownTest : public testing::Test {
 protected:
  Shutdown::Hooks hooks() {
    const auto note = [this](const char* what) { return [this, what] { done.emplace_back(what); }; };
    return {.drain = note("drain"),
            .suspend = note("suspend"),
            .close = note("close"),
            .open_count = [this] { return open; },
            .stop = note("stop"),
            .post = [this](std::function<void()> work) { posted.push_back(std::move(work)); },
            .after =
                [this](milliseconds wait, std::function<void()> work) {
                  due = now + wait;
                  timed = std::move(work);
                }};
  }
  void run_posted() {
    for (const auto& work : std::exchange(posted, {})) work();
  }
  void pass(milliseconds time) {
    const milliseconds end = now + time;
    while (timed && due <= end) {
      now = due;
      std::exchange(timed, nullptr)();
    }
    now = end;
  }

  std::vector<std::string> done;
  std::vector<std::function<void()>> posted;
  std::function<void()> timed;
  milliseconds now{0}, due{0};
  std::size_t open = 0;
  Shutdown shutdown{hooks()};
};

TEST_F(ShutdownTest, WaitsForGamesThenForTheJournalThenForTheLastLines) {
  open = 2;
  shutdown.drain(milliseconds(60'000));
  shutdown.drained();
  EXPECT_THAT(done, ElementsAre("drain", "suspend"));
  shutdown.drained();
  EXPECT_EQ(done.size(), 2u);  // what the last event says leaves first
  run_posted();
  EXPECT_EQ(done.back(), "close");
  pass(Shutdown::kQuietStep);
  EXPECT_EQ(done.back(), "close");
  open = 0;
  pass(Shutdown::kQuietStep);
  EXPECT_THAT(done, ElementsAre("drain", "suspend", "close", "stop"));
}

TEST_F(ShutdownTest, NoWaitHasNoEnd) {
  open = 1;
  shutdown.drain(milliseconds(60'000));
  pass(milliseconds(59'999));
  EXPECT_THAT(done, ElementsAre("drain"));
  pass(milliseconds(1));
  EXPECT_THAT(done, ElementsAre("drain", "suspend"));
  pass(Shutdown::kSuspendWait - milliseconds(1));
  EXPECT_EQ(shutdown.phase(), Phase::suspending);
  pass(milliseconds(1));
  run_posted();
  pass(Shutdown::kQuietStep * Shutdown::kQuietSteps - milliseconds(1));
  EXPECT_EQ(done.back(), "close");
  pass(milliseconds(1));
  EXPECT_THAT(done, ElementsAre("drain", "suspend", "close", "stop"));
}

TEST_F(ShutdownTest, GamesThatAreNotWaitedForAreSuspendedOnce) {
  shutdown.drain(milliseconds(60'000));
  shutdown.suspend();
  shutdown.suspend();
  pass(milliseconds(1));
  EXPECT_THAT(done, ElementsAre("drain", "suspend"));
}

// A signal that comes while the last lines leave must not take the timer that they are waited for with.
TEST_F(ShutdownTest, NeverGoesBack) {
  open = 1;
  shutdown.close();
  run_posted();
  shutdown.drain(milliseconds(60'000));
  shutdown.suspend();
  shutdown.drained();
  EXPECT_THAT(done, ElementsAre("close"));
  EXPECT_TRUE(posted.empty());
  open = 0;
  pass(Shutdown::kQuietStep);
  EXPECT_THAT(done, ElementsAre("close", "stop"));
}

}  // namespace
}  // namespace fuhyo::app
