#include "server/store/postgres/load.h"

#include <fmt/format.h>
#include <optional>
#include <utility>

#include "server/store/postgres/lease.h"
#include "server/store/postgres/migrations.h"
#include "server/store/postgres/session.h"

namespace fuhyo::store {
namespace {

// What is sent at a time: enough that messages cost nothing, and little memory at both ends.
constexpr std::size_t kRows = 2'000, kBytes = 4U << 20U;

// Also tells the tables that nobody has filled from those that somebody has.
constexpr PgStatement kFilled{
    "filled",
    "SELECT CASE WHEN EXISTS (SELECT FROM journal) THEN 'journal' WHEN EXISTS (SELECT FROM live) THEN 'live'"
    " WHEN EXISTS (SELECT FROM game) THEN 'game' WHEN EXISTS (SELECT FROM standing) THEN 'standing'"
    " WHEN EXISTS (SELECT FROM used WHERE last_game + last_stamp <> 0) THEN 'used'"
    " WHEN EXISTS (SELECT FROM mark) THEN 'mark' WHEN EXISTS (SELECT FROM audit) THEN 'audit'"
    " WHEN EXISTS (SELECT FROM rating) THEN 'rating' WHEN EXISTS (SELECT FROM round) THEN 'round'"
    " WHEN EXISTS (SELECT FROM player) THEN 'player' ELSE '' END"};

PgArray array_of(CellType type) {
  switch (type) {
    case CellType::real:
      return PgArray(PgArray::Type::real);
    case CellType::text:
      return PgArray(PgArray::Type::text);
    case CellType::bytes:
      return PgArray(PgArray::Type::bytes);
    case CellType::integer:
    case CellType::flag:
      break;
  }
  return PgArray(PgArray::Type::integer);
}

std::string_view sql_type(CellType type) {
  if (type == CellType::real) return "double precision";
  if (type == CellType::text) return "text";
  return type == CellType::bytes ? "bytea" : "bigint";
}

// Whole columns at once, as the journal's writer does it.
std::string insert_of(const Table& table) {
  std::string arrays, cells, names;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    const char* comma = i == 0 ? "" : ", ";
    arrays += fmt::format("{}${}::{}[]", comma, i + 1, sql_type(column.type));
    cells += fmt::format("{}c{}{}", comma, i, column.type == CellType::flag ? " <> 0" : "");
    names += fmt::format("{}c{}", comma, i);
  }
  if (table.single) {
    return fmt::format("UPDATE {} SET ({}) = (SELECT {} FROM unnest({}) AS t ({}))", table.name, column_names(table),
                       cells, arrays, names);
  }
  return fmt::format("INSERT INTO {} ({}) SELECT {} FROM unnest({}) AS t ({})", table.name, column_names(table), cells,
                     arrays, names);
}

std::vector<PgArray> empty_columns(const Table& table) {
  std::vector<PgArray> columns;
  for (const Column& column : table.columns) columns.push_back(array_of(column.type));
  return columns;
}

}  // namespace

PostgresLoad::PostgresLoad() {
  waiting_.reserve(tables().size());
  for (const Table& table : tables()) {
    Waiting& waiting = waiting_.emplace_back(fmt::format("load_{}", table.name), insert_of(table));
    waiting.statement = {.name = waiting.name.c_str(), .sql = waiting.sql.c_str()};
    waiting.columns = empty_columns(table);
  }
}

std::expected<std::unique_ptr<Load>, std::string> PostgresLoad::begin(const PostgresAddress& address,
                                                                      const PostgresOptions& options) {
  std::unique_ptr<PostgresLoad> load(new PostgresLoad());
  if (auto opened = load->open(address, options); !opened) return std::unexpected(std::move(opened.error()));
  return load;
}

// The epoch keeps out a writer that has lost its session without noticing, and would wake up over a filled store.
std::expected<void, std::string> PostgresLoad::open(const PostgresAddress& address, const PostgresOptions& options) {
  auto connection = open_session(address, options, "fuhyo import", PgUse::import, patience_);
  if (!connection) return refuse(connection.error());
  connection_ = std::move(*connection);
  if (auto checked = check_server(*connection_, options); !checked) return refuse(checked.error());
  if (auto locked = take_lock(*connection_, std::nullopt, options.lock_wait_ms); !locked) return refuse(locked.error());
  if (auto migrated = migrate(*connection_, postgres_migrations()); !migrated) {
    return std::unexpected(migrated.error());
  }
  const auto epoch = raise_epoch(*connection_);
  if (!epoch) return refuse(epoch.error());
  const PgCommand begin[] = {{.statement = &kBegin, .params = {}}, check_epoch(*epoch)};
  if (auto begun = connection_->run(begin); !begun) return refuse(begun.error());
  return check_empty();
}

std::expected<void, std::string> PostgresLoad::check_empty() {
  const auto row = connection_->run(kFilled);
  if (!row) return refuse(row.error());
  if (row->text(0, 0).empty()) return {};
  return std::unexpected(fmt::format("is not empty: its table {} has rows", row->text(0, 0)));
}

std::expected<void, std::string> PostgresLoad::add(const Table& table, const Row& row) {
  const auto place = static_cast<std::size_t>(&table - tables().data());
  if (place != table_) {
    if (auto sent = send(table_); !sent) return refuse(sent.error());
    table_ = place;
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    PgArray& column = waiting_[place].columns[i];
    switch (table.columns[i].type) {
      case CellType::integer:
      case CellType::flag:
        column.add(row[i].number);
        break;
      case CellType::real:
        column.add_real(row[i].real);
        break;
      case CellType::text:
        column.add_text(row[i].bytes);
        break;
      case CellType::bytes:
        column.add_bytes(row[i].bytes);
        break;
    }
    bytes_ += row[i].bytes.size();
  }
  if (++rows_ < kRows && bytes_ < kBytes) return {};
  if (auto sent = send(place); !sent) return refuse(sent.error());
  return {};
}

PgResult<void> PostgresLoad::send(std::size_t table) {
  if (rows_ == 0) return {};
  Waiting& waiting = waiting_[table];
  PgParams params;
  for (const PgArray& column : waiting.columns) params.add(column);
  waiting.columns = empty_columns(tables()[table]);
  rows_ = bytes_ = 0;
  auto done = connection_->run(waiting.statement, std::move(params));
  if (!done) return std::unexpected(std::move(done.error()));
  return {};
}

std::expected<void, std::string> PostgresLoad::commit() {
  if (auto sent = send(table_); !sent) return refuse(sent.error());
  if (auto done = connection_->run(kCommit); !done) return refuse(done.error());
  return {};
}

}  // namespace fuhyo::store
