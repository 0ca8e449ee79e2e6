#include "server/store/sqlite/reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <thread>
#include <utility>

#include "server/store/sqlite/recovery.h"

namespace fuhyo::store {

std::expected<std::unique_ptr<SqliteReader>, std::string> SqliteReader::open(const SqliteOptions& options) {
  const auto refused = [&](const SqliteError& error) {
    return std::unexpected(fmt::format("{}: {}", options.file, in_words(error)));
  };
  auto db = Database::open(options.file, Database::Access::read, options.vfs, options.busy_ms);
  if (!db) return refused(db.error());
  auto rows = db->prepare("SELECT seq, kind, version, payload FROM journal WHERE seq > ? ORDER BY seq LIMIT ?");
  if (!rows) return refused(rows.error());
  return std::unique_ptr<SqliteReader>(new SqliteReader(std::move(*db), std::move(*rows)));
}

std::expected<std::vector<core::Journaled>, std::string> SqliteReader::read_after(core::Seq after, std::size_t limit) {
  constexpr std::size_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::lock_guard lock(mutex_);
  rows_.bind(1, static_cast<std::int64_t>(core::value(after)));
  rows_.bind(2, static_cast<std::int64_t>(std::min(limit, kMost)));
  std::vector<core::Journaled> facts;
  for (;;) {
    const auto row = rows_.step();
    if (!row) return refuse(row.error());
    if (!*row) return facts;
    auto fact = read_fact(rows_);
    if (!fact) {
      rows_.reset();
      return std::unexpected(std::move(fact.error()));
    }
    facts.push_back(std::move(*fact));
  }
}

// A file wakes nobody.
std::expected<bool, std::string> SqliteReader::wait_after(core::Seq after, std::chrono::milliseconds longest) {
  constexpr std::chrono::milliseconds kLook(20);
  const auto end = std::chrono::steady_clock::now() + longest;
  for (;;) {
    const auto rows = read_after(after, 1);
    if (!rows) return std::unexpected(rows.error());
    const auto now = std::chrono::steady_clock::now();
    if (!rows->empty() || now >= end) return !rows->empty();
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(kLook, end - now));
  }
}

}  // namespace fuhyo::store
