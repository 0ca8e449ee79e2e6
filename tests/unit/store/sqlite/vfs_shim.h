// A layer between SQLite and the operating system's file layer: everything is passed on, and a derived class may look
// at, refuse or change each operation on a file. Any number of threads; a file handle belongs to one connection.
#pragma once

#include <cstdint>
#include <sqlite3.h>
#include <string>
#include <utility>

namespace fuhyo::test {

class VfsShim {
 public:
  // One open file as the derived class sees it.
  struct File {
    std::string path;
    int flags = 0;  // SQLITE_OPEN_...
    sqlite3_file* real = nullptr;
    std::uint64_t mark = 0;  // the derived class's own
  };

  explicit VfsShim(std::string name) : name_(std::move(name)), real_(sqlite3_vfs_find(nullptr)), vfs_(*real_) {
    vfs_.pNext = nullptr;
    vfs_.zName = name_.c_str();
    vfs_.szOsFile = static_cast<int>(sizeof(Handle)) + real_->szOsFile;
    vfs_.pAppData = this;
    vfs_.xOpen = [](sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* out) {
      return self(vfs)->open_handle(path, file, flags, out);
    };
    vfs_.xDelete = [](sqlite3_vfs* vfs, const char* path, int sync_folder) {
      return self(vfs)->remove(path, sync_folder != 0);
    };
    vfs_.xAccess = [](sqlite3_vfs* vfs, const char* path, int flags, int* out) {
      return self(vfs)->real_->xAccess(self(vfs)->real_, path, flags, out);
    };
    vfs_.xFullPathname = [](sqlite3_vfs* vfs, const char* path, int size, char* out) {
      return self(vfs)->real_->xFullPathname(self(vfs)->real_, path, size, out);
    };
    sqlite3_vfs_register(&vfs_, 0);
  }
  virtual ~VfsShim() { sqlite3_vfs_unregister(&vfs_); }
  VfsShim(const VfsShim&) = delete;
  VfsShim& operator=(const VfsShim&) = delete;

  const char* name() const { return name_.c_str(); }

 protected:
  virtual int opened(File&) { return SQLITE_OK; }  // an error closes it again
  virtual int read(File& f, void* to, int size, sqlite3_int64 at) {
    return f.real->pMethods->xRead(f.real, to, size, at);
  }
  virtual int write(File& f, const void* from, int size, sqlite3_int64 at) {
    return f.real->pMethods->xWrite(f.real, from, size, at);
  }
  virtual int truncate(File& f, sqlite3_int64 size) { return f.real->pMethods->xTruncate(f.real, size); }
  virtual int sync(File& f, int flags) { return f.real->pMethods->xSync(f.real, flags); }
  virtual int remove(const char* path, bool sync_folder) { return real_->xDelete(real_, path, sync_folder ? 1 : 0); }

 private:
  struct Handle {
    sqlite3_file base;
    VfsShim* shim;
    File* file;
  };

  static VfsShim* self(sqlite3_vfs* vfs) { return static_cast<VfsShim*>(vfs->pAppData); }
  static Handle& handle(sqlite3_file* file) { return *reinterpret_cast<Handle*>(file); }
  static File& file_of(sqlite3_file* file) { return *handle(file).file; }
  static sqlite3_file* real_of(sqlite3_file* file) { return handle(file).file->real; }

  int open_handle(const char* path, sqlite3_file* base, int flags, int* out) {
    Handle& h = handle(base);
    h.base.pMethods = nullptr;  // SQLite does not close what has none
    auto* real = reinterpret_cast<sqlite3_file*>(&h + 1);
    if (const int code = real_->xOpen(real_, path, real, flags, out); code != SQLITE_OK) return code;
    h.shim = this;
    h.file = new File{.path = path ? path : "", .flags = flags, .real = real, .mark = 0};
    h.base.pMethods = &methods();
    const int code = opened(*h.file);
    if (code != SQLITE_OK) close_handle(base);
    return code;
  }

  static int close_handle(sqlite3_file* base) {
    Handle& h = handle(base);
    const int code = h.file->real->pMethods->xClose(h.file->real);
    delete h.file;
    h.base.pMethods = nullptr;
    return code;
  }

  static const sqlite3_io_methods& methods() {
    static const sqlite3_io_methods table = make_methods();
    return table;
  }

  static sqlite3_io_methods make_methods() {
    using F = sqlite3_file;
    sqlite3_io_methods m{};
    m.iVersion = 2;  // with shared memory, without memory-mapped reading
    m.xClose = close_handle;
    m.xRead = [](F* f, void* to, int n, sqlite3_int64 at) { return handle(f).shim->read(file_of(f), to, n, at); };
    m.xWrite = [](F* f, const void* p, int n, sqlite3_int64 at) { return handle(f).shim->write(file_of(f), p, n, at); };
    m.xTruncate = [](F* f, sqlite3_int64 size) { return handle(f).shim->truncate(file_of(f), size); };
    m.xSync = [](F* f, int flags) { return handle(f).shim->sync(file_of(f), flags); };
    m.xFileSize = [](F* f, sqlite3_int64* out) { return real_of(f)->pMethods->xFileSize(real_of(f), out); };
    m.xLock = [](F* f, int kind) { return real_of(f)->pMethods->xLock(real_of(f), kind); };
    m.xUnlock = [](F* f, int kind) { return real_of(f)->pMethods->xUnlock(real_of(f), kind); };
    m.xCheckReservedLock = [](F* f, int* out) { return real_of(f)->pMethods->xCheckReservedLock(real_of(f), out); };
    m.xFileControl = [](F* f, int op, void* arg) { return real_of(f)->pMethods->xFileControl(real_of(f), op, arg); };
    m.xSectorSize = [](F* f) { return real_of(f)->pMethods->xSectorSize(real_of(f)); };
    m.xDeviceCharacteristics = [](F* f) { return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f)); };
    m.xShmMap = [](F* f, int page, int size, int extend, void volatile** out) {
      return real_of(f)->pMethods->xShmMap(real_of(f), page, size, extend, out);
    };
    m.xShmLock = [](F* f, int at, int n, int flags) {
      return real_of(f)->pMethods->xShmLock(real_of(f), at, n, flags);
    };
    m.xShmBarrier = [](F* f) { real_of(f)->pMethods->xShmBarrier(real_of(f)); };
    m.xShmUnmap = [](F* f, int remove) { return real_of(f)->pMethods->xShmUnmap(real_of(f), remove); };
    return m;
  }

  std::string name_;
  sqlite3_vfs* real_;
  sqlite3_vfs vfs_;
};

}  // namespace fuhyo::test
