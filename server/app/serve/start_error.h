// Why a server did not start.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace fuhyo::app {

struct StartError {
  int exit_code = 0;  // see commands.h
  std::string text;
};

using Started = std::expected<void, StartError>;

inline std::unexpected<StartError> start_failed(int exit_code, std::string text) {
  return std::unexpected(StartError{exit_code, std::move(text)});
}

}  // namespace fuhyo::app
