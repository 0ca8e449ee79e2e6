-- Rates as they stood at the end of each day: what graphs are drawn from. The newest day is written again and again.
-- Made of the table game alone.
CREATE TABLE rating (
  player text             NOT NULL,  -- id, as ratings go by it
  day    text             NOT NULL,  -- "2026-11-21" in the server's zone
  rate   double precision NOT NULL,
  error  double precision NOT NULL,  -- at 95 %; 0: not known
  PRIMARY KEY (player, day)
);
CREATE INDEX rating_day ON rating (day);

-- Whether a game is known already: an old folder may be moved over twice. Not unique, because a commit that carries
-- moves must never fail for a name.
CREATE INDEX game_csa_id ON game (csa_id);
