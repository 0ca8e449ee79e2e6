-- What pages ask of finished games. Games in the order in which they ended; the games of a player, with what his page
-- counts of each of them.
CREATE INDEX game_ended ON game (ended_us);
CREATE INDEX game_black ON game (black_id, ended_us) INCLUDE (outcome, end_kind, white_id);
CREATE INDEX game_white ON game (white_id, ended_us) INCLUDE (outcome, end_kind, black_id);

-- Which positions occurred in which game, and what was played there. Made of the table game alone, behind the journal;
-- demonstrations are left out.
CREATE TABLE occurrence (
  key  bigint NOT NULL,  -- of board, hands and the side to move
  game bigint NOT NULL,
  move text   NOT NULL,  -- USI; empty: none
  PRIMARY KEY (key, game)
);

-- Games whose positions are there.
CREATE TABLE placed (
  game    bigint PRIMARY KEY,
  opening text NOT NULL  -- its name; empty: none that has one
);
CREATE INDEX placed_opening ON placed (opening);
