#include "server/store/sqlite/journal.h"

#include <filesystem>
#include <fmt/format.h>
#include <sqlite3.h>
#include <string>
#include <system_error>
#include <utility>

#include "server/store/sqlite/file_lock.h"
#include "server/store/sqlite/writer.h"

namespace fuhyo::store {
namespace {

// A file that cannot be looked at is there.
bool is_missing(const std::string& file) {
  std::error_code error;
  return !std::filesystem::exists(file, error) && !error;
}

// Where the database stays, its log does, too: after a failed sync only the log holds what the database lacks.
void remove_database(const SqliteOptions& options) {
  sqlite3_vfs* const files = sqlite3_vfs_find(options.vfs);
  for (const char* end : {"", "-wal", "-shm", "-journal"}) {
    files->xDelete(files, (options.file + end).c_str(), 1);
    if (!is_missing(options.file)) return;
  }
}

}  // namespace

std::expected<std::unique_ptr<QueuedJournal>, std::string> open_sqlite_journal(const SqliteOptions& options,
                                                                               core::JournalEvents events,
                                                                               core::Recovery& out) {
  const std::string lock_file = options.file + "-lock";
  const bool had_lock_file = !is_missing(lock_file);
  auto taken = FileLock::take(lock_file);
  if (!taken) return std::unexpected(fmt::format("{}: {}", options.file, taken.error()));
  const auto lock = std::make_shared<const FileLock>(std::move(*taken));
  const bool is_new = is_missing(options.file);
  auto opened = QueuedJournal::open(options.file, options.limits, std::make_unique<SqliteWriter>(options, lock),
                                    std::move(events), out);
  if (opened) return opened;
  if (is_new) remove_database(options);  // under the lock still
  std::error_code ignored;
  if (!had_lock_file) std::filesystem::remove(lock_file, ignored);
  return opened;
}

}  // namespace fuhyo::store
