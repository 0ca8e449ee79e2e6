// A disk that can fail and lose power, for SQLite. It keeps, beside the real files, what would be left of them after a
// power cut: only what a successful sync has covered.
//
// A failed sync is modelled as Linux does it: what was to be written is forgotten (a later sync does not write it), and
// every other handle of the file is told by its own next sync.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "server/core/journal.h"
#include "server/store/sqlite/options.h"
#include "tests/unit/store/sqlite/vfs_shim.h"

namespace fuhyo::test {

enum class Io : std::uint8_t { open, read, write, truncate, sync, sync_database, remove };  // sync: of another file
// What SQLite says where the n-th operation fails: of writes every other one finds the disk full.
int error_of(Io io, std::uint64_t n = 1);

class FaultVfs : public VfsShim {
 public:
  FaultVfs();

  // Asked before each operation: SQLITE_OK, or the error that it returns instead of being done. `n` counts from 1.
  using Fault = std::function<int(Io io, std::uint64_t n)>;
  void set_fault(Fault fault) { set(fault_, std::move(fault)); }
  // The power fails at the n-th operation that changes something: it and all later operations fail. 0: never.
  void cut_power_at(std::uint64_t n) { set(cut_at_, n); }
  void cut_power() { set(powered_, false); }
  // The machine went on while the process was killed: everything written is still in memory, synced or not.
  void restart_process() {
    cut_power_at(0);
    set(powered_, true);
  }

  // So far: of all kinds; those that change something; syncs; headers written to a write-ahead log.
  std::uint64_t operations() const { return copied(operations_); }
  std::uint64_t changes() const { return copied(changes_); }
  std::uint64_t syncs() const { return copied(syncs_); }
  std::uint64_t log_beginnings() const { return copied(log_beginnings_); }

  // Writes what the power cut left as real files of `folder`. Torn: of the writes that no sync covered some arrived,
  // some in part (sectors of 512 bytes), chosen by `seed`; seed 0: none did.
  void salvage(const std::filesystem::path& folder, std::uint64_t seed) const;

 protected:
  int opened(File& file) override;
  int read(File& file, void* to, int size, sqlite3_int64 at) override;
  int write(File& file, const void* from, int size, sqlite3_int64 at) override;
  int truncate(File& file, sqlite3_int64 size) override;
  int sync(File& file, int flags) override;
  int remove(const char* path, bool sync_folder) override;

 private:
  struct Change {  // a write, or a truncation to `at` bytes
    std::uint64_t at = 0;
    std::string bytes;
    bool truncates = false;
  };
  struct Disk {  // one file
    std::string safe;
    std::vector<Change> unsafe;
    std::uint64_t failures = 0;  // of syncs
    bool syncs_folder = false;   // with its first sync: SQLite does so for a log or a rollback journal that it created
  };

  template <class Value>
  void set(Value& member, Value value) {
    const std::lock_guard lock(mutex_);
    member = std::move(value);
  }
  template <class Value>
  Value copied(const Value& member) const {
    const std::lock_guard lock(mutex_);
    return member;
  }
  int before(Io io);
  static void apply(std::string& content, const Change& change);
  static std::string torn(const Disk& disk, std::uint64_t seed);

  mutable std::mutex mutex_;
  Fault fault_;
  std::uint64_t operations_ = 0, changes_ = 0, syncs_ = 0, log_beginnings_ = 0, cut_at_ = 0;
  bool powered_ = true;
  std::map<std::string, std::shared_ptr<Disk>> files_;       // as the running system sees them
  std::map<std::string, std::shared_ptr<Disk>> safe_files_;  // whose folder entry would survive
};

// A store on that disk whose checkpoints, new beginnings of the log and tries after a failure come soon.
store::SqliteOptions small_log(const std::string& file, const FaultVfs& disk);

// What a new process finds in the store "journal.db" of the folder, on a disk without faults and without the time that
// real syncs take; `rows`, if it is asked for, gets those of the journal.
core::Recovery recovery_in(const std::filesystem::path& folder, std::vector<core::Journaled>* rows = nullptr);

}  // namespace fuhyo::test
