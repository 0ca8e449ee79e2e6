-- What the terms of a game have that few games have: "white-time=600-5F" where the colours had different clocks.
ALTER TABLE game ADD COLUMN terms text NOT NULL DEFAULT '';
