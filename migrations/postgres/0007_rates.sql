-- What the players were rated when they were paired. 0: unrated then, or not known: older programs did not keep it.
ALTER TABLE game ADD COLUMN black_rate bigint NOT NULL DEFAULT 0;
ALTER TABLE game ADD COLUMN white_rate bigint NOT NULL DEFAULT 0;
