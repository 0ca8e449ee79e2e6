// A queue of work for many processes on many machines: batches of chunks, each chunk done once. JOBS.md is its
// contract, for files and for PostgreSQL. All functions may be called from any thread; they block as long as the disk
// or the database takes. Errors are for people. After an error the operation may have been done or not; it is safe to
// repeat.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engines/jobs/batch.h"

namespace fuhyo::jobs {

template <class T>
using Result = std::expected<T, std::string>;

// The right to work on a chunk. It ends when the queue has seen no renew() for the time of a lease.
struct Lease {
  std::string batch, worker;
  std::int64_t batch_id = 0;  // differs between batches of the same name
  std::int64_t chunk = 0;     // from 0
  std::int64_t fence = 0;     // fencing token: from 1, increased by every claim of the chunk
  bool operator==(const Lease&) const = default;
};

struct Claim {
  Lease lease;
  std::string kind;
  std::string job;    // the batch's payload
  std::string chunk;  // the chunk's
  std::int64_t lease_ms = 0;
};

// The filter of a claim; empty: any.
struct Wanted {
  std::string worker;  // the unique name of the worker
  std::string kind, batch;
};

enum class Held : std::uint8_t {
  yes,
  lost,  // the lease has expired, or another worker has finished the chunk
  over,  // the batch is cancelled or gone
};

enum class Finish : std::uint8_t {
  counted,  // this is the result of the chunk
  late,     // another worker's result is; this one is dropped
  over,     // the batch is cancelled or gone; dropped
};

struct SetAside {
  std::int64_t chunk = 0;
  std::string why;  // of the last failure
};

struct Progress {
  std::string kind;
  std::int64_t chunks = 0, done = 0, held = 0, waiting = 0;
  std::vector<SetAside> set_aside;  // by chunk
  bool cancelled = false;
  // No work is left.
  bool complete() const { return cancelled || (held == 0 && waiting == 0); }
};

struct ChunkResult {
  std::int64_t chunk = 0;
  std::string worker;
  std::string bytes;
  bool operator==(const ChunkResult&) const = default;
};

class Queue {
 public:
  virtual ~Queue() = default;

  // Adds a batch. False: it is there already. Error: another batch has its name.
  virtual Result<bool> add(const Batch& batch) = 0;

  // Claims a free chunk of the oldest batch that has one; mostly the lowest. Nothing: none is free now (a lease may
  // expire or be released later).
  virtual Result<std::optional<Claim>> claim(const Wanted& wanted) = 0;
  // Call it several times within a lease. Also renews an expired lease that no other worker has taken over.
  virtual Result<Held> renew(const Lease& lease) = 0;
  // The first result of a chunk counts, also after its lease has expired. A repeated call with the same lease returns
  // the same.
  virtual Result<Finish> finish(const Lease& lease, std::string_view result) = 0;
  // Releases the chunk without a failure. False: the lease was lost.
  virtual Result<bool> release(const Lease& lease) = 0;
  // Releases the chunk with a failure; after Batch::attempts it is set aside. False: the lease was lost.
  virtual Result<bool> fail(const Lease& lease, std::string_view why) = 0;

  // The current leases of the batch, by chunk. A caller that knows that a worker is dead can end its lease by release()
  // or fail().
  virtual Result<std::vector<Lease>> held(const std::string& batch) = 0;

  // Names, oldest first.
  virtual Result<std::vector<std::string>> batches() = 0;
  virtual Result<Progress> progress(const std::string& batch) = 0;
  // By chunk, without those in `known`.
  virtual Result<std::vector<ChunkResult>> results(const std::string& batch, const std::set<std::int64_t>& known) = 0;
  // No chunk of it can be claimed any more, renew() tells the holders, and later results are dropped (one that is being
  // written at the time may still count).
  virtual Result<void> cancel(const std::string& batch) = 0;
  // Frees the chunks that were set aside, with all attempts.
  virtual Result<void> retry(const std::string& batch) = 0;
  // Removes the batch with its results.
  virtual Result<void> remove(const std::string& batch) = 0;
};

}  // namespace fuhyo::jobs
