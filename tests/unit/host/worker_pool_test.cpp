// Engines of workers as processes, and the seats of a machine that is away.
#include "server/host/worker_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "server/host/cpu_scheduler.h"

namespace fuhyo::host {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Office {
  std::vector<std::string> sent, said, closed;
  std::shared_ptr<WorkerPool> pool = std::make_shared<WorkerPool>(
      WorkerLimits{}, 0,
      WorkerPool::Hooks{.send = [this](core::ConnId, std::string line) { sent.push_back(std::move(line)); },
                        .close = {},
                        .known = {},
                        .offered = {},
                        .present = {},
                        .log = {}});
  core::ConnId conn{1};

  Office() {
    pool->change({.is_token = [](std::string_view, std::string_view) { return true; }, .is_spared = {}});
  }
  void connect() {
    pool->opened(conn, "192.0.2.7", {});
    for (const char* line : {"worker 1 lab token s1", "engine 0 0 name=lab", "ready 1"}) pool->line(conn, line, {});
  }
  auto spawn() {
    return pool->spawner("lab", 0)({.line = [this](const std::string& line) { said.push_back(line); },
                                    .closed = [this](const std::string& why) { closed.push_back(why); }},
                                   {});
  }
  // On a worker that is there.
  auto run() {
    connect();
    auto process = spawn();
    EXPECT_TRUE(process) << process.error();
    return std::move(process).value();
  }
};

TEST(WorkerPool, RunsAnEngineAsAProcess) {
  Office o;
  const auto none = o.spawn();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error(), "the worker lab is not connected");
  o.connect();
  const auto process = o.spawn();
  ASSERT_TRUE(process) << process.error();
  EXPECT_TRUE((*process)->write_line("usi"));
  EXPECT_EQ(o.sent.back(), "line 1 1 usi");
  o.pool->line(o.conn, "line 1 1 usiok", {});
  o.pool->line(o.conn, "ended 1 2 exit status 3", {});
  o.pool->line(o.conn, "line 1 3 too late", {});
  EXPECT_THAT(o.said, ElementsAre("usiok"));
  EXPECT_THAT(o.closed, ElementsAre("exit status 3"));
  EXPECT_FALSE((*process)->write_line("isready"));
}

TEST(WorkerPool, AProcessThatIsDestroyedIsNotHeard) {
  Office o;
  o.run().reset();
  EXPECT_EQ(o.sent.back(), "end 1");
  o.pool->line(o.conn, "line 1 1 usiok", {});
  EXPECT_THAT(o.said, IsEmpty());
  EXPECT_THAT(o.closed, IsEmpty());
}

TEST(WorkerPool, AKillIsAnEnd) {
  Office o;
  const auto process = o.run();
  for (int i = 0; i < 2; ++i) process->kill();
  EXPECT_THAT(o.closed, ElementsAre("killed"));
}

TEST(WorkerPool, SaysNothingOnceTheDoorIsShut) {
  Office o;
  const auto process = o.run();
  o.pool->shut();
  const std::size_t before = o.sent.size();
  process->write_line("usi");
  EXPECT_EQ(o.sent.size(), before);
}

// For the sanitizers: a thread that hears lines while another one starts and ends engines.
TEST(WorkerPool, IsSharedByThreads) {
  Office o;
  o.connect();
  std::thread other([&] {
    for (int i = 0; i < 200; ++i) {
      o.pool->line(o.conn, "info " + std::to_string(i) + " depth 1", {});
      o.pool->tick({});
    }
  });
  for (int i = 0; i < 100; ++i) {
    const auto process =
        o.pool->spawner("lab", 0)({.line = [](const std::string&) {}, .closed = [](const std::string&) {}}, {});
    ASSERT_TRUE(process);
    (*process)->write_line("usi");
  }
  other.join();
  EXPECT_EQ(o.pool->rows().at(0).seats, 0u);
}

TEST(CpuScheduler, NobodyEntersTheLobbyWhereNobodyCanThink) {
  CpuScheduler seats(1);
  int told = 0;
  const CpuScheduler::Id player = seats.join("a", {}, [&] { ++told; });
  EXPECT_TRUE(seats.may_enter(player));
  told = 0;
  seats.set_open(false);
  EXPECT_EQ(told, 1);
  EXPECT_FALSE(seats.may_enter(player));
  EXPECT_TRUE(seats.claim(player, "g", "b", true)) << "a game that it has goes on";
  seats.set_open(true);
  EXPECT_TRUE(seats.may_enter(player));
}

}  // namespace
}  // namespace fuhyo::host
