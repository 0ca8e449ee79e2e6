// Every line to and from the engines of a match, in a file. Lines come one at a time (RunnerOptions::log).
#pragma once

#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <string_view>

#include "engines/match/usi_player.h"

namespace fuhyo::app {

class ProtocolLog {
 public:
  explicit ProtocolLog(const std::string& path) : file_(std::fopen(path.c_str(), "w")) {}
  bool is_open() const { return file_ != nullptr; }
  match::UsiPlayer::Log writer() {
    return [this](std::string_view name, char direction, std::string_view line) {
      fmt::print(file_.get(), "{} {} {}\n", name, direction, line);
    };
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace fuhyo::app
