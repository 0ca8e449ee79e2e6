#include "server/store/postgres/reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "server/store/postgres/recovery.h"
#include "server/store/postgres/session.h"

namespace fuhyo::store {
namespace {

constexpr PgStatement kRows{"rows",
                            "SELECT seq, kind, version, payload FROM journal WHERE seq > $1::bigint ORDER BY seq"
                            " LIMIT $2::bigint"};
// Not "EXISTS (... seq > $1)": the plan for any $1 expects a third of all rows, and reads all of them to find none.
constexpr PgStatement kNewer{"newer", "SELECT coalesce(max(seq), 0) > $1::bigint FROM journal"};
constexpr PgStatement kListen{"listen", "LISTEN fuhyo"};
// A notification may be lost, and the server's own clock may be all there is.
constexpr std::chrono::milliseconds kLook(1'000);

}  // namespace

std::expected<std::unique_ptr<JournalReader>, std::string> PostgresReader::open(const PostgresAddress& address,
                                                                                const PostgresOptions& options) {
  std::unique_ptr<PostgresReader> reader(new PostgresReader(address, options));
  if (auto read = reader->read_after({}, 1); !read) return std::unexpected(read.error());
  return reader;
}

PgResult<void> PostgresReader::connect(std::unique_ptr<PgConnection>& connection, const char* purpose) {
  if (connection) return {};
  auto opened = open_session(address_, options_, purpose, PgUse::reads, patience_);
  if (!opened) return std::unexpected(opened.error());
  connection = std::move(*opened);
  return {};
}

std::expected<std::vector<core::Journaled>, std::string> PostgresReader::read_after(core::Seq after,
                                                                                    std::size_t limit) {
  constexpr std::size_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto refused = [&](const std::string& why) {
    return std::unexpected(fmt::format("{}: {}", address_.shown(), why));
  };
  const std::lock_guard lock(mutex_);
  if (auto connected = connect(rows_, "fuhyo reader"); !connected) return refused(in_words(connected.error()));
  PgParams range;
  range.add(static_cast<std::int64_t>(core::value(after))).add(static_cast<std::int64_t>(std::min(limit, kMost)));
  auto rows = rows_->run(kRows, std::move(range));
  if (!rows) {
    if (rows.error().lost) rows_.reset();
    return refused(in_words(rows.error()));
  }
  std::vector<core::Journaled> facts;
  for (int row = 0; row < rows->size(); ++row) {
    auto fact = read_fact(*rows, row);
    if (!fact) return refused(fact.error());
    facts.push_back(std::move(*fact));
  }
  return facts;
}

std::expected<bool, std::string> PostgresReader::wait_after(core::Seq after, std::chrono::milliseconds longest) {
  const std::lock_guard lock(listen_mutex_);
  auto found = wait(after, longest);
  if (found) return *found;
  if (found.error().lost) listening_.reset();
  return std::unexpected(fmt::format("{}: {}", address_.shown(), in_words(found.error())));
}

PgResult<bool> PostgresReader::newer(core::Seq after) {
  PgParams from;
  from.add(static_cast<std::int64_t>(core::value(after)));
  auto row = listening_->run(kNewer, std::move(from));
  if (!row) return std::unexpected(row.error());
  return row->integer(0, 0) != 0;
}

// Listens before it looks, so that nothing comes in between.
PgResult<bool> PostgresReader::wait(core::Seq after, std::chrono::milliseconds longest) {
  const auto end = std::chrono::steady_clock::now() + longest;
  if (auto connected = connect(listening_, "fuhyo listener"); !connected) return std::unexpected(connected.error());
  if (auto listens = listening_->run(kListen); !listens) return std::unexpected(listens.error());
  for (;;) {
    const auto found = newer(after);
    if (!found || *found) return found;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    if (auto woken = listening_->wait_notified(static_cast<int>(std::min(left, kLook).count())); !woken) return woken;
  }
}

}  // namespace fuhyo::store
