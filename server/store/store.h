// The store of a server: one SQLite file, or one PostgreSQL database. A function for each use of it by the rest of the
// program, the same for both. A Store may be asked from any thread; what it opens has rules of its own and may outlive
// it.
#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/catalogue.h"
#include "server/core/journal.h"
#include "server/store/archive.h"
#include "server/store/archive_import.h"
#include "server/store/journal_reader.h"
#include "server/store/options.h"
#include "server/store/position_index.h"
#include "server/store/queued_journal.h"
#include "server/store/rating_archive.h"
#include "server/store/transfer/dump.h"
#include "server/store/transfer/load.h"
#include "server/store/writer_watch.h"

namespace fuhyo::store {

class Store {
 public:
  template <class T>
  using Opened = std::expected<std::unique_ptr<T>, std::string>;

  virtual ~Store() = default;

  // For messages: the file, or the address without a password.
  virtual const std::string& name() const = 0;
  // Its files on this machine; the holder of the journal may delete them. Empty: a database elsewhere.
  virtual std::vector<std::string> files() const { return {}; }

  // The one writer. Creates the tables or brings them up. Refused, with the reason in words: a store in use by another
  // process, of another program, written by a newer version, or not to be relied on.
  virtual Opened<QueuedJournal> open_journal(core::JournalEvents events, core::Recovery& out) = 0;

  // The current state in one snapshot, for a process that only follows; nothing is locked or changed. Refused: tables
  // of another version than this program's.
  virtual std::expected<core::Recovery, std::string> look() = 0;

  // For a server that waits until no other one writes. Refused: a kind of store that servers of several machines cannot
  // share.
  virtual Opened<WriterWatch> open_writer_watch() = 0;

  // These need tables that a journal has made before.
  virtual Opened<JournalReader> open_reader() = 0;
  virtual Opened<Archive> open_archive() = 0;
  virtual Opened<RatingArchive> open_ratings() = 0;
  virtual Opened<core::Catalogue> open_catalogue() = 0;
  virtual Opened<PositionIndex> open_positions() = 0;
  // The caller holds the journal, closed. `dry`: only counts; nobody needs to hold anything, and the store may be
  // empty.
  virtual Opened<ArchiveImport> begin_import(bool dry) = 0;

  // Brings the tables up, or creates them, while no server uses them; the names of the steps that were taken.
  virtual std::expected<std::vector<std::string>, std::string> migrate() = 0;
  // The steps that this program knows and how many of them the store has been through; it changes nothing.
  struct Schema {
    std::vector<std::string> steps;
    std::size_t done = 0;
  };
  virtual std::expected<Schema, std::string> schema() = 0;

  // All of it as it stands now, also while a server runs.
  virtual Opened<Dump> open_dump() = 0;
  // Makes the tables if need be. Refused: a store that a server uses, and one that holds anything.
  virtual Opened<Load> begin_load() = 0;
  // A copy that is itself such a store, in a file that does not exist, also while a server runs. False: this kind of
  // store has no such copies.
  virtual std::expected<bool, std::string> copy_to(const std::string& file) = 0;
};

// Why a store cannot be read of whose migrations so many are done, and not all.
constexpr std::string_view why_unread(std::size_t done) {
  return done == 0 ? "is empty; a game node, or fuhyo migrate, makes its tables"
                   : "is of an older version; a game node, or fuhyo migrate, brings it up";
}

// `where`: "sqlite:FILE", or "postgres://USER@HOST/DATABASE" (also postgresql://). Only looks at the text. The error
// says what is wrong with it.
std::expected<std::unique_ptr<Store>, std::string> make_store(std::string_view where, StoreOptions options = {});

// The file of "sqlite:FILE"; nothing for another kind of store.
std::optional<std::string_view> sqlite_file(std::string_view where);

// `where` with the password that it may hold blacked out.
std::string without_password(std::string_view where);

// The store of a data folder where no other one is named: its fuhyo.db.
std::string store_of_folder(const std::string& data);

}  // namespace fuhyo::store
