// A lock by LockFileEx.
#include <cstdint>
#include <system_error>
#include <windows.h>

#include "engines/jobs/files/file_lock.h"

namespace fuhyo::jobs {
namespace {

// The header keeps a number: handles are small ones, in the lower 32 bits on every Windows.
int number_of(HANDLE handle) { return static_cast<int>(reinterpret_cast<std::intptr_t>(handle)); }
HANDLE handle_of(int number) { return reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(number)); }

// A lock of bytes keeps others from reading and writing them, so what is locked is a byte that no file is long enough
// to have.
OVERLAPPED far_away() {
  OVERLAPPED place{};
  place.OffsetHigh = 0x4000'0000;
  return place;
}

}  // namespace

// The lock belongs to the open file, which children do not inherit. Others may read, write, rename and remove it.
std::expected<FileLock, std::string> FileLock::take(const std::filesystem::path& path) {
  const auto text = [] { return std::system_category().message(static_cast<int>(::GetLastError())); };
  const HANDLE file =
      ::CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    nullptr, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return std::unexpected(text());
  FileLock taken(number_of(file));
  OVERLAPPED place = far_away();
  if (::LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place) != 0) return taken;
  const DWORD error = ::GetLastError();
  if (error == ERROR_LOCK_VIOLATION || error == ERROR_IO_PENDING) {
    return std::unexpected("another process works with it");
  }
  return std::unexpected(text());
}

FileLock::~FileLock() {
  if (fd_ != -1) ::CloseHandle(handle_of(fd_));
}

}  // namespace fuhyo::jobs
