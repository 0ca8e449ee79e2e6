-- The journal and what is kept beside it in the same transactions.

-- Every fact, in order, as decided. Append-only: rows are never changed, and only retention deletes them, oldest first.
-- There is no secondary index: this is the hot path.
CREATE TABLE journal (
  seq     INTEGER PRIMARY KEY,  -- ascending without gaps
  kind    INTEGER NOT NULL,     -- stable number of the kind of fact
  version INTEGER NOT NULL,     -- of its payload
  game    INTEGER NOT NULL,
  payload BLOB    NOT NULL      -- readable text, TAB-separated; comments in it are raw bytes of any encoding
) STRICT;

-- Games that have been opened and not ended: recovery reads the journal from the smallest first_seq on.
CREATE TABLE live (
  game      INTEGER PRIMARY KEY,
  first_seq INTEGER NOT NULL
) STRICT;

-- One row a finished game, written in the transaction of its end. Complete without the journal.
CREATE TABLE game (
  game          INTEGER PRIMARY KEY,
  csa_id        TEXT    NOT NULL,  -- <event>+<game name>+<black>+<white>+<time stamp>
  room          TEXT    NOT NULL,
  game_name     TEXT    NOT NULL,
  rated         INTEGER NOT NULL,
  black_name    TEXT    NOT NULL,
  black_id      TEXT    NOT NULL,  -- empty without a trip
  black_builtin INTEGER NOT NULL,
  white_name    TEXT    NOT NULL,
  white_id      TEXT    NOT NULL,
  white_builtin INTEGER NOT NULL,
  total_s       INTEGER NOT NULL,
  byoyomi_s     INTEGER NOT NULL,
  increment_s   INTEGER NOT NULL,
  least_s       INTEGER NOT NULL,
  stopwatch_s   INTEGER NOT NULL,
  max_moves     INTEGER NOT NULL,
  start_sfen    TEXT    NOT NULL,
  opened_us     INTEGER NOT NULL,  -- microseconds since 1970, UTC
  started_us    INTEGER NOT NULL,
  ended_us      INTEGER NOT NULL,
  opened_local  TEXT    NOT NULL,
  ended_local   TEXT    NOT NULL,
  end_kind      TEXT    NOT NULL,  -- shogi-server's summary type
  outcome       TEXT    NOT NULL CHECK (outcome IN ('black_wins', 'white_wins', 'draw', 'none')),
  plies         INTEGER NOT NULL,  -- as the result counts them
  end_line      TEXT    NOT NULL,
  end_spent_s   INTEGER NOT NULL,
  end_reason    TEXT    NOT NULL,
  final_board   TEXT    NOT NULL,
  preset_plies  INTEGER NOT NULL,  -- how many of the moves were given with the start position
  moves         TEXT    NOT NULL,  -- "+7776FU,T1 -3334FU,T2"
  notes         BLOB    NOT NULL   -- lines "<ply before it> <* for a comment, ' for a note> <raw bytes>"
) STRICT;

-- Who may write: a writer that finds a newer epoch here than its own has been replaced and must stop.
CREATE TABLE lease (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  epoch INTEGER NOT NULL
) STRICT;
INSERT INTO lease VALUES (1, 0);

-- What must never be used twice, also after the rows that used it are gone.
CREATE TABLE used (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  last_game  INTEGER NOT NULL,
  last_stamp INTEGER NOT NULL  -- 14-digit time stamp of a Game_ID
) STRICT;
INSERT INTO used VALUES (1, 0, 0);

-- Which seq was reached when, now and then: retention finds by it what is older than it keeps.
CREATE TABLE mark (
  seq   INTEGER PRIMARY KEY,
  at_us INTEGER NOT NULL
) STRICT;
