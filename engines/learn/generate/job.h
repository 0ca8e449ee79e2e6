// Self-play as jobs of a queue: the payload of the batch, and the games of a chunk. Reads the files that a job names;
// any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "engines/jobs/batch.h"
#include "engines/learn/generate/self_play.h"
#include "engines/learn/generate/starts.h"

namespace fuhyo::learn {

inline constexpr std::string_view kSelfPlayKind = "self-play";

struct SelfPlayJob {
  SelfPlayOptions play;
  StartOptions starts;
  std::string openings;  // file of lines; empty: random moves
  // Fingerprints of the two files, so that no worker plays with other files of the same names; empty without a file.
  std::string network_print, openings_print;
  static constexpr std::uint64_t kUsualChunk = 200;  // games
  bool operator==(const SelfPlayJob&) const = default;
};
// Of any job: where its games begin.
template <class A, class Job>
void start_fields(A& a, Job& job) {
  a(job.play.seed, {"seed", "Of everything that is drawn by lot (1)"});
  a(job.openings, {"openings", "Lines to start from, plain or compressed (random moves)"});
  a(job.openings_print, {"openings_print"});
  fields(a, job.starts);
}
template <class A>
void fields(A& a, SelfPlayJob& job) {
  a(job.play.network, {"network", "Network of the engine (the one that is built in)"});
  a(job.network_print, {"network_print"});
  a(job.play.fv_scale, {"fv_scale", "Its FV_SCALE (16)", 1, 128});
  fields(a, job.play);
  start_fields(a, job);
}
// Fills in the fingerprints. Fails if a file cannot be read.
std::expected<void, std::string> take_fingerprints(SelfPlayJob& job);

std::string to_text(const SelfPlayJob& job);
std::expected<SelfPlayJob, std::string> parse_self_play_job(std::string_view text);

// Games number `first` to `first + count - 1`.
struct GameRange {
  std::uint64_t first = 0, count = 0;
  bool operator==(const GameRange&) const = default;
};
std::string to_text(const GameRange& range);
std::expected<GameRange, std::string> parse_game_range(std::string_view text);

// A batch of this kind: all games in chunks of `per_chunk`. Its name is the kind and a digest of its content.
jobs::Batch in_chunks(std::string_view kind, std::string payload, const GameRange& games, std::uint64_t per_chunk);
// All games in chunks of `per_chunk`. The same job gives the same batch.
jobs::Batch to_batch(const SelfPlayJob& job, const GameRange& games, std::uint64_t per_chunk);

}  // namespace fuhyo::learn
