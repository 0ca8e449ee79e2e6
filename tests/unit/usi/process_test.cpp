#include "engines/usi/process.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/unit/usi/child_talk.h"

namespace fuhyo::usi {
namespace {

using test::Ear;
using test::start;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Neither gone nor a zombie that its new parent has not buried yet.
bool alive(const std::string& pid) {
  std::ifstream status("/proc/" + pid + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("State:")) return line.find('Z') == std::string::npos;
  }
  return false;
}

TEST(ChildProcess, TalksInLines) {
  Ear ear;
  const auto process = start(ear, {FAKE_ENGINE});
  EXPECT_TRUE(process->write_line("usi"));
  EXPECT_TRUE(ear.heard("usiok"));
  EXPECT_TRUE(process->write_line("quit"));
  EXPECT_EQ(ear.closed(), "exit status 0");
  EXPECT_FALSE(process->write_line("usi"));
}

TEST(ChildProcess, EndOfInputEndsIt) {
  Ear ear;
  const auto process = start(ear, {FAKE_ENGINE});
  process->close_input();
  EXPECT_EQ(ear.closed(), "exit status 0");
}

TEST(ChildProcess, ReportsExitStatusAndSignal) {
  Ear left, crashed;
  const auto first = start(left, {FAKE_ENGINE, "exit3"});
  EXPECT_EQ(left.closed(), "exit status 3");
  const auto second = start(crashed, {FAKE_ENGINE, "crash"});
  second->write_line("go");
  second->write_line("go");
  EXPECT_THAT(crashed.closed(), HasSubstr("killed by signal 6"));
}

TEST(ChildProcess, OneThatClosesItsOutputAndLivesOnIsNotSaidToHaveBeenKilled) {
  Ear ear;
  const auto process = start(ear, {"/bin/sh", "-c", "exec >&-; read forever"});
  EXPECT_EQ(ear.closed(), "it closed its output");
}

TEST(ChildProcess, AProgramThatIsNotThereIsAnError) {
  Ear ear;
  const auto process = ChildProcess::spawn({.command = {"/nonexistent/engine"}}, ear.events());
  ASSERT_FALSE(process);
  EXPECT_THAT(process.error(), HasSubstr("cannot run '/nonexistent/engine': No such file"));
  EXPECT_FALSE(ChildProcess::spawn({}, ear.events()));
  EXPECT_EQ(ear.closes(), 0);
}

TEST(ChildProcess, AFloodIsKilled) {
  Ear ear;
  const auto process = start(ear, {FAKE_ENGINE, "flood"}, {.bytes_per_second = 1'000});
  process->write_line("go");
  EXPECT_EQ(ear.closed(), "output flood");
}

TEST(ChildProcess, AnEndlessLineIsKilled) {
  Ear ear;
  const auto process = start(ear, {FAKE_ENGINE, "longline"});
  process->write_line("go");
  EXPECT_EQ(ear.closed(), "a line over 8192 bytes");
}

TEST(ChildProcess, TheLineLimitIsExact) {
  const ChildProcess::Options limit{.line_limit = 10};
  Ear fits, exceeds;
  const auto first = start(fits, {"/bin/sh", "-c", "echo 1234567890; sleep 1000"}, limit);
  EXPECT_TRUE(fits.heard("1234567890"));
  const auto second = start(exceeds, {"/bin/sh", "-c", "echo 12345678901; sleep 1000"}, limit);
  EXPECT_EQ(exceeds.closed(), "a line over 10 bytes");
}

TEST(ChildProcess, ACarriageReturnBelongsToTheLineEnd) {
  Ear ear;
  const auto process = start(ear, {"/bin/sh", "-c", "printf 'readyok\\r\\n'; sleep 1000"});
  EXPECT_TRUE(ear.heard("readyok"));
}

TEST(ChildProcess, DestructionKillsTheWholeGroup) {
  Ear ear;
  auto process = start(ear, {"/bin/sh", "-c", "sleep 1000 & echo $!; wait"});
  const std::string pid = ear.next();
  ASSERT_TRUE(alive(pid));
  process.reset();
  EXPECT_EQ(ear.closes(), 1);
  EXPECT_TRUE(test::eventually([&] { return !alive(pid); }));
}

TEST(ChildProcess, AnEngineThatDoesNotReadIsNoticed) {
  Ear ear;
  const auto process = start(ear, {"/bin/sh", "-c", "echo started; sleep 1000"});
  ASSERT_TRUE(ear.heard("started"));
  const std::string line(4000, 'x');
  bool took_all = true;
  for (int i = 0; i < 1000 && took_all; ++i) took_all = process->write_line(line);
  EXPECT_FALSE(took_all);
}

TEST(ChildProcess, RunsNicelyWithoutCoreDumps) {
  Ear ear;
  const auto process = start(ear, {"/bin/sh", "-c", "echo nice $(nice); echo core $(ulimit -c)"}, {.nice = 3});
  const int own = ::getpriority(PRIO_PROCESS, 0);  // the tests themselves may run nicely
  EXPECT_TRUE(ear.heard("nice " + std::to_string(std::min(own + 3, 19))));
  EXPECT_TRUE(ear.heard("core 0"));
}

TEST(ChildProcess, LeavesTheProcessorToEverybodyElseIfItShall) {
  Ear ear;
  const std::string policy = "echo policy $(cut -d ' ' -f 41 /proc/self/stat)";  // SCHED_IDLE is 5
  const auto leisurely = start(ear, {"/bin/sh", "-c", policy}, {.leisurely = true});
  EXPECT_TRUE(ear.heard("policy 5"));
  Ear other;
  const auto ordinary = start(other, {"/bin/sh", "-c", policy});
  EXPECT_TRUE(other.heard("policy 0"));
}

TEST(ChildProcess, InheritsNoOpenFiles) {
  std::FILE* ours = std::fopen("/dev/null", "r");  // not marked close-on-exec
  Ear ear;
  const auto process = start(ear, {"/bin/sh", "-c", "exec ls /proc/self/fd"});
  EXPECT_EQ(ear.closed(), "exit status 0");
  EXPECT_EQ(ear.lines(), (std::vector<std::string>{"0", "1", "2", "3"}));  // 3 is the folder that ls reads
  std::fclose(ours);
}

TEST(SplitCommand, ObeysQuotes) {
  EXPECT_THAT(*split_command("engine --a 'b c' \"d\\\"e\" f\\ g ''"),
              ElementsAre("engine", "--a", "b c", "d\"e", "f g", ""));
  EXPECT_THAT(split_command("engine 'open").error(), HasSubstr("quote"));
  EXPECT_THAT(split_command("  ").error(), HasSubstr("empty"));
}

}  // namespace
}  // namespace fuhyo::usi
