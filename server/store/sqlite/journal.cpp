#include "server/store/sqlite/journal.h"

#include <fmt/format.h>
#include <utility>

#include "server/store/sqlite/file_lock.h"
#include "server/store/sqlite/writer.h"

namespace fuhyo::store {

std::expected<std::unique_ptr<QueuedJournal>, std::string> open_sqlite_journal(const SqliteOptions& options,
                                                                               core::JournalEvents events,
                                                                               core::Recovery& out) {
  auto lock = FileLock::take(options.file + "-lock");
  if (!lock) return std::unexpected(fmt::format("{}: {}", options.file, lock.error()));
  return QueuedJournal::open(options.file, options.limits, std::make_unique<SqliteWriter>(options, std::move(*lock)),
                             std::move(events), out);
}

}  // namespace fuhyo::store
