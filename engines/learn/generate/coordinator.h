// Generates a file of games with a queue, processes of its own, and any other workers of the queue. Finished chunks
// survive a crash of the processes; the same call resumes where the last one ended.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/learn/generate/chunk.h"
#include "engines/learn/generate/job.h"

namespace fuhyo::learn {

template <class Job>
struct GamesOptions {
  Job job;  // with fingerprints
  GameRange games;
  std::uint64_t per_chunk = Job::kUsualChunk;
  std::filesystem::path folder;  // gets the file of games, and the queue meanwhile
  int processes = 1;             // none: others work for the queue
  // A process that plays for a queue: program and arguments; the queue's folder and the batch's name are added.
  std::vector<std::string> worker;
  std::int64_t every_s = 30;  // between two lines of progress
  std::function<void(std::string_view line)> say{};
};

using GenerateOptions = GamesOptions<SelfPlayJob>;  // the file is self-play.games

// The program as GenerateOptions::worker: `fuhyo-learn play`, which ends with its parent process.
std::vector<std::string> play_command(const std::string& program);

struct Generated {
  std::filesystem::path file;
  std::uint64_t games = 0, positions = 0;
  bool complete = false;  // else it was stopped
};

// The name in the queue of a process of the caller's own, from 0. It is unique: a folder has one caller at a time, and
// the processes end with their parent.
std::string own_worker(int number);

// Does nothing if the file exists.
std::expected<Generated, std::string> generate(const GenerateOptions& options, const std::stop_token& stop);

// The same for any kind of games; generate() and self-play of policy networks use it.
struct Coordination {
  jobs::Batch batch;
  std::uint64_t games = 0;  // of all chunks
  std::filesystem::path folder;
  std::string file;  // its name in the folder
  int processes = 1;
  std::vector<std::string> worker;
  std::int64_t every_s = 30;
  std::function<void(std::string_view line)> say{};

  // The size of the result of a chunk. An error: it is not a result.
  std::function<std::expected<ChunkSize, std::string>(std::string_view bytes, std::string_view chunk)> measure;
  // Writes the results, by chunk, to a file that is not there yet.
  std::function<std::expected<void, std::string>(const std::filesystem::path& file,
                                                 const std::map<std::int64_t, std::string>& results)>
      write;
  // What the file holds.
  std::function<std::expected<ChunkSize, std::string>(const std::filesystem::path& file)> measure_file;
  std::function<std::string()> remark{};  // of what was measured, for lines of progress
};

// Without what differs from kind to kind.
template <class Job>
Coordination coordination_of(const GamesOptions<Job>& options, std::string file) {
  Coordination out;
  out.batch = to_batch(options.job, options.games, options.per_chunk);
  out.games = options.games.count;
  out.folder = options.folder;
  out.file = std::move(file);
  out.processes = options.processes;
  out.worker = options.worker;
  out.every_s = options.every_s;
  out.say = options.say;
  return out;
}

std::expected<Generated, std::string> coordinate(const Coordination& options, const std::stop_token& stop);

}  // namespace fuhyo::learn
