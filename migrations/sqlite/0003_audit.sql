-- What whoever runs the server did, one row an act. Append-only; retention of the journal does not touch it.
CREATE TABLE audit (
  seq        INTEGER PRIMARY KEY,  -- of its row in the journal
  at_us      INTEGER NOT NULL,     -- microseconds since 1970, UTC
  local_time TEXT    NOT NULL,
  who        TEXT    NOT NULL,
  via        TEXT    NOT NULL,     -- an address, or "socket"
  act        BLOB    NOT NULL,     -- the command; free text of any encoding
  why        BLOB    NOT NULL,
  outcome    BLOB    NOT NULL
) STRICT;
