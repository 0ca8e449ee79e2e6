#include "engines/usi/process.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "engines/usi/process_output.h"
#include "tests/unit/usi/child_talk.h"

namespace fuhyo::usi {
namespace {

using test::Ear;
using test::start;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// As the system has it: "State: T (stopped)". Empty: it is gone.
std::string state(const std::string& pid) {
  std::ifstream status("/proc/" + pid + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("State:")) return line;
  }
  return {};
}

// Neither gone nor a zombie that its new parent has not buried yet.
bool alive(const std::string& pid) { return !state(pid).empty() && state(pid).find('Z') == std::string::npos; }

TEST(ChildProcess, TalksInLines) {
  Ear ear;
  const auto process = start(ear, {FAKE_ENGINE});
  EXPECT_TRUE(process->write_line("usi"));
  EXPECT_TRUE(ear.heard("usiok"));
  EXPECT_TRUE(process->write_line("quit"));
  EXPECT_EQ(ear.closed(), "exit status 0");
  EXPECT_FALSE(process->write_line("usi"));
}

TEST(LastWords, AreThreeLinesAtMostAndPrintable) {
  LastWords words;
  EXPECT_EQ(words.text(), "");
  words.take(
      "one\ntwo\n\n\x1b"
      "three\r\n");
  EXPECT_EQ(words.text(), "one / two / three");
  words.take("  \nfo");
  words.take("ur");
  EXPECT_EQ(words.text(), "two / three / four");
  words.take(std::string(100'000, 'x') + std::string(299, 'y') + "!");
  EXPECT_EQ(words.text(), std::string(299, 'y') + "!");
}

struct Ended {
  std::vector<std::string> command;
  std::string why;
  ChildProcess::Options options{};
};

TEST(ChildProcess, SaysWhyItEnded) {
  const Ended ends[] = {
      {{FAKE_ENGINE}, "exit status 0"},  // at the end of its input
      {{FAKE_ENGINE, "exit3"}, "exit status 3"},
      {{"/bin/sh", "-c", "echo no weights >&2; exit 3"}, "exit status 3; its last words: no weights"},
      {{"/bin/sh", "-c", "exec >&-; sleep 1000"}, "it closed its output"},  // and lives on
      {{FAKE_ENGINE, "flood"}, "output flood", {.bytes_per_second = 1'000}},
      {{FAKE_ENGINE, "longline"}, "a line over 8192 bytes"},
      {{"/bin/sh", "-c", "echo 12345678901; sleep 1000"}, "a line over 10 bytes", {.line_limit = 10}},
  };
  for (const Ended& each : ends) {
    Ear ear;
    const auto process = start(ear, each.command, each.options);
    process->write_line("go");
    process->close_input();
    EXPECT_EQ(ear.closed(), each.why);
  }
  Ear crashed;
  const auto process = start(crashed, {FAKE_ENGINE, "crash"});
  for (int i = 0; i < 2; ++i) process->write_line("go");
  EXPECT_THAT(crashed.closed(), HasSubstr("killed by signal 6"));
}

TEST(ChildProcess, AProgramThatIsNotThereIsAnError) {
  Ear ear;
  const auto process = ChildProcess::spawn({.command = {"/nonexistent/engine"}}, ear.events());
  ASSERT_FALSE(process);
  EXPECT_THAT(process.error(), HasSubstr("cannot run '/nonexistent/engine': No such file"));
  EXPECT_FALSE(ChildProcess::spawn({}, ear.events()));
  EXPECT_EQ(ear.closes(), 0);
}

TEST(ChildProcess, TheLineLimitIsExactWithoutTheLineEndOrACarriageReturn) {
  Ear ear;
  const auto process =
      start(ear, {"/bin/sh", "-c", "echo 1234567890; printf 'readyok\\r\\n'; sleep 1000"}, {.line_limit = 10});
  EXPECT_TRUE(ear.heard("1234567890"));
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

// As on a machine that gives it no time: none of the lines is lost, and the last one ends it.
TEST(ChildProcess, AnEngineThatReadsLaterGetsAllLines) {
  Ear ear;
  const auto process = start(ear, {"/bin/sh", "-c",
                                   "echo $$; kill -STOP $$; n=0; while read -r line; do "
                                   "if [ \"$line\" = quit ]; then echo lines $n; exit; fi; n=$((n+1)); done"});
  const std::string pid = ear.next();
  ASSERT_TRUE(test::eventually([&] { return state(pid).find("T (stopped)") != std::string::npos; }));
  constexpr int kLines = 60;
  for (int i = 0; i < kLines; ++i) ASSERT_TRUE(process->write_line(std::string(4000, 'x'))) << i;
  ASSERT_TRUE(process->write_line("quit"));
  ::kill(std::stoi(pid), SIGCONT);
  EXPECT_TRUE(ear.heard("lines " + std::to_string(kLines)));
  EXPECT_EQ(ear.closed(), "exit status 0");
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
