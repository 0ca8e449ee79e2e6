// A USI engine that is asked and waited for: for programs that play games between engines. One thread at a time.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engines/usi/process.h"
#include "engines/usi/values.h"

namespace fuhyo::bench {

class UsiPlayer {
 public:
  // Starts it and sends the options, "NAME=VALUE" each. Whatever goes wrong, here or later, is a std::runtime_error.
  UsiPlayer(const std::string& command, const std::vector<std::string>& options);

  void set(std::string_view name, std::string_view value);
  void new_game();
  // `score`: in centipawns as told last, mates as 30000; not touched if none was told.
  usi::BestMove think(const std::string& position, const std::string& go, int* score = nullptr);

 private:
  void send(std::string_view line);
  std::string next_line();
  void ask(std::string_view line, std::string_view answer);

  std::string command_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  bool closed_ = false;
  std::unique_ptr<usi::ChildProcess> process_;  // last: its thread uses the members above
};

}  // namespace fuhyo::bench
