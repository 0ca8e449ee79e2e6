-- Every round of a floodgate group, written with its fact. Retention of the journal does not touch it.
CREATE TABLE round (
  seq       INTEGER PRIMARY KEY,  -- of its row in the journal
  game_name TEXT    NOT NULL,     -- the group
  number    INTEGER NOT NULL,
  games     TEXT    NOT NULL,     -- lines "<black id> <white id>"
  sat_out   TEXT    NOT NULL,     -- lines, an id each
  at_us     INTEGER NOT NULL      -- microseconds since 1970, UTC
) STRICT;
CREATE INDEX round_group ON round (game_name, number);

-- Everybody with a trip who has finished a game, and how their games ended; written in the transaction of a game's end.
-- Made of the table game alone.
CREATE TABLE player (
  id            TEXT    PRIMARY KEY,  -- name+trip
  name          TEXT    NOT NULL,
  first_seen_us INTEGER NOT NULL,     -- the oldest game began, the newest one ended
  last_seen_us  INTEGER NOT NULL,
  games         INTEGER NOT NULL,     -- also those without a result
  wins          INTEGER NOT NULL,
  losses        INTEGER NOT NULL,
  draws         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO player (id, name, first_seen_us, last_seen_us, games, wins, losses, draws)
SELECT id, max(name), min(opened_us), max(ended_us), count(*), sum(outcome = won), sum(outcome = lost),
       sum(outcome = 'draw')
FROM (SELECT black_id AS id, black_name AS name, opened_us, ended_us, outcome, 'black_wins' AS won,
             'white_wins' AS lost FROM game
      UNION ALL
      SELECT white_id, white_name, opened_us, ended_us, outcome, 'white_wins', 'black_wins' FROM game)
WHERE id <> ''
GROUP BY id;
