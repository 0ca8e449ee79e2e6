// Generates a file of games by processes of its own, one for each core, and whoever else works for the same queue. What
// has been played survives whatever happens to the processes; the same call goes on where the last one ended.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engines/learn/generate/job.h"

namespace fuhyo::learn {

struct GenerateTerms {
  SelfPlayJob job;  // with fingerprints
  GameRange games;
  std::uint64_t per_chunk = 200;
  std::filesystem::path folder;  // gets self-play.games, and the queue meanwhile
  int processes = 1;             // none: others work for the queue
  // A process that plays for a queue: program and arguments; the queue's folder and the batch's name are added.
  std::vector<std::string> worker;
  std::int64_t every_s = 30;  // between two lines of progress
  std::function<void(std::string_view line)> say{};
};

// The program as GenerateTerms::worker: `fuhyo-learn play`, which ends with whoever started it.
std::vector<std::string> play_command(const std::string& program);

struct Generated {
  std::filesystem::path file;
  std::uint64_t games = 0, positions = 0;
  bool complete = false;  // else it was asked to stop
};

// If the file is there, nothing is done.
std::expected<Generated, std::string> generate(const GenerateTerms& terms, const std::stop_token& stop);

}  // namespace fuhyo::learn
