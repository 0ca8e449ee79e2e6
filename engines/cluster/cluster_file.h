// cluster.toml: the nodes of a cluster, and what they do together (CLUSTER.md). Pure but for a look whether a program
// stands beside this one; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engines/members/config.h"

namespace fuhyo::cluster {

constexpr std::size_t kMostNodes = 1'000;
constexpr std::string_view kRank = "rank";  // "rank 2 COMMAND": the command, on that rank of an MPI job (mpi/)

enum class Role : std::uint8_t {
  root,    // searches; leads before those that only search
  search,  // searches
  mate,    // looks for mates by "go mate"
};
std::string_view to_text(Role role);

struct Modes {
  std::string exchange = "lines";  // of table entries: "off", "lines", "depth", the values of the option TableExchange
  int exchange_depth = 8;          // least depth of entries by "depth"
  std::int64_t exchange_bytes = 1'000'000;  // a second, of each node; more is dropped
  std::int64_t lockstep = 0;                // nodes after which they wait for each other, to be measured; 0: not so
  int ponder_replies = 4;                   // pondered at once; 1: only the expected one
  bool split = false;                       // nodes search the positions after the best moves
  std::int64_t list_ms = 100;               // for the search that finds the best replies or moves
  std::int64_t answer_ms = 50;              // from "stop" to the answers, where the clock leaves nothing else
};

struct NodeSettings {
  Role role = Role::search;
  int threads = 1;
  int memory_mb = 256;
  members::MemberConfig config{};  // but for threads and memory
};

struct ClusterFile {
  Modes modes{};
  std::vector<NodeSettings> nodes{};  // one at least that searches
};

// A node whose command begins with "rank *" becomes one for each rank from 1 to `ranks`: "name-1", "rank 1 ...".
void spread_over_ranks(ClusterFile& file, int ranks);

// `beside`: the folder in which a program that is named without a folder is looked for first. An error names the file,
// the line and the key.
std::expected<ClusterFile, std::string> parse_cluster_file(std::string_view text, const std::filesystem::path& file,
                                                           const std::string& beside);

}  // namespace fuhyo::cluster
