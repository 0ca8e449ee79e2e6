// What a database does for the journal: all of a batch, or nothing. The thread of QueuedJournal calls it, one call at a
// time; where a function says "any thread", any thread.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "server/core/journal.h"
#include "server/store/batch.h"

namespace fuhyo::store {

// A figure of a store, in words.
struct Counter {
  std::string what, value;
  bool operator==(const Counter&) const = default;
};

class JournalWriter {
 public:
  virtual ~JournalWriter() = default;

  // Brings the database up, takes the writer's lease from its former holder, and reads what is unfinished. Once, first.
  virtual std::expected<void, std::string> start(core::Recovery& out, LiveGames& live) = 0;
  // All of the batch or nothing, and after a failure it is not known which: the same batch is given again until it is
  // done.
  virtual std::expected<void, std::string> commit(const Batch& batch) = 0;
  // Whether a commit would work now, checked so often while there is nothing to commit; 0: never.
  virtual int look_every_ms() const { return 0; }
  virtual std::expected<void, std::string> look() { return {}; }
  // Another writer has taken the lease: no commit will ever succeed.
  virtual bool fenced() const = 0;
  // Deletes one range of rows that nobody needs. True if there may be more. Failing is harmless.
  virtual bool prune() = 0;
  // The journal is being closed: what waits for a database that does not answer ends soon. Any thread.
  virtual void hurry() {}
  // Any thread.
  virtual std::vector<Counter> counters() const = 0;
};

}  // namespace fuhyo::store
