#include "server/store/sqlite/journal.h"

#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <utility>

#include "server/store/sqlite/file_lock.h"
#include "server/store/sqlite/writer.h"

namespace fuhyo::store {

std::expected<std::unique_ptr<QueuedJournal>, std::string> open_sqlite_journal(const SqliteOptions& options,
                                                                               core::JournalEvents events,
                                                                               core::Recovery& out) {
  const std::string lock_file = options.file + "-lock";
  std::error_code ignored;
  const bool had_lock_file = std::filesystem::exists(lock_file, ignored);
  auto taken = FileLock::take(lock_file);
  if (!taken) return std::unexpected(fmt::format("{}: {}", options.file, taken.error()));
  const auto lock = std::make_shared<const FileLock>(std::move(*taken));
  auto opened = QueuedJournal::open(options.file, options.limits, std::make_unique<SqliteWriter>(options, lock),
                                    std::move(events), out);
  if (!opened && !had_lock_file) std::filesystem::remove(lock_file, ignored);  // under the lock still
  return opened;
}

}  // namespace fuhyo::store
