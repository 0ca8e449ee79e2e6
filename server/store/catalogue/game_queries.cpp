#include "server/store/catalogue/game_queries.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <functional>

#include "server/core/civil_time.h"
#include "server/store/words.h"

namespace fuhyo::store {
namespace {

// In the order in which listed_game() takes them.
constexpr std::string_view kHead =
    "game, csa_id, room, game_name, rated, black_name, black_id, black_builtin, white_name, white_id, white_builtin,"
    " total_s, byoyomi_s, increment_s, least_s, stopwatch_s, max_moves, start_sfen, opened_us, started_us, ended_us,"
    " opened_local, ended_local, end_kind, outcome, plies, end_reason, preset_plies, moves,"
    " black_rate, white_rate, terms";
constexpr std::size_t kHeadColumns = 32;

constexpr std::int64_t kHour_us = 3600 * core::kSecond, kZone_us = 14 * kHour_us;  // the farthest from UTC

// Booleans are numbers in SQLite.
std::string head(Dialect dialect) {
  std::string columns(kHead);
  if (dialect == Dialect::sqlite) return columns;
  for (const std::string_view flag : {"rated", "black_builtin", "white_builtin"}) {
    const std::string needle = fmt::format(" {},", flag);
    columns.replace(columns.find(needle), needle.size(), fmt::format(" {}::int::bigint,", flag));
  }
  return columns;
}

std::int64_t number_of(core::GameId id) { return static_cast<std::int64_t>(core::value(id)); }

std::int32_t number(const SqlRow& row, std::size_t column) { return static_cast<std::int32_t>(integer(row, column)); }

class Conditions {
 public:
  explicit Conditions(SqlQuery& sql) : sql_(sql) {}
  SqlQuery& next() {
    sql_ << (first_ ? " WHERE " : " AND ");
    first_ = false;
    return sql_;
  }
  SqlQuery& more() { return sql_; }  // of the same condition

 private:
  SqlQuery& sql_;
  bool first_ = true;
};

// An index that is not to be taken. PostgreSQL knows by its statistics.
std::string_view by_no_index(Dialect dialect) { return dialect == Dialect::sqlite ? "+" : ""; }

SqlQuery& values(SqlQuery& sql, const std::vector<std::string>& texts) {
  sql << "(" << (texts.empty() ? "NULL" : "");  // PostgreSQL has no empty lists
  for (std::size_t i = 0; i < texts.size(); ++i) (sql << (i == 0 ? "" : ", ")).value(texts[i]);
  return sql << ")";
}

// "(black_id IN (..) OR black_id = '' AND ..)"; nobody: false.
void matches_player(SqlQuery& sql, std::string_view side, const PlayerMatch& wanted, std::string_view by = "") {
  sql << "(";
  if (wanted.ids.empty() && wanted.nameless.empty()) sql << "1 = 0";
  if (!wanted.ids.empty()) {
    values(sql << fmt::format("{}{}_id IN ", by, side), wanted.ids);
    if (!wanted.nameless.empty()) sql << " OR ";
  }
  if (!wanted.nameless.empty()) {
    const std::string name = fmt::format("{}_name", side);
    sql << fmt::format("({}{}_id = '' AND ", by, side);
    if (wanted.exactly)
      (sql << name << " = ").value(wanted.nameless);
    else
      sql.like(name, wanted.nameless);
    sql << ")";
  }
  sql << ")";
}

// What the columns of a game say of it. Not of players: that depends on who had which colour.
void add_condition(SqlQuery& sql, const core::GameQuery& query, Criterion criterion, std::string_view by) {
  sql << by;
  if (criterion == Criterion::game_name) sql.like("game_name", query.game_name);
  if (criterion == Criterion::room) (sql << "room = ").value(query.room);
  if (criterion == Criterion::outcome) (sql << "outcome = ").value(outcome_word(*query.outcome));
  if (criterion == Criterion::end_kind) (sql << "end_kind = ").value(query.end_kind);
  if (criterion == Criterion::plies) {
    (sql << "plies BETWEEN ").value(std::int64_t{query.min_plies});
    (sql << " AND ").value(std::int64_t{query.max_plies > 0 ? query.max_plies : INT32_MAX});
  }
  if (criterion == Criterion::rate) {
    sql << (sql.dialect() == Dialect::sqlite ? "min" : "least") << "(black_rate, white_rate) >= ";
    sql.value(std::int64_t{query.min_rate});
  }
}

void add_criterion(SqlQuery& sql, const ResolvedQuery& resolved, Criterion criterion) {
  if (criterion == resolved.rare) {
    // An array: PostgreSQL would go through all games where it takes the rare for common.
    const bool postgres = sql.dialect() == Dialect::postgres;
    add_games_with(sql << (postgres ? "game = ANY (ARRAY(" : "game IN ("), resolved, criterion, "game");
    sql << (postgres ? "))" : ")");
  } else if (criterion == Criterion::position) {
    sql << "EXISTS (SELECT 1 FROM occurrence WHERE occurrence.game = game.game AND key = ";
    sql.value(*resolved.query.position) << ")";
  } else if (criterion == Criterion::opening) {
    sql << "EXISTS (SELECT 1 FROM placed WHERE placed.game = game.game AND opening = ";
    sql.value(resolved.query.opening) << ")";
  } else {
    add_condition(sql, resolved.query, criterion, by_no_index(sql.dialect()));
  }
}

// What does not depend on who had which colour.
void add_plain(Conditions& where, const ResolvedQuery& resolved) {
  const core::GameQuery& query = resolved.query;
  if (query.room.empty()) where.next() << by_no_index(where.more().dialect()) << "room <> 'demo'";
  for (const Criterion criterion : criteria_of(resolved)) {
    const bool of_player = criterion == Criterion::player || criterion == Criterion::opponent;
    if (!of_player || criterion == resolved.rare) add_criterion(where.next(), resolved, criterion);
  }
  // So much by the index, the rest row by row.
  if (!query.from.empty()) (where.next() << "ended_us >= ").value(earliest_us(query.from));
  if (!query.to.empty()) (where.next() << "ended_us <= ").value(resolved.over_by_us);
  if (!query.from.empty()) (where.next() << "substr(opened_local, 1, 10) >= ").value(query.from);
  if (!query.to.empty()) (where.next() << "substr(opened_local, 1, 10) <= ").value(query.to);
  if (query.ended_from.us > 0) (where.next() << "ended_us >= ").value(query.ended_from.us);
  if (query.ended_before.us > 0) (where.next() << "ended_us < ").value(query.ended_before.us);
  if (resolved.before_us > 0) {
    (where.next() << "ended_us <= ").value(resolved.before_us) << " AND (ended_us < ";
    (where.more().value(resolved.before_us) << " OR game < ").value(number_of(query.before)) << ")";
  }
  and_seen(where.more(), "", resolved.seen);
}

// These columns of the games in which `player` had this colour.
void add_branch(SqlQuery& sql, const ResolvedQuery& resolved, std::string_view columns, shogi::Color side) {
  const std::string_view own = side == shogi::BLACK ? "black" : "white",
                         other = side == shogi::BLACK ? "white" : "black";
  sql << "SELECT " << columns << " FROM game";
  Conditions where(sql);
  const auto matches = [&](const std::optional<PlayerMatch>& wanted, std::string_view colour) {
    const bool in_order = is_one(wanted) && !resolved.rare;
    if (wanted) matches_player(where.next(), colour, *wanted, in_order ? "" : by_no_index(sql.dialect()));
  };
  matches(resolved.player, own);
  matches(resolved.opponent, other);
  if (resolved.query.won) {
    const shogi::Color winner = *resolved.query.won ? side : ~side;
    (where.next() << "outcome = ")
        .value(outcome_word(winner == shogi::BLACK ? core::Outcome::black_wins : core::Outcome::white_wins));
  }
  add_plain(where, resolved);
}

// A game of a player against himself counts once.
void not_both_ways(SqlQuery& sql, const ResolvedQuery& resolved) {
  sql << " AND NOT (";
  matches_player(sql, "black", *resolved.player);
  if (resolved.opponent) matches_player(sql << " AND ", "white", *resolved.opponent);
  sql << ")";
}

// `between`: what stands between the branches of both colours.
void add_games(SqlQuery& sql, const ResolvedQuery& resolved, std::string_view columns,
               const std::function<void()>& between) {
  const bool both_sides = resolved.player && !resolved.query.side;
  add_branch(sql, resolved, columns, resolved.query.side.value_or(shogi::BLACK));
  if (!both_sides) return;
  between();
  add_branch(sql, resolved, columns, shogi::WHITE);
  if (!resolved.query.won) not_both_ways(sql, resolved);
}

constexpr std::string_view kContestants =
    "CASE WHEN black_id = '' THEN black_name || '+' ELSE black_id END AS black,"
    " CASE WHEN white_id = '' THEN white_name || '+' ELSE white_id END AS white, outcome";

}  // namespace

core::FinishedGame listed_game(const SqlRow& row) {
  core::FinishedGame game;
  core::GameOpened& opened = game.opened;
  opened.game = game.ended.game = core::GameId{static_cast<std::uint64_t>(integer(row, 0))};
  opened.csa_id = text(row, 1);
  opened.room = text(row, 2);
  opened.game_name = text(row, 3);
  opened.rated = integer(row, 4) != 0;
  opened.black = {.name = text(row, 5), .id = text(row, 6), .builtin = integer(row, 7) != 0};
  opened.white = {.name = text(row, 8), .id = text(row, 9), .builtin = integer(row, 10) != 0};
  opened.time = {.total_s = number(row, 11),
                 .byoyomi_s = number(row, 12),
                 .increment_s = number(row, 13),
                 .least_s = number(row, 14),
                 .stopwatch_s = number(row, 15)};
  opened.max_moves = number(row, 16);
  opened.start_sfen = text(row, 17);
  opened.at = core::Wall{integer(row, 18)};
  game.started = core::Wall{integer(row, 19)};
  game.ended.at = core::Wall{integer(row, 20)};
  opened.local_time = text(row, 21);
  game.ended.local_time = text(row, 22);
  game.ended.kind = core::end_kind_of(text(row, 23)).value_or(core::EndKind::chudan);
  game.ended.outcome = outcome_of(text(row, 24));
  game.ended.plies = number(row, 25);
  game.ended.reason = text(row, 26);
  game.moves = text(row, 28);
  opened.black_rate = number(row, 29);
  opened.white_rate = number(row, 30);
  core::take_special_terms(opened, text(row, 31));
  const auto moves = core::moves_of(game.moves);
  const auto preset = std::min(moves.size(), static_cast<std::size_t>(std::max<std::int64_t>(integer(row, 27), 0)));
  opened.preset_moves.assign(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(preset));
  return game;
}

bool is_one(const std::optional<PlayerMatch>& wanted) {
  return wanted && wanted->ids.size() == 1 && wanted->nameless.empty();
}

std::int64_t earliest_us(std::string_view day) { return core::days_from_civil(day) * 24 * kHour_us - kZone_us; }
std::int64_t latest_us(std::string_view day) { return (core::days_from_civil(day) + 1) * 24 * kHour_us + kZone_us; }

std::vector<Criterion> criteria_of(const ResolvedQuery& resolved) {
  const core::GameQuery& query = resolved.query;
  std::vector<Criterion> criteria;
  const auto add = [&](bool asked, Criterion criterion) {
    if (asked) criteria.push_back(criterion);
  };
  add(query.position.has_value(), Criterion::position);
  add(!query.opening.empty(), Criterion::opening);
  add(resolved.player.has_value(), Criterion::player);
  add(resolved.opponent.has_value(), Criterion::opponent);
  add(!query.game_name.empty(), Criterion::game_name);
  add(!query.room.empty(), Criterion::room);
  add(query.outcome.has_value(), Criterion::outcome);
  add(!query.end_kind.empty(), Criterion::end_kind);
  add(query.min_plies > 0 || query.max_plies > 0, Criterion::plies);
  add(query.min_rate > 0, Criterion::rate);
  return criteria;
}

void add_games_with(SqlQuery& sql, const ResolvedQuery& resolved, Criterion criterion, std::string_view what) {
  const auto of_player = [&](const PlayerMatch& wanted) {
    matches_player(sql << "SELECT " << what << " FROM game WHERE ", "black", wanted);
    matches_player(sql << " UNION ALL SELECT " << what << " FROM game WHERE ", "white", wanted);
  };
  if (criterion == Criterion::position) {
    (sql << "SELECT " << what << " FROM occurrence WHERE key = ").value(*resolved.query.position);
  } else if (criterion == Criterion::opening) {
    (sql << "SELECT " << what << " FROM placed WHERE opening = ").value(resolved.query.opening);
  } else if (criterion == Criterion::player) {
    of_player(*resolved.player);
  } else if (criterion == Criterion::opponent) {
    of_player(*resolved.opponent);
  } else if (criterion == Criterion::game_name) {
    values(sql << "SELECT " << what << " FROM game WHERE game_name IN ", *resolved.game_names);
  } else {
    add_condition(sql << "SELECT " << what << " FROM game WHERE ", resolved.query, criterion, "");
  }
}

// The sum: or the index of ends would be gone through for one of them.
SqlQuery long_games_query(Dialect dialect, std::int64_t began_us) {
  SqlQuery sql(dialect);
  sql << fmt::format("SELECT coalesce(max(ended_us + 0), 0) FROM game WHERE ended_us - opened_us > {}", kLongGame_us);
  (sql << " AND opened_us < ").value(began_us);
  return sql;
}

SqlQuery games_query(Dialect dialect, const ResolvedQuery& resolved) {
  constexpr std::string_view kNewest = " ORDER BY ended_us DESC, game DESC";
  SqlQuery sql(dialect);
  const auto end = [&]() -> SqlQuery& {
    return (sql << kNewest << " LIMIT ").value(static_cast<std::int64_t>(resolved.query.limit)) << ") AS found";
  };
  // First which ones, by columns that an index has (game_ended); only their rows are read whole. Each colour with an
  // order and a limit of its own: PostgreSQL would sort all of both.
  sql << "SELECT " << head(dialect) << " FROM game WHERE game IN (SELECT game FROM (SELECT * FROM (";
  add_games(sql, resolved, "game, ended_us", [&] { end() << " UNION ALL SELECT * FROM ("; });
  end();
  end() << ")" << kNewest;
  return sql;
}

SqlQuery cross_query(Dialect dialect, const ResolvedQuery& resolved, std::size_t players) {
  SqlQuery sql(dialect);
  // Most pairs of a large archive have met once: games are counted for each player, and for pairs of the chosen ones.
  sql << "WITH met AS MATERIALIZED (SELECT black, white, outcome FROM (";
  add_games(sql, resolved, kContestants, [&] { sql << " UNION ALL "; });
  sql << ") AS found WHERE black <> white AND outcome <> 'none'),"
         " entrant AS MATERIALIZED (SELECT who, CAST(sum(games) AS bigint) AS games FROM"
         " (SELECT black AS who, count(*) AS games FROM met GROUP BY black"
         " UNION ALL SELECT white, count(*) FROM met GROUP BY white) AS seat GROUP BY who),"
         " chosen AS MATERIALIZED (SELECT who, games FROM entrant ORDER BY games DESC, who";
  sql << (dialect == Dialect::postgres ? " COLLATE \"C\"" : "") << " LIMIT ";
  sql.value(static_cast<std::int64_t>(players));
  sql << ") SELECT '', '', 'players', count(*) FROM entrant"
         " UNION ALL SELECT '', '', 'games', coalesce(CAST(sum(games) AS bigint), 0) / 2 FROM entrant"
         " UNION ALL SELECT who, '', '', games FROM chosen"
         " UNION ALL SELECT black, white, outcome, count(*) FROM met"
         " WHERE black IN (SELECT who FROM chosen) AND white IN (SELECT who FROM chosen)"
         " GROUP BY black, white, outcome";
  return sql;
}

SqlQuery game_query(Dialect dialect, core::GameId id, const Seen& seen) {
  SqlQuery sql(dialect);
  (sql << "SELECT " << head(dialect) << ", end_line, end_spent_s, final_board, notes FROM game WHERE game = ")
      .value(number_of(id));
  and_seen(sql, "", seen);
  return sql;
}

core::FinishedGame whole_game(const SqlRow& row) {
  core::FinishedGame game = listed_game(row);
  game.ended.line = text(row, kHeadColumns);
  game.ended.spent_s = number(row, kHeadColumns + 1);
  game.ended.final_board = text(row, kHeadColumns + 2);
  game.notes = text(row, kHeadColumns + 3);
  return game;
}

}  // namespace fuhyo::store
