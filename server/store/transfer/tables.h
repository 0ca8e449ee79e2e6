// What a store holds, table by table, as it travels: columns, their types, and the order of the rows. Both databases
// have these tables (migrations/). `lease` stays behind, because it is about who writes to that one store, and
// `occurrence` and `placed` of PostgreSQL do, which are made anew of the games. Values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fuhyo::store {

enum class CellType : std::uint8_t { integer, flag, real, text, bytes };
std::string_view to_string(CellType type);  // "integer"

struct Column {
  std::string_view name;
  CellType type;
};

struct Table {
  std::string_view name;
  std::span<const Column> columns;
  std::size_t key = 1;  // so many of the first columns order the rows: numbers by value, text by text_before()
  bool single = false;  // has one row, which is always there
};

// In the order in which they are written and read: the journal first.
std::span<const Table> tables();
// Places in tables().
enum class TableId : std::uint8_t { journal, live, game, standing, used, mark, audit, rating, round, player };
inline const Table& table_of(TableId id) { return tables()[static_cast<std::size_t>(id)]; }

// How many migrations have made these tables, in either database.
constexpr std::size_t kSchema = 10;

std::string column_names(const Table& table);  // "seq, kind, version, game, payload"

// The order of texts: that of the UTF-8 which a database keeps of them (postgres/text.h), byte by byte.
bool text_before(std::string_view a, std::string_view b);

}  // namespace fuhyo::store
