// A batch of work as it is put into a queue: how to work, and one text a chunk that says on what. Values; any thread.
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
  std::string name;                 // of this queue, once for ever
  std::string kind;                 // "match": who takes chunks of it
  std::string payload;              // how to work; any bytes
  std::vector<std::string> chunks;  // on what, chunk by chunk; any bytes
  int attempts = 5;                 // so many may fail or fall silent before a chunk is set aside
  bool operator==(const Batch&) const = default;
};

// Letters, digits, '-', '_', '.' and '+', not beginning with '.', 1 to kMaxName of them.
bool is_name(std::string_view text);
// The text with whatever is_name() forbids replaced by '-', and cut at its length: a worker's name of a host's.
std::string as_name(std::string_view text);

// Why the batch cannot be put into a queue.
std::expected<void, std::string> check(const Batch& batch);

// Tells apart what a batch was put in with from what somebody else means by its name: against mistakes, not malice.
// Never negative.
std::int64_t digest(const Batch& batch);

}  // namespace fuhyo::jobs
