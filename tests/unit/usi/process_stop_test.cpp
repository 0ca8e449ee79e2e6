// Programs that are asked to stop.
#include "engines/usi/process_stop.h"

#include <array>
#include <chrono>
#include <gtest/gtest.h>
#include <signal.h>
#include <thread>
#include <unistd.h>

#include "engines/usi/process_self.h"

namespace fuhyo::usi {
namespace {

bool requested_soon(const std::stop_token& token) {
  for (int i = 0; i < 1'000 && !token.stop_requested(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return token.stop_requested();
}

bool is_default(int signal) {
  struct sigaction action{};
  ::sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_DFL;
}

TEST(StopBySignal, IsAskedByEitherSignalOnce) {
  for (const int signal : {SIGINT, SIGTERM}) {
    ASSERT_TRUE(is_default(signal));
    StopBySignal stop;
    EXPECT_FALSE(is_default(signal));
    EXPECT_FALSE(stop.token().stop_requested());
    ASSERT_EQ(::raise(signal), 0);
    EXPECT_TRUE(requested_soon(stop.token()));
    // The next one ends the program.
    EXPECT_TRUE(is_default(SIGINT));
    EXPECT_TRUE(is_default(SIGTERM));
  }
}

TEST(StopBySignal, LeavesSignalsAsTheyWere) {
  ::signal(SIGTERM, SIG_IGN);
  {
    const StopBySignal stop;
  }
  struct sigaction action{};
  ::sigaction(SIGTERM, nullptr, &action);
  EXPECT_EQ(action.sa_handler, SIG_IGN);
  ::signal(SIGTERM, SIG_DFL);
}

TEST(StopBySignal, IsAskedByTheEndOfItsInputIfThatIsWanted) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const int input = ::dup(STDIN_FILENO);
  ASSERT_GE(::dup2(ends[0], STDIN_FILENO), 0);
  {
    StopBySignal stop(StopAt::signal_or_end_of_input);
    ASSERT_EQ(::write(ends[1], "text\n", 5), 5);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(stop.token().stop_requested());
    ::close(ends[1]);
    EXPECT_TRUE(requested_soon(stop.token()));
  }
  {
    StopBySignal stop;  // this one does not look at it
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(stop.token().stop_requested());
    stop.request();
    EXPECT_TRUE(stop.token().stop_requested());
  }
  ::dup2(input, STDIN_FILENO);
  ::close(input);
  ::close(ends[0]);
}

TEST(Process, KnowsItself) {
  EXPECT_TRUE(own_program().ends_with("test_usi")) << own_program();
  EXPECT_TRUE(process_name().ends_with("-" + std::to_string(::getpid()))) << process_name();
}

}  // namespace
}  // namespace fuhyo::usi
