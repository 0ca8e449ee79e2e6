-- The role of web nodes, which read what pages show and change nothing (docs/operations/service.md, "Web nodes"). By a
-- superuser of the database server, in the game server's database once its tables are there; again after an upgrade:
--
--   psql -f web-node.sql fuhyo
--
-- The role gets the password of the variable FUHYO_WEB_DB_PASSWORD, where there is one, and else keeps what it has.
BEGIN;
DO $$
DECLARE
  it record;
  host text := (SELECT quote_ident(pg_get_userbyid(datdba)) FROM pg_database WHERE datname = current_database());
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fuhyo_web') THEN
    CREATE ROLE fuhyo_web LOGIN;
  END IF;
  -- What everybody may do in a new database, and what would fill the disk or stop the game server: tables of their own,
  -- large objects, and locks of the kind by which the game server is the only one.
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  FOR it IN SELECT oid::regprocedure AS name FROM pg_proc
            WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ 'advisory|^lo_|^lowrite$' LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', it.name);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', it.name, host);
  END LOOP;
END $$;
ALTER ROLE fuhyo_web NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT 60;
ALTER ROLE fuhyo_web SET temp_file_limit = '256MB';  -- only a superuser can raise it
GRANT SELECT ON fuhyo_migration, journal, standing, live, used, game, rating, round, player, occurrence, placed
  TO fuhyo_web;
COMMIT;
\getenv password FUHYO_WEB_DB_PASSWORD
\if :{?password}
ALTER ROLE fuhyo_web PASSWORD :'password';
\endif
