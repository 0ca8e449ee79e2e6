-- The journal and what is kept beside it in the same transactions. The same tables as in migrations/sqlite; texts that
-- players may write as they like are bytes.

-- Every fact, in order, as decided. Append-only: rows are never changed, and only retention deletes them, oldest first.
-- There is no secondary index: this is the hot path.
CREATE TABLE journal (
  seq     bigint   PRIMARY KEY,  -- ascending without gaps
  kind    integer  NOT NULL,     -- stable number of the kind of fact
  version integer  NOT NULL,     -- of its payload
  game    bigint   NOT NULL,
  payload bytea    NOT NULL      -- readable text, TAB-separated; comments in it are raw bytes of any encoding
);
-- Retention deletes at one end what was inserted at the other: vacuumed after some ten ranges of it instead of after
-- a fifth of the table, the room of old rows serves new ones, and the table keeps the size of what is retained.
-- Partitions would give the room back at once, but need their tables made and dropped by the server while games go on.
ALTER TABLE journal SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000,
                         autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- Games that have been opened and not ended: recovery reads the journal from the smallest first_seq on.
CREATE TABLE live (
  game      bigint PRIMARY KEY,
  first_seq bigint NOT NULL
);
-- Rows come and go with every game, and every start and every look of retention reads the table whole.
ALTER TABLE live SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- One row a finished game, written in the transaction of its end. Complete without the journal.
CREATE TABLE game (
  game          bigint  PRIMARY KEY,
  csa_id        text    NOT NULL,  -- <event>+<game name>+<black>+<white>+<time stamp>
  room          text    NOT NULL,
  game_name     text    NOT NULL,
  rated         boolean NOT NULL,
  black_name    text    NOT NULL,
  black_id      text    NOT NULL,  -- empty without a trip
  black_builtin boolean NOT NULL,
  white_name    text    NOT NULL,
  white_id      text    NOT NULL,
  white_builtin boolean NOT NULL,
  total_s       bigint  NOT NULL,
  byoyomi_s     bigint  NOT NULL,
  increment_s   bigint  NOT NULL,
  least_s       bigint  NOT NULL,
  stopwatch_s   bigint  NOT NULL,
  max_moves     bigint  NOT NULL,
  start_sfen    text    NOT NULL,
  opened_us     bigint  NOT NULL,  -- microseconds since 1970, UTC
  started_us    bigint  NOT NULL,
  ended_us      bigint  NOT NULL,
  opened_local  text    NOT NULL,
  ended_local   text    NOT NULL,
  end_kind      text    NOT NULL,  -- shogi-server's summary type
  outcome       text    NOT NULL CHECK (outcome IN ('black_wins', 'white_wins', 'draw', 'none')),
  plies         bigint  NOT NULL,  -- as the result counts them
  end_line      text    NOT NULL,
  end_spent_s   bigint  NOT NULL,
  end_reason    text    NOT NULL,
  final_board   text    NOT NULL,
  preset_plies  bigint  NOT NULL,  -- how many of the moves were given with the start position
  moves         text    NOT NULL,  -- "+7776FU,T1 -3334FU,T2"
  notes         bytea   NOT NULL   -- lines "<ply before it> <* for a comment, ' for a note> <raw bytes>"
);

-- Who may write: a writer that finds a newer epoch here than its own has been replaced and must stop.
CREATE TABLE lease (
  id    integer PRIMARY KEY CHECK (id = 1),
  epoch bigint  NOT NULL
);
INSERT INTO lease VALUES (1, 0);

-- What must never be used twice, also after the rows that used it are gone.
CREATE TABLE used (
  id         integer PRIMARY KEY CHECK (id = 1),
  last_game  bigint  NOT NULL,
  last_stamp bigint  NOT NULL  -- 14-digit time stamp of a Game_ID
);
INSERT INTO used VALUES (1, 0, 0);

-- Which seq was reached when, now and then: retention finds by it what is older than it keeps.
CREATE TABLE mark (
  seq   bigint PRIMARY KEY,
  at_us bigint NOT NULL
);
