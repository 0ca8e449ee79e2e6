// Moves a whole folder of shogi-server over to this one: records, lists of results, the results themselves, buoys,
// ratings, floodgate's schedules and histories. The old folder is only read, nothing that is here is overwritten, and
// doing it again adds nothing. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <vector>

#include "server/core/civil_time.h"
#include "server/core/ids.h"
#include "server/store/records/disk.h"
#include "server/store/store.h"

namespace fuhyo::store {

struct ImportOptions {
  std::filesystem::path from;     // shogi-server's topdir
  std::filesystem::path data;     // this server's data folder; made if it is not there
  std::filesystem::path records;  // and its records folder
  FileMode records_mode;          // of records and lists
  bool dry_run = false;           // only says what it would do
  core::TimeZone zone;            // of the machine that wrote the old folder
  core::Wall now;
};

struct ImportReport {
  struct Left {
    std::string what, why;
    bool operator==(const Left&) const = default;
  };
  struct Count {
    std::size_t taken = 0, known = 0;  // known: was here already
    bool operator==(const Count&) const = default;
  };
  Count records;     // files
  Count games;       // of the archive
  Count list_lines;  // of 00LIST
  Count buoys;
  Count files;                      // players.yaml and schedules
  std::size_t without_record = 0;   // of games.taken: only a list or a history tells of them
  std::size_t without_result = 0;   // of records: broken off, no games of the archive
  std::size_t others = 0;           // files that this server has no use for
  std::vector<std::string> groups;  // game names that have a schedule or a history
  std::vector<Left> left;           // what could not be taken, and why
};

enum class ImportFailure : std::uint8_t { nothing_there, in_use, cannot_write };
struct ImportError {
  ImportFailure kind{};
  std::string text;
};

// `store`: of that data folder. A server that uses it, unreadable folders and a full disk end it; a malformed file is
// left out and named. Stopped half-way, it leaves every file whole and the archive as it was; a further run completes
// it.
std::expected<ImportReport, ImportError> import_shogi_server(const ImportOptions& options, Store& store);

}  // namespace fuhyo::store
