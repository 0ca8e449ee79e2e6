// Programs that are asked to stop.
#include "engines/usi/process_stop.h"

#include <array>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

#include "engines/usi/process_self.h"
#include "tests/support/patience.h"

namespace fuhyo::usi {
namespace {

bool requested_in_the_end(const std::stop_token& token) {
  return test::eventually([&] { return token.stop_requested(); });
}

bool is_default(int signal) {
  struct sigaction action{};
  ::sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_DFL;
}

// Signals as in a program that was started by hand, whatever started this one.
class StopBySignalTest : public ::testing::Test {
 protected:
  StopBySignalTest() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) before_[i] = ::signal(kSignals[i], SIG_DFL);
  }
  ~StopBySignalTest() override {
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::signal(kSignals[i], before_[i]);
  }

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM};
  std::array<void (*)(int), kSignals.size()> before_{};
};

TEST_F(StopBySignalTest, IsAskedByEitherSignalOnce) {
  for (const int signal : {SIGINT, SIGTERM}) {
    ASSERT_TRUE(is_default(signal));
    StopBySignal stop;
    EXPECT_FALSE(is_default(signal));
    EXPECT_FALSE(stop.token().stop_requested());
    ASSERT_EQ(::raise(signal), 0);
    EXPECT_TRUE(requested_in_the_end(stop.token()));
    // The next one ends the program.
    EXPECT_TRUE(is_default(SIGINT));
    EXPECT_TRUE(is_default(SIGTERM));
  }
}

TEST_F(StopBySignalTest, LeavesSignalsAsTheyWere) {
  ::signal(SIGTERM, SIG_IGN);
  {
    const StopBySignal stop;
  }
  struct sigaction action{};
  ::sigaction(SIGTERM, nullptr, &action);
  EXPECT_EQ(action.sa_handler, SIG_IGN);
}

// The end of a pipe in the place of the standard input.
class Input {
 public:
  Input() {
    EXPECT_EQ(::pipe(ends_.data()), 0);
    EXPECT_GE(::dup2(ends_[0], STDIN_FILENO), 0);
    EXPECT_EQ(::write(ends_[1], "text\n", 5), 5);
  }
  ~Input() {
    ::dup2(before_, STDIN_FILENO);
    for (const int file : {before_, ends_[0], ends_[1]}) ::close(file);
  }
  void end() { ::close(std::exchange(ends_[1], -1)); }
  int unread() const {
    int count = 0;
    ::ioctl(ends_[0], FIONREAD, &count);
    return count;
  }

 private:
  const int before_ = ::dup(STDIN_FILENO);
  std::array<int, 2> ends_{};
};

TEST_F(StopBySignalTest, IsAskedByTheEndOfItsInputIfThatIsWanted) {
  Input input;
  StopBySignal stop(StopAt::signal_or_end_of_input);
  EXPECT_TRUE(test::eventually([&] { return input.unread() == 0; }));
  EXPECT_FALSE(stop.token().stop_requested());
  input.end();
  EXPECT_TRUE(requested_in_the_end(stop.token()));
}

TEST_F(StopBySignalTest, LeavesItsInputAloneElse) {
  const Input input;
  StopBySignal stop;
  ASSERT_EQ(::raise(SIGTERM), 0);
  EXPECT_TRUE(requested_in_the_end(stop.token()));
  EXPECT_EQ(input.unread(), 5);
}

TEST_F(StopBySignalTest, MayBeAskedByTheProgramItself) {
  StopBySignal stop;
  EXPECT_FALSE(stop.token().stop_requested());
  stop.request();
  EXPECT_TRUE(stop.token().stop_requested());
}

TEST(Process, KnowsItself) {
  EXPECT_TRUE(own_program().ends_with("test_usi")) << own_program();
  EXPECT_TRUE(process_name().ends_with("-" + std::to_string(::getpid()))) << process_name();
}

}  // namespace
}  // namespace fuhyo::usi
