// The journal in one SQLite file: what is announced as durable survives a power cut, and nothing is lost or reordered.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "server/core/journal.h"
#include "server/store/queued_journal.h"
#include "server/store/sqlite/options.h"

namespace fuhyo::store {

// Creates the file if there is none and upgrades an older one. Refused, with the file and the reason in words: a file
// in use by another process, of another program, or written by a newer version; a folder that does not exist.
std::expected<std::unique_ptr<QueuedJournal>, std::string> open_sqlite_journal(const SqliteOptions& options,
                                                                               core::JournalEvents events,
                                                                               core::Recovery& out);

}  // namespace fuhyo::store
