// Why a server did not start.
#pragma once

#include <string>

namespace fuhyo::app {

struct StartError {
  int exit_code = 0;  // see commands.h
  std::string text;
};

}  // namespace fuhyo::app
