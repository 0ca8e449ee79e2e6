// A finished game as a row of the table `game`, and what it adds to its players. See sqlite.h for threads.
#pragma once

#include <string_view>

#include "server/store/batch.h"
#include "server/store/sqlite/database.h"

namespace fuhyo::store {

constexpr std::string_view kInsertGame =
    "INSERT INTO game (game, csa_id, room, game_name, rated, black_name, black_id, black_builtin,"
    " white_name, white_id, white_builtin, total_s, byoyomi_s, increment_s, least_s, stopwatch_s, max_moves,"
    " start_sfen, opened_us, started_us, ended_us, opened_local, ended_local, end_kind, outcome, plies,"
    " end_line, end_spent_s, end_reason, final_board, preset_plies, moves, notes, black_rate,"
    " white_rate, terms) VALUES (?1, ?2, ?3, ?4, ?5,"
    " ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26,"
    " ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36)";

// What the game says about its players, added to what earlier ones said.
constexpr std::string_view kAddResult =
    "INSERT INTO player (id, name, first_seen_us, last_seen_us, games, wins, losses, draws)"
    " VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6, ?7) ON CONFLICT (id) DO UPDATE SET"
    " first_seen_us = min(first_seen_us, excluded.first_seen_us),"
    " last_seen_us = max(last_seen_us, excluded.last_seen_us), games = games + 1, wins = wins + excluded.wins,"
    " losses = losses + excluded.losses, draws = draws + excluded.draws";

// `insert`: a prepared kInsertGame; `result`: a prepared kAddResult.
SqliteResult<void> write_game(Statement& insert, Statement& result, const FinishedGame& game);

}  // namespace fuhyo::store
