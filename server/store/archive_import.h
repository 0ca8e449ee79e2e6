// Adds finished games of elsewhere to the archive of a journal that nobody writes at the moment. One thread.
#pragma once

#include <expected>
#include <string>

#include "server/store/batch.h"

namespace fuhyo::store {

// One transaction: all of them after commit(), or none.
class ArchiveImport {
 public:
  virtual ~ArchiveImport() = default;

  // With the next free number. False: its Game_ID is there already.
  virtual std::expected<bool, std::string> add(FinishedGame& game) = 0;
  // The history of ratings, which lacks the new games, is forgotten.
  virtual std::expected<void, std::string> commit() = 0;
};

}  // namespace fuhyo::store
