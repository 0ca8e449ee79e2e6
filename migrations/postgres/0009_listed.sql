-- Games in the order in which they ended, with all that tells one from another in searches, tables and rounds: what few
-- games or none have is looked for here, and not in the table, which is ten times as large.
DROP INDEX game_ended;
CREATE INDEX game_ended ON game (ended_us, game)
  INCLUDE (room, game_name, outcome, end_kind, plies, black_rate, white_rate, opened_us, opened_local, black_id,
           white_id, black_name, white_name);
