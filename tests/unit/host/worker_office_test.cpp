// Engines of workers as processes, and the seats of a machine that is away.
#include "server/host/worker_office.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "server/host/seat_office.h"

namespace fuhyo::host {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Office {
  std::vector<std::string> sent, said, closed;
  std::shared_ptr<WorkerOffice> office = std::make_shared<WorkerOffice>(
      WorkerLimits{}, 0,
      WorkerOffice::Hooks{.send = [this](core::ConnId, std::string line) { sent.push_back(std::move(line)); },
                          .close = {},
                          .known = {},
                          .offered = {},
                          .present = {},
                          .log = {}});
  core::ConnId conn{1};

  Office() {
    office->change({.is_token = [](std::string_view, std::string_view) { return true; }, .is_spared = {}});
  }
  void connect() {
    office->opened(conn, "192.0.2.7", {});
    for (const char* line : {"worker 1 lab token s1", "engine 0 0 name=lab", "ready 1"}) office->line(conn, line, {});
  }
  auto spawn() {
    return office->spawner("lab", 0)({.line = [this](const std::string& line) { said.push_back(line); },
                                      .closed = [this](const std::string& why) { closed.push_back(why); }},
                                     {});
  }
};

TEST(WorkerOffice, RunsAnEngineAsAProcess) {
  Office o;
  const auto none = o.spawn();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error(), "the worker lab is not connected");
  o.connect();
  const auto process = o.spawn();
  ASSERT_TRUE(process) << process.error();
  EXPECT_TRUE((*process)->write_line("usi"));
  EXPECT_EQ(o.sent.back(), "line 1 1 usi");
  o.office->line(o.conn, "line 1 1 usiok", {});
  o.office->line(o.conn, "ended 1 2 exit status 3", {});
  o.office->line(o.conn, "line 1 3 too late", {});
  EXPECT_THAT(o.said, ElementsAre("usiok"));
  EXPECT_THAT(o.closed, ElementsAre("exit status 3"));
  EXPECT_FALSE((*process)->write_line("isready"));
}

TEST(WorkerOffice, AProcessThatIsDestroyedIsNotHeard) {
  Office o;
  o.connect();
  auto process = o.spawn();
  ASSERT_TRUE(process);
  process->reset();
  EXPECT_EQ(o.sent.back(), "end 1");
  o.office->line(o.conn, "line 1 1 usiok", {});
  EXPECT_THAT(o.said, IsEmpty());
  EXPECT_THAT(o.closed, IsEmpty());
}

TEST(WorkerOffice, AKillIsAnEnd) {
  Office o;
  o.connect();
  const auto process = o.spawn();
  ASSERT_TRUE(process);
  (*process)->kill();
  (*process)->kill();
  EXPECT_THAT(o.closed, ElementsAre("killed"));
}

TEST(WorkerOffice, SaysNothingOnceTheDoorIsShut) {
  Office o;
  o.connect();
  const auto process = o.spawn();
  ASSERT_TRUE(process);
  o.office->shut();
  const std::size_t before = o.sent.size();
  (*process)->write_line("usi");
  EXPECT_EQ(o.sent.size(), before);
}

// For the sanitizers: a thread that hears lines while another one starts and ends engines.
TEST(WorkerOffice, IsSharedByThreads) {
  Office o;
  o.connect();
  std::thread other([&] {
    for (int i = 0; i < 200; ++i) {
      o.office->line(o.conn, "info " + std::to_string(i) + " depth 1", {});
      o.office->tick({});
    }
  });
  for (int i = 0; i < 100; ++i) {
    const auto process =
        o.office->spawner("lab", 0)({.line = [](const std::string&) {}, .closed = [](const std::string&) {}}, {});
    ASSERT_TRUE(process);
    (*process)->write_line("usi");
  }
  other.join();
  EXPECT_EQ(o.office->rows().at(0).seats, 0u);
}

TEST(SeatOffice, NobodyEntersTheLobbyWhereNobodyCanThink) {
  SeatOffice seats(1);
  int told = 0;
  const SeatOffice::Id player = seats.join("a", {}, [&] { ++told; });
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
