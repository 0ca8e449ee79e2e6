#include "server/store/sqlite/store.h"

#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <utility>

#include "server/store/sqlite/archive.h"
#include "server/store/sqlite/archive_import.h"
#include "server/store/sqlite/catalogue.h"
#include "server/store/sqlite/copy.h"
#include "server/store/sqlite/database.h"
#include "server/store/sqlite/dump.h"
#include "server/store/sqlite/file_lock.h"
#include "server/store/sqlite/journal.h"
#include "server/store/sqlite/load.h"
#include "server/store/sqlite/migrations.h"
#include "server/store/sqlite/rating_archive.h"
#include "server/store/sqlite/reader.h"
#include "server/store/sqlite/recovery.h"

namespace fuhyo::store {
namespace {

class SqliteStore : public Store {
 public:
  explicit SqliteStore(SqliteOptions options) : options_(std::move(options)) {}

  const std::string& name() const override { return options_.file; }
  std::vector<std::string> files() const override {
    std::vector<std::string> files;
    for (const char* end : {"-lock", "", "-wal", "-shm", "-positions", "-positions-wal", "-positions-shm"}) {
      files.push_back(options_.file + end);
    }
    return files;
  }
  Opened<QueuedJournal> open_journal(core::JournalEvents events, core::Recovery& out) override {
    return open_sqlite_journal(options_, std::move(events), out);
  }
  std::expected<core::Recovery, std::string> look() override;
  Opened<WriterWatch> open_writer_watch() override {
    return refuse("a file belongs to one machine; a standby needs PostgreSQL");
  }
  Opened<JournalReader> open_reader() override { return SqliteReader::open(options_); }
  Opened<Archive> open_archive() override { return SqliteArchive::open(options_); }
  Opened<RatingArchive> open_ratings() override { return SqliteRatingArchive::open(options_); }
  Opened<core::Catalogue> open_catalogue() override { return open_sqlite_catalogue(options_); }
  Opened<PositionIndex> open_positions() override { return open_sqlite_positions(options_); }
  Opened<ArchiveImport> begin_import(bool dry) override { return SqliteArchiveImport::begin(options_, dry); }
  std::expected<std::vector<std::string>, std::string> migrate() override;
  std::expected<Schema, std::string> schema() override;
  Opened<Dump> open_dump() override { return named(SqliteDump::open(options_)); }
  Opened<Load> begin_load() override { return named(SqliteLoad::begin(options_)); }
  std::expected<bool, std::string> copy_to(const std::string& file) override {
    if (auto copied = copy_database(options_, file); !copied) return std::unexpected(std::move(copied.error()));
    return true;
  }

 private:
  std::unexpected<std::string> refuse(std::string_view why) const {
    return std::unexpected(fmt::format("{}: {}", options_.file, why));
  }
  template <class T>
  Opened<T> named(Opened<T> opened) const {
    if (!opened) return refuse(opened.error());
    return opened;
  }
  const SqliteOptions options_;
};

std::expected<std::vector<std::string>, std::string> SqliteStore::migrate() {
  const auto lock = FileLock::take(options_.file + "-lock");
  if (!lock) return refuse(lock.error());
  auto db = Database::open(options_.file, Database::Access::create, options_.vfs, options_.busy_ms);
  if (!db) return refuse(in_words(db.error()));
  const auto safe = db->run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  if (!safe) return refuse(in_words(safe.error()));
  const auto ours = sqlite_migrations();
  const auto taken = store::migrate(*db, ours);
  if (!taken) return refuse(taken.error());
  std::vector<std::string> names;
  for (const Migration& step : ours.last(*taken)) names.emplace_back(step.name);
  return names;
}

std::expected<core::Recovery, std::string> SqliteStore::look() {
  auto db = Database::open(options_.file, Database::Access::read, options_.vfs, options_.busy_ms);
  if (!db) return refuse(in_words(db.error()));
  const auto done = migrations_done(*db, sqlite_migrations());
  if (!done) return refuse(done.error());
  if (*done != sqlite_migrations().size()) return refuse(why_unread(*done));
  if (const auto begun = db->run("BEGIN"); !begun) return refuse(in_words(begun.error()));
  core::Recovery stands;
  LiveGames live;
  if (const auto read = recover(*db, stands, live); !read) return refuse(read.error());
  return stands;
}

std::expected<Store::Schema, std::string> SqliteStore::schema() {
  Schema schema;
  for (const Migration& step : sqlite_migrations()) schema.steps.emplace_back(step.name);
  std::error_code error;
  if (!std::filesystem::exists(options_.file, error)) return schema;
  // After a process was killed the file may have to be rolled back before it can be read.
  auto db = Database::open(options_.file, Database::Access::write, options_.vfs, options_.busy_ms);
  if (!db) return refuse(in_words(db.error()));
  const auto done = migrations_done(*db, sqlite_migrations());
  if (!done) return refuse(done.error());
  schema.done = *done;
  return schema;
}

}  // namespace

std::unique_ptr<Store> make_sqlite_store(SqliteOptions options) {
  return std::make_unique<SqliteStore>(std::move(options));
}

}  // namespace fuhyo::store
