// Self-play of policy networks as jobs of a queue. The result of a chunk is its games as hcpe3
// (engines/record/hcpe.h), one after the other. Reads the files that a job names; any thread.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/jobs/batch.h"
#include "engines/learn/generate/job.h"
#include "engines/learn/generate/policy/game.h"

namespace fuhyo::learn {

inline constexpr std::string_view kPolicyPlayKind = "self-play-policy";

struct PolicyPlayJob {
  PolicyPlayOptions play;
  StartOptions starts;
  std::string openings;                              // file of lines; empty: random moves
  std::string network_print, openings_print;         // as SelfPlayJob has them
  static constexpr std::uint64_t kUsualChunk = 256;  // games
  bool operator==(const PolicyPlayJob&) const = default;
};
template <class A>
void fields(A& a, PolicyPlayJob& job) {
  a(job.play.network, {"network", "Network: our own container or ONNX (the one that is built in)"});
  a(job.network_print, {"network_print"});
  fields(a, job.play);
  start_fields(a, job);
}
// Fills in the fingerprints. Fails if a file cannot be read.
std::expected<void, std::string> take_fingerprints(PolicyPlayJob& job);

std::string to_text(const PolicyPlayJob& job);
std::expected<PolicyPlayJob, std::string> parse_policy_play_job(std::string_view text);

// All games in chunks of `per_chunk`. The same job gives the same batch.
jobs::Batch to_batch(const PolicyPlayJob& job, const GameRange& games, std::uint64_t per_chunk);

std::expected<std::string, std::string> encode_policy_chunk(std::span<const PolicyGame> games);
std::expected<std::vector<record::Hcpe3Game>, std::string> decode_policy_chunk(std::string_view bytes);

// Counts of games.
struct PolicyChunkSize {
  std::uint64_t games = 0, positions = 0, recorded = 0;  // recorded: to be learnt
  std::uint64_t resigned = 0;                            // games that ended so
  std::uint64_t checked = 0;  // games that were played on although a side would have resigned ...
  std::uint64_t wrong = 0;    // ... and did not lose
  PolicyChunkSize& operator+=(const PolicyChunkSize& other);
  bool operator==(const PolicyChunkSize&) const = default;
};
// Of games number `first` and so on.
PolicyChunkSize measure_policy_games(std::span<const record::Hcpe3Game> games, const PolicyPlayOptions& options,
                                     std::uint64_t first);

}  // namespace fuhyo::learn
