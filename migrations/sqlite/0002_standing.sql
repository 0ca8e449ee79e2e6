-- What stands outside of games: the newest fact of each key, kept when retention deletes its row of the journal.
CREATE TABLE standing (
  key     TEXT PRIMARY KEY,  -- "buoy/buoy_foo-1500-0"
  seq     INTEGER NOT NULL,
  kind    INTEGER NOT NULL,
  version INTEGER NOT NULL,
  payload BLOB    NOT NULL
) STRICT;

-- Pairing looks back on the last games of each floodgate group.
CREATE INDEX game_floodgate ON game (game_name, game) WHERE game_name GLOB 'floodgate-*';
