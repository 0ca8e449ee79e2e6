#include "server/store/postgres/game_row.h"

#include <cstdint>
#include <utility>

#include "server/store/words.h"

namespace fuhyo::store {
namespace {

constexpr PgStatement kInsertGame{
    "insert_game",
    "INSERT INTO game (game, csa_id, room, game_name, rated, black_name, black_id, black_builtin, white_name,"
    " white_id, white_builtin, total_s, byoyomi_s, increment_s, least_s, stopwatch_s, max_moves, start_sfen, opened_us,"
    " started_us, ended_us, opened_local, ended_local, end_kind, outcome, plies, end_line, end_spent_s, end_reason,"
    " final_board, preset_plies, moves, notes, black_rate, white_rate, terms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8,"
    " $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, "
    "$31, "
    "$32,"
    " $33, $34, $35, $36)"};

constexpr PgStatement kAddResult{
    "add_result",
    "INSERT INTO player AS p (id, name, first_seen_us, last_seen_us, games, wins, losses, draws)"
    " VALUES ($1, $2, $3, $4, 1, $5, $6, $7) ON CONFLICT (id) DO UPDATE SET"
    " first_seen_us = least(p.first_seen_us, excluded.first_seen_us),"
    " last_seen_us = greatest(p.last_seen_us, excluded.last_seen_us), games = p.games + 1,"
    " wins = p.wins + excluded.wins, losses = p.losses + excluded.losses, draws = p.draws + excluded.draws"};

}  // namespace

void write_game(const FinishedGame& game, std::vector<PgCommand>& commands) {
  const core::GameOpened& o = game.opened;
  const core::GameEnded& e = game.ended;
  PgParams row;
  row.add(static_cast<std::int64_t>(core::value(o.game))).add_text(o.csa_id).add_text(o.room).add_text(o.game_name);
  row.add_flag(o.rated).add_text(o.black.name).add_text(o.black.id).add_flag(o.black.builtin);
  row.add_text(o.white.name).add_text(o.white.id).add_flag(o.white.builtin);
  row.add(std::int64_t{o.time.total_s}).add(std::int64_t{o.time.byoyomi_s}).add(std::int64_t{o.time.increment_s});
  row.add(std::int64_t{o.time.least_s}).add(std::int64_t{o.time.stopwatch_s}).add(std::int64_t{o.max_moves});
  row.add_text(o.start_sfen).add(o.at.us).add(game.started.us).add(e.at.us);
  row.add_text(o.local_time).add_text(e.local_time).add_text(core::summary_type(e.kind));
  row.add_text(outcome_word(e.outcome)).add(std::int64_t{e.plies}).add_text(e.line).add(std::int64_t{e.spent_s});
  row.add_text(e.reason).add_text(e.final_board).add(static_cast<std::int64_t>(o.preset_moves.size()));
  row.add_text(game.moves).add_bytes(game.notes);
  row.add(std::int64_t{o.black_rate}).add(std::int64_t{o.white_rate}).add_text(core::special_terms(o));
  commands.push_back({.statement = &kInsertGame, .params = std::move(row)});
  for (const PlayerResult& player : results_of(game)) {
    PgParams result;
    result.add_text(player.id).add_text(player.name).add(player.first_seen.us).add(player.last_seen.us);
    result.add(std::int64_t{player.won}).add(std::int64_t{player.lost}).add(std::int64_t{player.drawn});
    commands.push_back({.statement = &kAddResult, .params = std::move(result)});
  }
}

}  // namespace fuhyo::store
