// Workers as the configuration names them: machines that may bring engines to the server. Their tokens are random, and
// kept as those of operators are. Any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::app {

struct WorkerPost {
  std::string name;
  std::string secret_hash;           // as Operator's
  std::vector<std::string> players;  // patterns of the names that its players may have
};

// "name=lab secret_hash=<32 digits>:<64 digits> players=lab*,Oni", in any order. Without `players`: NAME and NAME-*.
std::expected<WorkerPost, std::string> parse_worker(std::string_view line);

// The lines to paste into the configuration file.
std::string worker_toml(const WorkerPost& post);

// Whether what a worker of this name shows is its token. As long for a name that there is not.
bool is_worker_token(const std::vector<WorkerPost>& posts, std::string_view name, std::string_view token);

}  // namespace fuhyo::app
