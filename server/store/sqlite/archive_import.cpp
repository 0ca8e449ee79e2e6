#include "server/store/sqlite/archive_import.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "server/store/sqlite/archive_row.h"

namespace fuhyo::store {
std::expected<std::unique_ptr<ArchiveImport>, std::string> SqliteArchiveImport::begin(const SqliteOptions& options,
                                                                                      bool dry) {
  std::unique_ptr<SqliteArchiveImport> import(new SqliteArchiveImport());
  std::error_code error;
  if (dry && !std::filesystem::exists(options.file, error)) return import;
  if (auto opened = import->open(options, dry); !opened) return refuse(opened.error());
  return import;
}

SqliteResult<void> SqliteArchiveImport::open(const SqliteOptions& options, bool dry) {
  const auto access = dry ? Database::Access::read : Database::Access::write;
  auto db = Database::open(options.file, access, options.vfs, options.busy_ms);
  if (!db) return std::unexpected(db.error());
  if (dry) return read_known(*db);
  if (auto begun = db->run("PRAGMA synchronous = FULL; BEGIN IMMEDIATE"); !begun) return begun;
  if (auto read = read_known(*db); !read) return read;
  auto last = db->integer("SELECT last_game FROM used");
  if (!last) return std::unexpected(last.error());
  last_ = *last;
  auto insert = db->prepare(kInsertGame);
  if (!insert) return std::unexpected(insert.error());
  auto result = db->prepare(kAddResult);
  if (!result) return std::unexpected(result.error());
  db_ = std::move(*db);
  insert_ = std::move(*insert);
  result_ = std::move(*result);
  return {};
}

SqliteResult<void> SqliteArchiveImport::read_known(Database& db) {
  auto rows = db.prepare("SELECT csa_id FROM game");
  if (!rows) return std::unexpected(rows.error());
  for (;;) {
    const auto row = rows->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return {};
    known_.emplace(rows->bytes(0));
  }
}

std::expected<bool, std::string> SqliteArchiveImport::add(FinishedGame& game) {
  if (!known_.insert(game.opened.csa_id).second) return false;
  if (!db_) return true;
  game.opened.game = game.ended.game = core::GameId{static_cast<std::uint64_t>(++last_)};
  if (auto written = write_game(*insert_, *result_, game); !written) return refuse(written.error());
  added_ = true;
  return true;
}

std::expected<void, std::string> SqliteArchiveImport::commit() {
  if (!db_) return {};
  return in_words(close_up());
}

SqliteResult<void> SqliteArchiveImport::close_up() {
  if (!added_) return db_->run("ROLLBACK");
  auto used = db_->prepare("UPDATE used SET last_game = max(last_game, ?)");
  if (!used) return std::unexpected(used.error());
  if (auto raised = used->bind(1, last_).run(); !raised) return raised;
  return db_->run("DELETE FROM rating; COMMIT");
}

}  // namespace fuhyo::store
