// The log of each player's lines.
#include "server/app/serve/wire_log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

using core::ConnId;
using testing::HasSubstr;
using testing::Not;

constexpr core::Wall kAt{1795234480LL * 1'000'000};

class WireLogTest : public testing::Test {
 protected:
  void SetUp() override { start(); }
  void start(std::size_t max_bytes = 1 << 20, std::size_t max_queued_bytes = 1 << 20) {
    log = std::make_unique<WireLog>(
        WireLog::Options{.folder = folder.path(), .max_bytes = max_bytes, .max_queued_bytes = max_queued_bytes},
        [this](std::string_view text) { warnings.emplace_back(text); });
  }
  void log_in(ConnId conn, const std::string& name) {
    log->opened(conn, "192.0.2.1:5000");
    log->received(conn, "LOGIN " + name + " hushhush", kAt);
    log->sent(conn, "LOGIN:" + name + " OK\n", kAt);
  }
  // Everything is written when the log is gone.
  std::string written(const std::string& file) {
    log.reset();
    return folder.read(file);
  }

  test::TemporaryFolder folder;
  std::vector<std::string> warnings;
  std::unique_ptr<WireLog> log;
};

TEST_F(WireLogTest, HoldsBothDirectionsWithStampsAndWithoutThePassword) {
  log_in(ConnId{1}, "alice");
  log->received(ConnId{1}, "+7776FU,'* 30 \xff\x1b[2J", kAt);
  log->sent(ConnId{1}, "+7776FU,T1\n#WIN\n", kAt);
  log->closed(ConnId{1});
  EXPECT_EQ(written("alice.log"),
            "-- connection from 192.0.2.1:5000\n"
            "2026-11-21T04:14:40.000000Z > LOGIN alice ***\n"
            "2026-11-21T04:14:40.000000Z < LOGIN:alice OK\n"
            "2026-11-21T04:14:40.000000Z > +7776FU,'* 30 \\xff\\x1b[2J\n"
            "2026-11-21T04:14:40.000000Z < +7776FU,T1\n"
            "2026-11-21T04:14:40.000000Z < #WIN\n"
            "-- closed\n");
}

TEST_F(WireLogTest, AsShogiServerWritesIt) {
  log = std::make_unique<WireLog>(WireLog::Options{.folder = folder.path(), .like_shogi_server = true},
                                  [](std::string_view) {});
  log_in(ConnId{1}, "alice");
  log->sent(ConnId{1}, "+7776FU,T1\n#WIN\n", kAt);
  EXPECT_THAT(written("alice.log"), testing::EndsWith("2026-11-21T04:14:40 [INFO] IN: LOGIN alice ***\n"
                                                      "2026-11-21T04:14:40 [INFO] OUT: LOGIN:alice OK\n"
                                                      "2026-11-21T04:14:40 [INFO] OUT: +7776FU,T1\n"
                                                      "2026-11-21T04:14:40 [INFO] OUT: #WIN\n"));
}

TEST_F(WireLogTest, PlayersHaveFilesOfTheirOwnAndStrangersHaveNone) {
  log_in(ConnId{1}, "alice");
  log_in(ConnId{2}, "bob");
  log->opened(ConnId{3}, "192.0.2.9:1");
  log->received(ConnId{3}, "LOGIN eve wrong", kAt);
  log->sent(ConnId{3}, "LOGIN:incorrect\n", kAt);
  log->closed(ConnId{3});
  log->sent(ConnId{1}, "to alice\n", kAt);
  EXPECT_THAT(written("alice.log"), HasSubstr("to alice"));
  EXPECT_THAT(folder.read("bob.log"), Not(HasSubstr("alice")));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
}

TEST_F(WireLogTest, AFullFileIsRotatedOnce) {
  for (std::uint64_t round = 1; round <= 6; ++round) {
    start(2000);
    log_in(ConnId{round}, "alice");
    for (int i = 0; i < 20; ++i)
      log->received(ConnId{round}, "a line of some length, number " + std::to_string(i), kAt);
    log.reset();
  }
  EXPECT_GT(folder.read("alice.log.1").size(), 2000u);
  EXPECT_LT(folder.read("alice.log").size() + folder.read("alice.log.1").size(), 4u * 2000);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}),
            folder.read("alice.log").empty() ? 1 : 2);
}

// The disk is a pipe that nobody reads.
TEST_F(WireLogTest, WhatDoesNotFitIsLeftOutAndSaidToBe) {
  ASSERT_EQ(::mkfifo((folder / "alice.log").c_str(), 0600), 0);
  start(1 << 20, 1000);
  log_in(ConnId{1}, "alice");
  for (int i = 0; i < 100; ++i) log->sent(ConnId{1}, std::string(100, 'x') + "\n", kAt);
  const int reader = ::open((folder / "alice.log").c_str(), O_RDWR | O_CLOEXEC);
  log.reset();
  ::close(reader);
  ASSERT_FALSE(warnings.empty());
  EXPECT_THAT(warnings.front(), HasSubstr("left out"));
}

TEST_F(WireLogTest, AFolderThatIsGoneIsReportedOnce) {
  std::filesystem::remove_all(folder.path());
  log_in(ConnId{1}, "alice");
  log->sent(ConnId{1}, "x\n", kAt);
  log.reset();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings.front(), HasSubstr("cannot write"));
}

TEST_F(WireLogTest, AMillionBytesBeforeLoginAreNotKept) {
  log->opened(ConnId{1}, "192.0.2.1:1");
  for (int i = 0; i < 1000; ++i) log->received(ConnId{1}, std::string(1000, 'x'), kAt);
  log->sent(ConnId{1}, "LOGIN:alice OK\n", kAt);
  EXPECT_LT(written("alice.log").size(), 16'384u);
}

}  // namespace
}  // namespace fuhyo::app
