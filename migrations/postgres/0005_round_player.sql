-- Every round of a floodgate group, written with its fact. Retention of the journal does not touch it.
CREATE TABLE round (
  seq       bigint PRIMARY KEY,  -- of its row in the journal
  game_name text   NOT NULL,     -- the group
  number    bigint NOT NULL,
  games     text   NOT NULL,     -- lines "<black id> <white id>"
  sat_out   text   NOT NULL,     -- lines, an id each
  at_us     bigint NOT NULL      -- microseconds since 1970, UTC
);
CREATE INDEX round_group ON round (game_name, number);

-- Everybody with a trip who has finished a game, and how their games ended; written in the transaction of a game's end.
-- Made of the table game alone.
CREATE TABLE player (
  id            text   PRIMARY KEY,  -- name+trip
  name          text   NOT NULL,
  first_seen_us bigint NOT NULL,     -- the oldest game began, the newest one ended
  last_seen_us  bigint NOT NULL,
  games         bigint NOT NULL,     -- also those without a result
  wins          bigint NOT NULL,
  losses        bigint NOT NULL,
  draws         bigint NOT NULL
);
INSERT INTO player (id, name, first_seen_us, last_seen_us, games, wins, losses, draws)
SELECT id, max(name), min(opened_us), max(ended_us), count(*), count(*) FILTER (WHERE outcome = won),
       count(*) FILTER (WHERE outcome = lost), count(*) FILTER (WHERE outcome = 'draw')
FROM (SELECT black_id AS id, black_name AS name, opened_us, ended_us, outcome, 'black_wins' AS won,
             'white_wins' AS lost FROM game
      UNION ALL
      SELECT white_id, white_name, opened_us, ended_us, outcome, 'white_wins', 'black_wins' FROM game) AS seats
WHERE id <> ''
GROUP BY id;
