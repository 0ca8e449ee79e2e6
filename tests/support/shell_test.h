// Programs as they are called: command lines that run in a folder of the test's own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/support/temporary_folder.h"

namespace fuhyo::test {

class ShellTest : public ::testing::Test {
 protected:
  // The exit code of the shell's command line; `said_` is what it printed.
  int shell(const std::string& line) {
    const std::string command = "cd '" + folder_.path().string() + "' && " + line + " >said 2>&1";
    const int status = std::system(command.c_str());
    said_ = folder_.read("said");
    return WEXITSTATUS(status);
  }

  TemporaryFolder folder_;
  std::string said_;
};

}  // namespace fuhyo::test
