// Positions of finished games are taken in behind the games, portion by portion.
#include "server/app/serve/position_service.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/patience.h"

namespace fuhyo::app {
namespace {

constexpr std::chrono::milliseconds kAMoment{1};
constexpr PositionService::Rests kShort{.portion = kAMoment, .gather = kAMoment, .retry = kAMoment};

// What a store has, in the hands of the test.
struct Games {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t waiting = 0, taken = 0, asked = 0;
  std::optional<std::string> fault;

  bool wait(const std::function<bool()>& until) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, test::kPatience, until);
  }
};

class FakeIndex : public store::PositionIndex {
 public:
  explicit FakeIndex(Games& games) : games_(games) {}
  std::expected<std::size_t, std::string> take_in(std::size_t most) override {
    const std::lock_guard lock(games_.mutex);
    ++games_.asked;
    games_.changed.notify_all();
    if (games_.fault) return std::unexpected(*games_.fault);
    const std::size_t count = std::min(most, games_.waiting);
    games_.waiting -= count;
    games_.taken += count;
    return count;
  }

 private:
  Games& games_;
};

TEST(PositionServiceTest, TakesInWhatIsThereAndWhatComes) {
  Games games;
  games.waiting = 1'700;
  PositionService service(std::make_unique<FakeIndex>(games), [](std::string_view) {}, kShort);
  ASSERT_TRUE(games.wait([&] { return games.taken == 1'700; })) << "a long past, without being asked";
  {
    const std::lock_guard lock(games.mutex);
    games.waiting = 1;
  }
  service.ask();
  EXPECT_TRUE(games.wait([&] { return games.taken == 1'701; }));
}

TEST(PositionServiceTest, SaysOnceThatTheStoreIsAwayAndGoesOn) {
  Games games;
  games.fault = "disk I/O error";
  games.waiting = 1;
  std::mutex mutex;
  std::vector<std::string> said;
  {
    const auto warn = [&](std::string_view text) {
      const std::lock_guard lock(mutex);
      said.emplace_back(text);
    };
    PositionService service(std::make_unique<FakeIndex>(games), warn, kShort);
    ASSERT_TRUE(games.wait([&] { return games.asked >= 2; })) << "by itself";
    {
      const std::lock_guard lock(games.mutex);
      games.fault.reset();
    }
    EXPECT_TRUE(games.wait([&] { return games.taken == 1; }));
  }
  EXPECT_EQ(said, std::vector<std::string>{"positions of games are not kept for now: disk I/O error"});
}

// All of it would take days.
TEST(PositionServiceTest, EndsHoweverMuchIsLeft) {
  Games games;
  games.waiting = 1'000'000'000;
  const PositionService service(std::make_unique<FakeIndex>(games), [](std::string_view) {});
}

}  // namespace
}  // namespace fuhyo::app
