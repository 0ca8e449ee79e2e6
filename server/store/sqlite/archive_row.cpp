#include "server/store/sqlite/archive_row.h"

#include <cstdint>
#include <string>

#include "server/store/words.h"

namespace fuhyo::store {

SqliteResult<void> write_game(Statement& insert, Statement& result, const FinishedGame& game) {
  const core::GameOpened& o = game.opened;
  const core::GameEnded& e = game.ended;
  Statement& row = insert;
  row.bind(1, static_cast<std::int64_t>(core::value(o.game))).bind_text(2, o.csa_id).bind_text(3, o.room);
  row.bind_text(4, o.game_name).bind(5, o.rated);
  row.bind_text(6, o.black.name).bind_text(7, o.black.id).bind(8, o.black.builtin);
  row.bind_text(9, o.white.name).bind_text(10, o.white.id).bind(11, o.white.builtin);
  row.bind(12, o.time.total_s).bind(13, o.time.byoyomi_s).bind(14, o.time.increment_s);
  row.bind(15, o.time.least_s).bind(16, o.time.stopwatch_s).bind(17, o.max_moves).bind_text(18, o.start_sfen);
  row.bind(19, o.at.us).bind(20, game.started.us).bind(21, e.at.us);
  row.bind_text(22, o.local_time).bind_text(23, e.local_time).bind_text(24, core::summary_type(e.kind));
  row.bind_text(25, outcome_word(e.outcome)).bind(26, e.plies).bind_text(27, e.line);
  row.bind(28, e.spent_s).bind_text(29, e.reason).bind_text(30, e.final_board);
  row.bind(31, static_cast<std::int64_t>(o.preset_moves.size())).bind_text(32, game.moves).bind_bytes(33, game.notes);
  row.bind(34, o.black_rate).bind(35, o.white_rate);
  const std::string terms = core::special_terms(o);  // bound texts are not copied
  row.bind_text(36, terms);
  if (auto inserted = row.run(); !inserted) return inserted;
  for (const PlayerResult& player : results_of(game)) {
    result.bind_text(1, player.id).bind_text(2, player.name).bind(3, player.first_seen.us);
    result.bind(4, player.last_seen.us).bind(5, player.won).bind(6, player.lost).bind(7, player.drawn);
    if (auto added = result.run(); !added) return added;
  }
  return {};
}

}  // namespace fuhyo::store
