-- What whoever runs the server did, one row an act. Append-only; retention of the journal does not touch it.
CREATE TABLE audit (
  seq        bigint PRIMARY KEY,  -- of its row in the journal
  at_us      bigint NOT NULL,     -- microseconds since 1970, UTC
  local_time text   NOT NULL,
  who        text   NOT NULL,
  via        text   NOT NULL,     -- an address, or "socket"
  act        bytea  NOT NULL,     -- the command; free text of any encoding
  why        bytea  NOT NULL,
  outcome    bytea  NOT NULL
);
