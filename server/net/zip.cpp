#include "server/net/zip.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <memory>
#include <unordered_map>

namespace fuhyo::net {
namespace {

struct Free {
  void operator()(archive* writer) const { archive_write_free(writer); }
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};

la_ssize_t append(archive*, void* out, const void* bytes, std::size_t size) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

}  // namespace

std::expected<std::string, std::string> zip(const std::vector<ZipEntry>& entries) {
  std::string out;
  const std::unique_ptr<archive, Free> writer(archive_write_new());
  const auto failed = [&] { return std::unexpected(fmt::format("zip: {}", archive_error_string(writer.get()))); };
  if (archive_write_set_format_zip(writer.get()) != ARCHIVE_OK) return failed();
  if (archive_write_open(writer.get(), &out, nullptr, append, nullptr) != ARCHIVE_OK) return failed();
  std::unordered_map<std::string, int> names;
  for (const ZipEntry& file : entries) {
    const int times = ++names[file.name];
    const std::unique_ptr<archive_entry, Free> entry(archive_entry_new());
    archive_entry_set_pathname(entry.get(),
                               (times == 1 ? file.name : fmt::format("{} ({})", file.name, times)).c_str());
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(file.bytes.size()));
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_mtime(entry.get(), file.modified.us / core::kSecond, 0);
    if (archive_write_header(writer.get(), entry.get()) != ARCHIVE_OK) return failed();
    if (archive_write_data(writer.get(), file.bytes.data(), file.bytes.size()) < 0) return failed();
  }
  if (archive_write_close(writer.get()) != ARCHIVE_OK) return failed();
  return out;
}

}  // namespace fuhyo::net
