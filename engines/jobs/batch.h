// A batch of work for a queue: a job text for all, and a text for each chunk. Values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::jobs {

// Longest name of a batch, a kind or a worker: they become names of files. A path component has 255 bytes on Linux.
inline constexpr std::size_t kMaxName = 100;
// Most chunks of a batch, and the largest text of one: a batch is read whole by every worker.
inline constexpr std::size_t kMaxChunks = 1'000'000;
inline constexpr std::size_t kMaxPayload = 16U << 20U;
// The largest result: a value of PostgreSQL ends at 1 GiB, and what is collected is held in memory.
inline constexpr std::size_t kMaxResult = 64U << 20U;

struct Batch {
  std::string name;                 // unique in this queue, for ever
  std::string kind;                 // "match": workers of this kind take its chunks
  std::string payload;              // the job; any bytes
  std::vector<std::string> chunks;  // the input of each chunk; any bytes
  int attempts = 5;                 // failures and lost leases after which a chunk is set aside
  bool operator==(const Batch&) const = default;
};

// Letters, digits, '-', '_', '.' and '+', not beginning with '.', 1 to kMaxName of them.
bool is_name(std::string_view text);
// Makes a name of any text: replaces what is_name() forbids by '-', and cuts it. For worker names from host names.
std::string as_name(std::string_view text);

// Why the batch cannot be put into a queue.
std::expected<void, std::string> check(const Batch& batch);

// A hash of the batch's content, to detect that two different batches have the same name; not against malice. Never
// negative.
std::int64_t digest(const Batch& batch);

}  // namespace fuhyo::jobs
