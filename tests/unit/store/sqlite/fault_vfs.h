// A disk that can fail and lose power, for SQLite. It keeps, beside the real files, what would be left of them after a
// power cut: only what a successful sync has covered.
//
// A failed sync is modelled as Linux does it: what was to be written is forgotten (a later sync does not write it), and
// every other handle of the file is told by its own next sync.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <system_error>
#include <thread>
#include <vector>

#include "server/core/journal.h"
#include "server/store/sqlite/journal.h"
#include "server/store/sqlite/options.h"
#include "server/store/sqlite/reader.h"
#include "tests/support/expected.h"
#include "tests/unit/store/sqlite/vfs_shim.h"

namespace fuhyo::test {

constexpr std::size_t kSector = 512;

inline std::string unique_name() {
  static std::atomic<int> made{0};
  return "fault-" + std::to_string(++made);
}

inline std::string content_of(const std::string& path) {
  std::error_code none;
  const auto size = std::filesystem::file_size(path, none);
  std::string content(none ? 0 : size, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(content.data(), static_cast<std::streamsize>(content.size()));  // at once: it is asked for at every opening
  content.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return content;
}

enum class Io : std::uint8_t { open, read, write, truncate, sync, sync_database, remove };  // sync: of another file

// What SQLite says where the n-th operation fails: of writes every other one finds the disk full.
inline int error_of(Io io, std::uint64_t n = 1) {
  if (io == Io::open) return SQLITE_CANTOPEN;
  if (io == Io::read) return SQLITE_IOERR_READ;
  if (io == Io::write) return n % 2 == 0 ? SQLITE_FULL : SQLITE_IOERR_WRITE;
  if (io == Io::truncate) return SQLITE_IOERR_TRUNCATE;
  return io == Io::remove ? SQLITE_IOERR_DELETE : SQLITE_IOERR_FSYNC;
}

inline bool changes_something(Io io) { return io != Io::open && io != Io::read; }

// How long a thread is held up before each of its operations on files, by a seed: for a while many of them are, then
// none, so that threads meet where by themselves they hardly do.
class Pauses {
 public:
  static constexpr std::chrono::duration<std::uint64_t, std::micro> kLongest{2400};

  explicit Pauses(std::uint64_t seed) : random_(seed) {}
  std::chrono::microseconds next() {
    if (left_ == 0) {
      left_ = 1 + random_() % 60;
      slow_ = random_() % 3 == 0 ? 1 + random_() % 8 : 0;
    }
    --left_;
    const bool held = random_() % 8 < slow_;
    return std::chrono::microseconds(held ? random_() % (kLongest.count() / 8 * slow_) : 0);
  }

 private:
  std::mt19937_64 random_;
  std::uint64_t left_ = 0, slow_ = 0;
};

// By the seed FUHYO_PAUSES, which the slow lane sets; not at all without one.
inline void hold_up() {
  static const char* const seed = std::getenv("FUHYO_PAUSES");
  if (seed == nullptr) return;
  static std::atomic<std::uint64_t> threads{0};
  thread_local Pauses pauses((std::strtoull(seed, nullptr, 10) << 32) + threads++);
  std::this_thread::sleep_for(pauses.next());
}

class FaultVfs : public VfsShim {
 public:
  FaultVfs() : VfsShim(unique_name()) {}

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

  // So far: of all kinds; those that change something; syncs under power; headers written to a write-ahead log.
  std::uint64_t operations() const { return copied(operations_); }
  std::uint64_t changes() const { return copied(changes_); }
  std::uint64_t syncs() const { return copied(syncs_); }
  std::uint64_t log_beginnings() const { return copied(log_beginnings_); }

  // Writes what the power cut left as real files of `folder`. Torn: of the writes that no sync covered some arrived,
  // some in part (sectors of 512 bytes), chosen by `seed`; seed 0: none did.
  void salvage(const std::filesystem::path& folder, std::uint64_t seed) const {
    const std::lock_guard lock(mutex_);
    std::filesystem::create_directories(folder);
    const auto& files = seed % 2 == 1 ? files_ : safe_files_;  // torn: a folder entry may have arrived by itself
    for (const auto& [path, disk] : files) {
      std::ofstream out(folder / std::filesystem::path(path).filename(), std::ios::binary);
      out << (seed == 0 ? disk->safe : torn(*disk, seed));
    }
  }

 protected:
  int opened(File& file) override {
    hold_up();
    const std::lock_guard lock(mutex_);
    if (const int code = before(Io::open); code != SQLITE_OK) return code;
    std::shared_ptr<Disk>& disk = files_[file.path];
    if (disk) {
      file.mark = disk->failures;
      return SQLITE_OK;
    }
    disk = std::make_shared<Disk>();
    disk->safe = content_of(file.path);
    if (!disk->safe.empty()) {  // it was there before this disk was watched
      safe_files_[file.path] = disk;
    } else {
      disk->syncs_folder = (file.flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)) != 0;
    }
    return SQLITE_OK;
  }
  int read(File& file, void* to, int size, sqlite3_int64 at) override {
    hold_up();
    {
      const std::lock_guard lock(mutex_);
      if (const int code = before(Io::read); code != SQLITE_OK) return code;
    }
    return VfsShim::read(file, to, size, at);
  }
  int write(File& file, const void* from, int size, sqlite3_int64 at) override {
    hold_up();
    const std::lock_guard lock(mutex_);
    if (const int code = before(Io::write); code != SQLITE_OK) return code;
    if (at == 0 && (file.flags & SQLITE_OPEN_WAL) != 0) ++log_beginnings_;
    const std::string_view bytes(static_cast<const char*>(from), static_cast<std::size_t>(size));
    files_[file.path]->unsafe.push_back({static_cast<std::uint64_t>(at), std::string(bytes), false});
    return VfsShim::write(file, from, size, at);
  }
  int truncate(File& file, sqlite3_int64 size) override {
    hold_up();
    const std::lock_guard lock(mutex_);
    if (const int code = before(Io::truncate); code != SQLITE_OK) return code;
    files_[file.path]->unsafe.push_back({static_cast<std::uint64_t>(size), {}, true});
    return VfsShim::truncate(file, size);
  }
  // The real file is not synced: only the model of the disk counts, and the tests are fast.
  int sync(File& file, int) override {
    hold_up();
    const std::lock_guard lock(mutex_);
    Disk& disk = *files_[file.path];
    const int code = before((file.flags & SQLITE_OPEN_MAIN_DB) != 0 ? Io::sync_database : Io::sync);
    if (!powered_) return code;
    ++syncs_;
    if (code != SQLITE_OK) {
      disk.unsafe.clear();
      file.mark = ++disk.failures;
      return code;
    }
    if (file.mark != disk.failures) {
      file.mark = disk.failures;
      return SQLITE_IOERR_FSYNC;
    }
    for (const Change& change : disk.unsafe) apply(disk.safe, change);
    disk.unsafe.clear();
    if (std::exchange(disk.syncs_folder, false)) safe_files_ = files_;
    return SQLITE_OK;
  }
  int remove(const char* path, bool sync_folder) override {
    hold_up();
    const std::lock_guard lock(mutex_);
    if (const int code = before(Io::remove); code != SQLITE_OK) return code;
    files_.erase(path);
    if (sync_folder) safe_files_.erase(path);
    return VfsShim::remove(path, false);
  }

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
  int before(Io io) {
    ++operations_;
    if (changes_something(io) && ++changes_ == cut_at_) powered_ = false;
    if (!powered_) return SQLITE_IOERR;
    return fault_ ? fault_(io, operations_) : SQLITE_OK;
  }
  static void apply(std::string& content, const Change& change) {
    if (change.truncates) return content.resize(change.at);
    content.resize(std::max(content.size(), change.at + change.bytes.size()));
    content.replace(change.at, change.bytes.size(), change.bytes);
  }
  static std::string torn(const Disk& disk, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::string content = disk.safe;
    for (const Change& change : disk.unsafe) {
      const auto fate = random() % 4;
      if (fate <= 1) apply(content, change);
      if (fate != 2 || change.truncates) continue;
      for (std::size_t at = 0; at < change.bytes.size();) {
        const std::size_t size = std::min(kSector - (change.at + at) % kSector, change.bytes.size() - at);
        if (random() % 2 == 0) apply(content, {change.at + at, change.bytes.substr(at, size), false});
        at += size;
      }
    }
    return content;
  }

  mutable std::mutex mutex_;
  Fault fault_;
  std::uint64_t operations_ = 0, changes_ = 0, syncs_ = 0, log_beginnings_ = 0, cut_at_ = 0;
  bool powered_ = true;
  std::map<std::string, std::shared_ptr<Disk>> files_;       // as the running system sees them
  std::map<std::string, std::shared_ptr<Disk>> safe_files_;  // whose folder entry would survive
};

// A store on that disk whose checkpoints, new beginnings of the log and tries after a failure come soon.
inline store::SqliteOptions small_log(const std::string& file, const FaultVfs& disk) {
  store::SqliteOptions options;
  options.file = file;
  options.vfs = disk.name();
  options.checkpoint_pages = 6;
  options.wal_pages = 12;
  options.limits.retry_first_ms = 1;
  options.limits.retry_longest_ms = 2;
  return options;
}

// What a new process finds in the store "journal.db" of the folder, on a disk without faults and without the time that
// real syncs take; `rows`, if it is asked for, gets those of the journal.
inline core::Recovery recovery_in(const std::filesystem::path& folder, std::vector<core::Journaled>* rows = nullptr) {
  const FaultVfs disk;
  store::SqliteOptions options;
  options.vfs = disk.name();
  options.file = (folder / "journal.db").string();
  core::Recovery recovery;
  const auto journal = value_of(store::open_sqlite_journal(options, {}, recovery));
  if (rows != nullptr) *rows = value_of((*store::SqliteReader::open(options))->read_after(core::Seq{0}, SIZE_MAX));
  return recovery;
}

}  // namespace fuhyo::test
