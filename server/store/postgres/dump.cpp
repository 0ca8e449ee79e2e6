#include "server/store/postgres/dump.h"

#include <fmt/format.h>
#include <utility>

#include "server/store/postgres/migrations.h"
#include "server/store/postgres/session.h"

namespace fuhyo::store {
namespace {

constexpr int kPortion = 1'000;  // rows at a time: some hundred KB of games

constexpr PgStatement kBeginDump{"begin_dump", "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"};

std::string order_of(const Table& table) {
  std::string order;
  for (const Column& column : table.columns.first(table.key)) {
    order += fmt::format("{}{}{}", order.empty() ? "" : ", ", column.name,
                         column.type == CellType::text ? " COLLATE \"C\"" : "");
  }
  return order;
}

}  // namespace

std::expected<std::unique_ptr<Dump>, std::string> PostgresDump::open(const PostgresAddress& address,
                                                                     const PostgresOptions& options) {
  std::unique_ptr<PostgresDump> dump(new PostgresDump());
  if (auto begun = dump->begin(address, options); !begun) return refuse(begun.error());
  const auto done = migrations_done(*dump->connection_, postgres_migrations());
  if (!done) return std::unexpected(done.error());
  if (*done == 0) return std::unexpected("holds nothing: no server has ever used it");
  if (*done < postgres_migrations().size()) return std::unexpected("was made by an older program: bring it up first");
  return dump;
}

PgResult<void> PostgresDump::begin(const PostgresAddress& address, const PostgresOptions& options) {
  auto connection = open_session(address, options, "fuhyo export", PgUse::import, patience_);
  if (!connection) return std::unexpected(std::move(connection.error()));
  connection_ = std::move(*connection);
  if (auto begun = connection_->run(kBeginDump); !begun) return std::unexpected(std::move(begun.error()));
  return {};
}

PgResult<PgRows> PostgresDump::run(std::string name, std::string sql) {
  Text& text = texts_.emplace_back(std::move(name), std::move(sql));
  text.statement = {.name = text.name.c_str(), .sql = text.sql.c_str()};
  return connection_->run(text.statement);
}

std::expected<std::uint64_t, std::string> PostgresDump::count(const Table& table) {
  auto row = run(fmt::format("count_{}", table.name), fmt::format("SELECT count(*) FROM {}", table.name));
  if (!row) return refuse(row.error());
  return static_cast<std::uint64_t>(row->integer(0, 0));
}

std::expected<void, std::string> PostgresDump::open(const Table& table) {
  const auto declared =
      run(fmt::format("open_{}", table.name), fmt::format("DECLARE all_{0} NO SCROLL CURSOR FOR SELECT {1} FROM {0}"
                                                          " ORDER BY {2}",
                                                          table.name, column_names(table), order_of(table)));
  if (!declared) return refuse(declared.error());
  portion_.clear();
  at_ = 0;
  auto rows = run(fmt::format("fetch_{}", table.name), fmt::format("FETCH {} FROM all_{}", kPortion, table.name));
  if (!rows) return refuse(rows.error());
  fetch_ = &texts_.back().statement;
  portion_.push_back(std::move(*rows));
  table_ = &table;
  return {};
}

std::expected<bool, std::string> PostgresDump::next(Row& row) {
  if (at_ == portion_.front().size()) {
    if (at_ < kPortion) return false;
    auto rows = connection_->run(*fetch_);
    if (!rows) return refuse(rows.error());
    portion_.front() = std::move(*rows);
    at_ = 0;
    if (portion_.front().size() == 0) return false;
  }
  row.resize(table_->columns.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    const int column = static_cast<int>(i);
    const PgRows& rows = portion_.front();
    switch (table_->columns[i].type) {
      case CellType::integer:
      case CellType::flag:
        row[i].number = rows.integer(at_, column);
        break;
      case CellType::real:
        row[i].real = rows.real(at_, column);
        break;
      case CellType::text:
        row[i].bytes = rows.text(at_, column);
        break;
      case CellType::bytes:
        row[i].bytes = rows.bytes(at_, column);
        break;
    }
  }
  ++at_;
  return true;
}

}  // namespace fuhyo::store
