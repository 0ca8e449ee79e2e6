-- What pages ask of finished games. Games in the order in which they ended; the games of a player, with what his page
-- counts of each of them.
CREATE INDEX game_ended ON game (ended_us);
CREATE INDEX game_black ON game (black_id, ended_us, outcome, end_kind, white_id);
CREATE INDEX game_white ON game (white_id, ended_us, outcome, end_kind, black_id);
