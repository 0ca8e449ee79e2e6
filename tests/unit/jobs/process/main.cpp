// A worker as a process, for tests that kill it: process_worker hold|count QUEUE NAME FOLDER
//   hold    takes a chunk, says so by a file NAME in the folder, sleeps without renewing until there is a file
//           `morning`, and hands in. Exit code 7: it was told that it comes too late
//   count   works until nothing is left. Exit code: how many results were counted
// It ends with the test that started it.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <sys/prctl.h>
#include <thread>

#include "engines/jobs/open.h"
#include "engines/jobs/worker.h"

namespace {

namespace jobs = fuhyo::jobs;

constexpr std::int64_t kLease_ms = 300;

int hold(jobs::Queue& queue, const std::string& name, const std::filesystem::path& folder) {
  const auto claim = queue.claim({.worker = name, .kind = "", .batch = ""});
  if (!claim || !*claim) return 98;
  std::ofstream(folder / name) << "has a chunk";
  while (!std::filesystem::exists(folder / "morning")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const auto finished = queue.finish((*claim)->lease, "too late");
  return finished && *finished == jobs::Finish::late ? 7 : 97;
}

int count(jobs::Queue& queue, const std::string& name) {
  jobs::WorkerOptions options;
  options.wanted = {.worker = name, .kind = "", .batch = ""};
  options.drain = true;
  options.idle_longest_ms = 100;
  const jobs::Work work = [&](const jobs::Claim& claim, const std::stop_token&) -> jobs::Result<std::string> {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return name + " " + claim.chunk;
  };
  return static_cast<int>(jobs::run_worker(queue, options, work, {}).counted);
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  if (argc != 5) return 96;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const auto queue = jobs::open_queue(arguments[2], {.lease_ms = kLease_ms, .durable = false});
  if (!queue) return 99;
  const std::string name = arguments[3];
  return std::string(arguments[1]) == "hold" ? hold(**queue, name, arguments[4]) : count(**queue, name);
}
