#include "server/store/transfer/check_rows.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "server/store/migrations.h"
#include "server/store/words.h"

namespace fuhyo::store {
namespace {

// Builds a row from left to right.
class Cells {
 public:
  Cells& number(std::int64_t number) {
    row_.push_back({.number = number, .real = 0, .bytes = {}});
    return *this;
  }
  Cells& bytes(std::string_view bytes) {
    row_.push_back({.number = 0, .real = 0, .bytes = std::string(bytes)});
    return *this;
  }
  const Row& row() const { return row_; }

 private:
  Row row_;
};

std::int64_t seq_number(core::Seq seq) { return static_cast<std::int64_t>(core::value(seq)); }

// Columns of the table `game` that its mark leaves out.
constexpr std::string_view kApart[] = {"notes", "black_rate", "white_rate"};

RowMark mark_of_line(const Table& table, const Row& row) {
  std::string line;
  append_row(line, table, row);
  return fnv1a(line);
}

}  // namespace

RowMark mark_of(TableId table, const Row& row) { return mark_of_line(table_of(table), row); }

GameMark game_mark(const Row& row) {
  Row rest = row;
  const Table& table = table_of(TableId::game);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (std::ranges::find(kApart, table.columns[i].name) != std::end(kApart)) rest[i] = {};
  }
  return {.row = mark_of_line(table, rest),
          .black_rate = cell(TableId::game, row, "black_rate").number,
          .white_rate = cell(TableId::game, row, "white_rate").number};
}

bool agree(const GameMark& row, const GameMark& said) {
  const bool untold = row.black_rate == 0 && row.white_rate == 0;
  return row.row == said.row && (untold || (row.black_rate == said.black_rate && row.white_rate == said.white_rate));
}

GameMark game_mark(const FinishedGame& game) {
  const core::GameOpened& o = game.opened;
  const core::GameEnded& e = game.ended;
  Cells cells;
  cells.number(static_cast<std::int64_t>(core::value(o.game))).bytes(o.csa_id).bytes(o.room).bytes(o.game_name);
  cells.number(o.rated).bytes(o.black.name).bytes(o.black.id).number(o.black.builtin);
  cells.bytes(o.white.name).bytes(o.white.id).number(o.white.builtin);
  cells.number(o.time.total_s).number(o.time.byoyomi_s).number(o.time.increment_s).number(o.time.least_s);
  cells.number(o.time.stopwatch_s).number(o.max_moves).bytes(o.start_sfen);
  cells.number(o.at.us).number(game.started.us).number(e.at.us).bytes(o.local_time).bytes(e.local_time);
  cells.bytes(core::summary_type(e.kind)).bytes(outcome_word(e.outcome)).number(e.plies).bytes(e.line);
  cells.number(e.spent_s).bytes(e.reason).bytes(e.final_board);
  cells.number(static_cast<std::int64_t>(o.preset_moves.size())).bytes(game.moves).bytes("");
  cells.number(o.black_rate).number(o.white_rate).bytes(core::special_terms(o));
  return game_mark(cells.row());
}

RowMark mark_of(core::Seq seq, const core::AdminActed& acted) {
  Cells cells;
  cells.number(seq_number(seq)).number(acted.at.us).bytes(acted.local_time).bytes(acted.who).bytes(acted.via);
  cells.bytes(acted.act).bytes(acted.why).bytes(acted.outcome);
  return mark_of_line(table_of(TableId::audit), cells.row());
}

RowMark mark_of(core::Seq seq, const core::RoundHeld& held) {
  Cells cells;
  cells.number(seq_number(seq)).bytes(held.group).number(held.number).bytes(lines_of(held.games));
  cells.bytes(lines_of(held.sat_out)).number(held.at.us);
  return mark_of_line(table_of(TableId::round), cells.row());
}

const Cell& cell(TableId table, const Row& row, std::string_view column) {
  const std::span<const Column> columns = table_of(table).columns;
  const auto found = std::ranges::find(columns, column, &Column::name);
  return row[static_cast<std::size_t>(found - columns.begin())];
}

}  // namespace fuhyo::store
