// A queue of work that many processes on many machines share: batches of chunks, each chunk done once. JOBS.md is its
// contract; what stands here holds over files and over PostgreSQL alike. All functions may be called from any thread;
// they block for as long as the disk or the database takes. Errors are for people; after one, what was asked for may or
// may not have been done, and asking again does no harm.
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
  std::int64_t batch_id = 0;  // tells a batch from a later one of the same name
  std::int64_t chunk = 0;     // from 0
  std::int64_t fence = 0;     // from 1; rises with every claim of the chunk
  bool operator==(const Lease&) const = default;
};

struct Claim {
  Lease lease;
  std::string kind;
  std::string job;    // the batch's payload
  std::string chunk;  // the chunk's
  std::int64_t lease_ms = 0;
};

// What a worker asks for; empty: any.
struct Wanted {
  std::string worker;  // its name, of no other worker
  std::string kind, batch;
};

enum class Held : std::uint8_t {
  yes,
  lost,  // the lease was given up for dead, or somebody else has finished the chunk
  over,  // the batch is cancelled or gone
};

enum class Finish : std::uint8_t {
  counted,  // this result is the chunk's
  late,     // somebody else's is; this one is dropped
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
  // Nothing is left that a worker could do.
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

  // Puts a batch in, once: true. False: it is there already. Refused if its name stands for another batch.
  virtual Result<bool> add(const Batch& batch) = 0;

  // A chunk that nobody has, of the oldest batch that has one; lower ones first by and large. Nothing: there is none
  // now (more may come: a holder may fall silent, or give its chunk back).
  virtual Result<std::optional<Claim>> claim(const Wanted& wanted) = 0;
  // To be called several times within a lease. A lease that ran out is renewed as long as nobody has noticed.
  virtual Result<Held> renew(const Lease& lease) = 0;
  // The first result of a chunk counts, whether its lease still holds or not. A second call with the same lease says
  // again what the first one did.
  virtual Result<Finish> finish(const Lease& lease, std::string_view result) = 0;
  // Gives the chunk back unharmed. False: the lease was lost.
  virtual Result<bool> release(const Lease& lease) = 0;
  // Gives it back as failed; after the batch's number of attempts it is set aside. False: the lease was lost.
  virtual Result<bool> fail(const Lease& lease, std::string_view why) = 0;

  // Those of the batch that are held, by chunk. Whoever knows that a holder is dead ends its lease by release() or
  // fail() without waiting for it.
  virtual Result<std::vector<Lease>> held(const std::string& batch) = 0;

  // Names, oldest first.
  virtual Result<std::vector<std::string>> batches() = 0;
  virtual Result<Progress> progress(const std::string& batch) = 0;
  // By chunk, without those that the caller knows already.
  virtual Result<std::vector<ChunkResult>> results(const std::string& batch, const std::set<std::int64_t>& known) = 0;
  // Nobody begins a chunk of it any more, holders are told, and results that come later are dropped (one that is being
  // written just then may still count).
  virtual Result<void> cancel(const std::string& batch) = 0;
  // Chunks that were set aside are to be tried again, as if for the first time.
  virtual Result<void> retry(const std::string& batch) = 0;
  // With its results.
  virtual Result<void> remove(const std::string& batch) = 0;
};

}  // namespace fuhyo::jobs
