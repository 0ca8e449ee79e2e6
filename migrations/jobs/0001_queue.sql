-- The queue of work chunks (engines/jobs/JOBS.md), in a schema of its own: it may lie in the same database as a game
-- server's tables, or in one of its own. Names are checked by the program; texts of any encoding are bytes.

CREATE TABLE fuhyo_jobs.batch (
  id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,  -- in order of age
  name      text        NOT NULL UNIQUE,
  kind      text        NOT NULL,  -- who takes chunks of it
  payload   bytea       NOT NULL,  -- how to work
  digest    bigint      NOT NULL,  -- of everything that it was put in with
  attempts  integer     NOT NULL CHECK (attempts > 0),
  cancelled boolean     NOT NULL DEFAULT false,
  added_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE fuhyo_jobs.chunk (
  batch       bigint  NOT NULL REFERENCES fuhyo_jobs.batch (id) ON DELETE CASCADE,
  chunk       bigint  NOT NULL,
  payload     bytea   NOT NULL,  -- on what to work
  state       text    NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'held', 'done', 'aside')),
  fence       bigint  NOT NULL DEFAULT 0,   -- of the newest claim; 0: there has been none
  worker      text    NOT NULL DEFAULT '',  -- of the newest claim
  request     text    NOT NULL DEFAULT '',  -- by which it asked, so that an answer which was lost is found
  lease_until timestamptz,                  -- by this server's clock; set while held
  failures    integer NOT NULL DEFAULT 0,
  why         bytea   NOT NULL DEFAULT '',  -- of the last failure
  result      bytea,                        -- set once, with what follows
  done_by     text    NOT NULL DEFAULT '',
  done_fence  bigint  NOT NULL DEFAULT 0,
  done_at     timestamptz,
  PRIMARY KEY (batch, chunk),
  CHECK ((state = 'done') = (result IS NOT NULL)),
  CHECK (state <> 'held' OR lease_until IS NOT NULL)
);
-- Rows change their state a few times each, and claims look for what waits and for what has run out.
CREATE INDEX chunk_waiting ON fuhyo_jobs.chunk (batch, chunk) WHERE state = 'waiting';
CREATE INDEX chunk_held ON fuhyo_jobs.chunk (lease_until) WHERE state = 'held';
ALTER TABLE fuhyo_jobs.chunk SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
