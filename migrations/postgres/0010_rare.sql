-- What few games have is looked up, and not looked for in all games: an archive may have ten million. Names of games in
-- the order in which their games ended; by it pairing looks back on the last games of each group, too.
CREATE INDEX game_named ON game (game_name, ended_us, game);
DROP INDEX game_floodgate;
CREATE INDEX game_room ON game (room);
CREATE INDEX game_outcome ON game (outcome);
CREATE INDEX game_end_kind ON game (end_kind);
CREATE INDEX game_plies ON game (plies);
CREATE INDEX game_rate ON game (least(black_rate, white_rate));
-- The few games that were suspended: all others that began on a day are over a day later.
CREATE INDEX game_long ON game (opened_us, ended_us) WHERE ended_us - opened_us > 86400000000;
-- Games of a player in the whole order in which a page has them.
DROP INDEX game_black;
DROP INDEX game_white;
CREATE INDEX game_black ON game (black_id, ended_us, game) INCLUDE (outcome, end_kind, white_id);
CREATE INDEX game_white ON game (white_id, ended_us, game) INCLUDE (outcome, end_kind, black_id);
