// `fuhyo join --worker` at work: engines of this machine, offered to a server that runs them as its own players
// (server/host/WORKERS.md). Runs on the calling thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "server/app/join/options.h"
#include "server/host/builtin_host.h"
#include "server/host/worker_offer.h"

namespace fuhyo::app {

struct WorkerOptions {
  JoinOptions server;  // its address, and whom to believe
  std::string name, token;
  int threads = 1;                           // that may think at once
  std::vector<host::BuiltinPlayer> engines;  // as this machine starts them, in its sandbox
  std::vector<host::WorkerOffer> offers;     // of each the server's part; measured here
  bool verbose = false;
};

// The first line of the file: "NAME TOKEN". The error names the file.
std::expected<std::pair<std::string, std::string>, std::string> read_worker_token(const std::string& file);

// Works until SIGINT or SIGTERM, or until the server refuses it for good. Returns the exit code.
int run_worker(WorkerOptions options);

}  // namespace fuhyo::app
