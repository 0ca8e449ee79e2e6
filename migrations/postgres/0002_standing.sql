-- What stands outside of games: the newest fact of each key, kept when retention deletes its row of the journal.
CREATE TABLE standing (
  key     text    PRIMARY KEY,  -- "buoy/buoy_foo-1500-0"
  seq     bigint  NOT NULL,
  kind    integer NOT NULL,
  version integer NOT NULL,
  payload bytea   NOT NULL
);

-- Pairing looks back on the last games of each floodgate group.
CREATE INDEX game_floodgate ON game (game_name, game) WHERE game_name LIKE 'floodgate-%';
