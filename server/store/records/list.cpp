#include "server/store/records/list.h"

#include <cstddef>
#include <utility>

namespace fuhyo::store {
namespace {

constexpr int kPathField = 6;

std::string_view field(std::string_view line, int index) {
  for (; index > 0; --index) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) return "";
    line.remove_prefix(tab + 1);
  }
  return line.substr(0, line.find('\t'));
}

}  // namespace

std::expected<RecordsList, std::string> RecordsList::open(std::filesystem::path path, std::uint64_t from,
                                                          FileMode mode) {
  RecordsList list(std::move(path), mode);
  list.size_ = file_size_or_zero(list.path_);
  if (from > list.size_) from = 0;  // it was moved away and begun anew
  auto tail = read_file(list.path_, from);
  if (!tail) return std::unexpected(std::move(tail.error()));
  const std::size_t end = tail->rfind('\n');
  const std::size_t whole = end == std::string::npos ? 0 : end + 1;
  if (whole < tail->size()) {
    list.size_ = from + whole;
    if (auto cut = truncate_file(list.path_, list.size_); !cut) return std::unexpected(std::move(cut.error()));
  }
  list.remember(std::string_view(*tail).substr(0, whole));
  // A former life may have died between the write and the sync of what is known now, and nobody writes it again.
  list.dirty_ = list.size_ > 0;
  if (auto synced = list.sync(); !synced) return std::unexpected(std::move(synced.error()));
  return list;
}

void RecordsList::remember(std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    known_.emplace(field(lines.substr(0, end), kPathField));
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
}

DiskResult RecordsList::append(std::string_view line, const std::string& record_path) {
  if (known_.contains(record_path)) return {};
  const std::uint64_t actual = file_size_or_zero(path_);
  if (torn_ && actual > size_) {
    if (auto cut = truncate_file(path_, size_); !cut) return cut;
  } else {
    size_ = actual;  // an operator may have moved the file away
  }
  torn_ = true;
  auto written = size_ == 0 ? write_file(path_, line, mode_) : append_file(path_, line);
  if (!written) return written;
  torn_ = false;
  dirty_ = true;
  size_ += line.size();
  return {};
}

DiskResult RecordsList::sync() {
  if (!dirty_) return {};
  auto synced = sync_file(path_);
  if (synced) dirty_ = false;
  return synced;
}

}  // namespace fuhyo::store
