// Reading the journal back: what projections (record files, the archive, spectators) use when they have missed
// something.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <string>
#include <vector>

#include "server/core/facts.h"
#include "server/core/ids.h"

namespace fuhyo::store {

class JournalReader {
 public:
  virtual ~JournalReader() = default;
  // The durable facts with a seq greater than `after`, ascending, at most `limit` of them; empty: there is nothing
  // newer. Rows that retention has deleted are left out. May be called from any thread, also while the journal is
  // written.
  virtual std::expected<std::vector<core::Journaled>, std::string> read_after(core::Seq after, std::size_t limit) = 0;
  // Waits until there is a durable fact with a seq greater than `after`, at most so long. False: there is none. From
  // any thread, also of another process than the writer's, and beside read_after().
  virtual std::expected<bool, std::string> wait_after(core::Seq after, std::chrono::milliseconds longest) = 0;
};

}  // namespace fuhyo::store
