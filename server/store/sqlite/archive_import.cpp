#include "server/store/sqlite/archive_import.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "server/store/sqlite/archive_row.h"

namespace fuhyo::store {
std::expected<std::unique_ptr<ArchiveImport>, std::string> SqliteArchiveImport::begin(const SqliteOptions& options,
                                                                                      bool dry) {
  std::unique_ptr<SqliteArchiveImport> import(new SqliteArchiveImport(dry));
  std::error_code error;
  if (dry && !std::filesystem::exists(options.file, error)) return import;
  if (auto opened = import->open(options); !opened) return refuse(opened.error());
  return import;
}

SqliteResult<void> SqliteArchiveImport::open(const SqliteOptions& options) {
  const auto access = dry_ ? Database::Access::read : Database::Access::write;
  auto db = Database::open(options.file, access, options.vfs, options.busy_ms);
  if (!db) return std::unexpected(db.error());
  auto has = db->prepare("SELECT 1 FROM game WHERE csa_id = ?1");
  if (!has) return std::unexpected(has.error());
  has_ = std::move(*has);
  db_ = std::move(*db);
  if (dry_) return {};
  if (auto begun = db_->run("PRAGMA synchronous = FULL; BEGIN IMMEDIATE"); !begun) return begun;
  auto last = db_->integer("SELECT last_game FROM used");
  if (!last) return std::unexpected(last.error());
  last_ = *last;
  auto insert = db_->prepare(kInsertGame);
  if (!insert) return std::unexpected(insert.error());
  auto result = db_->prepare(kAddResult);
  if (!result) return std::unexpected(result.error());
  insert_ = std::move(*insert);
  result_ = std::move(*result);
  return {};
}

// Of games that were there before.
SqliteResult<bool> SqliteArchiveImport::has(const std::string& csa_id) {
  if (!db_) return false;
  const auto found = has_.bind_text(1, csa_id).step();
  has_.reset();
  return found;
}

std::expected<bool, std::string> SqliteArchiveImport::add(FinishedGame& game) {
  const auto known = has(game.opened.csa_id);
  if (!known) return refuse(known.error());
  if (*known || !added_.insert(game.opened.csa_id).second) return false;
  if (dry_) return true;
  game.opened.game = game.ended.game = core::GameId{static_cast<std::uint64_t>(++last_)};
  if (auto written = write_game(insert_, result_, game); !written) return refuse(written.error());
  return true;
}

std::expected<void, std::string> SqliteArchiveImport::commit() {
  if (dry_) return {};
  return in_words(close_up());
}

SqliteResult<void> SqliteArchiveImport::close_up() {
  if (added_.empty()) return db_->run("ROLLBACK");
  auto used = db_->prepare("UPDATE used SET last_game = max(last_game, ?)");
  if (!used) return std::unexpected(used.error());
  if (auto raised = used->bind(1, last_).run(); !raised) return raised;
  return db_->run("DELETE FROM rating; COMMIT");
}

}  // namespace fuhyo::store
