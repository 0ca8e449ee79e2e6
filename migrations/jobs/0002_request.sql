-- A claim that is asked for again, while the first attempt is still under way behind a connection that broke, must not
-- hold a second chunk: whichever comes last fails, and finds what the other one holds.
UPDATE fuhyo_jobs.chunk SET request = request || '/' || batch || '/' || chunk WHERE state = 'held';
CREATE UNIQUE INDEX chunk_request ON fuhyo_jobs.chunk (request) WHERE state = 'held';
