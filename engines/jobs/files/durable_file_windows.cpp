// Files as Windows makes them durable: buffers are flushed, names are the journal's affair.
#include <algorithm>
#include <windows.h>

#include "engines/jobs/files/durable_file.h"

namespace fuhyo::jobs {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // a write takes 32 bits

std::error_code last_error() { return {static_cast<int>(::GetLastError()), std::system_category()}; }

// As on other systems, others may read, rename and remove it meanwhile.
HANDLE open(const std::filesystem::path& path, DWORD how) {
  return ::CreateFileW(path.c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                       how, FILE_ATTRIBUTE_NORMAL, nullptr);
}

std::error_code write_all(HANDLE file, std::string_view bytes) {
  while (!bytes.empty()) {
    DWORD written = 0;
    if (::WriteFile(file, bytes.data(), static_cast<DWORD>(std::min(bytes.size(), kMostAtOnce)), &written, nullptr) ==
        0)
      return last_error();
    bytes.remove_prefix(written);
  }
  return {};
}

std::error_code sync_and_close(HANDLE file, bool sync, std::error_code error) {
  if (!error && sync && ::FlushFileBuffers(file) == 0) error = last_error();
  if (::CloseHandle(file) == 0 && !error) error = last_error();
  return error;
}

}  // namespace

std::error_code write_bytes(const std::filesystem::path& path, std::string_view bytes, bool sync) {
  const HANDLE file = open(path, CREATE_ALWAYS);
  if (file == INVALID_HANDLE_VALUE) return last_error();
  return sync_and_close(file, sync, write_all(file, bytes));
}

std::error_code sync_bytes(const std::filesystem::path& path) {
  const HANDLE file = open(path, OPEN_EXISTING);
  if (file == INVALID_HANDLE_VALUE) return last_error();
  return sync_and_close(file, true, {});
}

// The journal of the file system keeps names; there is no call for a folder.
std::error_code sync_names(const std::filesystem::path&) { return {}; }

}  // namespace fuhyo::jobs
