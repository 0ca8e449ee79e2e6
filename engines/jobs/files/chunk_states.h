// The states of a batch's chunks, from the names of files. `claims/`: CHUNK.FENCE is a claim, CHUNK.FENCE.released and
// CHUNK.FENCE.failed are its end; `done/`: CHUNK is a result. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::jobs {

enum class Mark : std::uint8_t { claim, released, failed };
std::string claim_name(std::int64_t chunk, std::int64_t fence, Mark mark = Mark::claim);

struct ChunkState {
  std::int64_t fence = 0;  // of the newest claim; 0: there is none
  bool ended = false;      // that claim was released, or has expired
  int failures = 0;
  std::int64_t failed_fence = 0;  // of the newest failure
  bool done = false;

  bool held() const { return !done && fence > 0 && !ended; }
  bool set_aside(int attempts) const { return !done && !held() && failures >= attempts; }
  bool free(int attempts) const { return !done && !held() && failures < attempts; }
};

// One state for each chunk. Ignores other names, and chunks that the batch does not have. A claim that was both
// released and failed (its holder released it just as it expired) counts as released. `claims` must have been listed
// before `done`.
std::vector<ChunkState> chunk_states(std::size_t chunks, std::span<const std::string> claims,
                                     std::span<const std::string> done);

}  // namespace fuhyo::jobs
