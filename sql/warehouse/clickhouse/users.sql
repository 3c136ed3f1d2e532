-- The users of a ClickHouse server, made by an administrator: one loads, one reads for the service, and one for boards of
-- Grafana. What is there already stays as it is, so that the file can be run again. Their passwords go in place of
-- the words in quotes. All databases of the warehouse begin with its prefix, here energy: energy* is a pattern as long as it
-- stands without quotes, and in backticks one database of that very name.

CREATE USER IF NOT EXISTS energy_loader IDENTIFIED WITH sha256_password BY 'LOADER_PASSWORD';

GRANT CREATE DATABASE, DROP DATABASE, CREATE TABLE, DROP TABLE, CREATE VIEW, DROP VIEW, SELECT, INSERT
ON energy*.* TO energy_loader;

-- A night begins with the tables of the version before, of which it removes some rows; without this, versions are built from nothing.
GRANT ALTER DELETE, OPTIMIZE ON energy*.* TO energy_loader;

-- While a version is built, its parts are not merged.
GRANT SYSTEM MERGES ON energy*.* TO energy_loader;

-- Servers ask for these since their packaged configuration sets table_engines_require_grant.
GRANT TABLE ENGINE ON MergeTree TO energy_loader;
GRANT TABLE ENGINE ON SummingMergeTree TO energy_loader;

GRANT SELECT ON system.databases TO energy_loader;
GRANT SELECT ON system.tables TO energy_loader;
GRANT SELECT ON system.columns TO energy_loader;
GRANT SELECT ON system.parts TO energy_loader;

-- readonly = 2 reads only, but lets a statement say its settings, which the service does; beyond MAX none of them goes.
CREATE SETTINGS PROFILE IF NOT EXISTS energy_reader SETTINGS
  readonly = 2,
  max_execution_time = 30 MAX 30,
  max_memory_usage = 4000000000 MAX 4000000000,
  max_memory_usage_for_user = 12000000000,
  max_concurrent_queries_for_user = 64,
  max_result_bytes = 500000000;

CREATE USER IF NOT EXISTS energy_reader IDENTIFIED WITH sha256_password BY 'READER_PASSWORD'
SETTINGS PROFILE 'energy_reader';

GRANT SELECT ON energy*.* TO energy_reader;
GRANT SELECT ON system.tables TO energy_reader;

-- Of the 64 statements that may run at a time, the client at one address gets no more than 40 in the long run: seconds of all
-- its statements in a minute. A service in one process sends 16 at a time.
CREATE QUOTA IF NOT EXISTS energy_reader KEYED BY ip_address
FOR INTERVAL 1 minute MAX execution_time = 2400
TO energy_reader;

-- Boards read what the service reads, with less of the machine. Statements come from browsers, so none of them can lift a
-- limit; 0 would be none. Only Grafana says how long a statement may take.
CREATE SETTINGS PROFILE IF NOT EXISTS energy_board SETTINGS
  readonly = 2,
  max_execution_time = 30 MIN 1 MAX 30,
  max_memory_usage = 2000000000 CONST,
  max_memory_usage_for_user = 4000000000 CONST,
  max_concurrent_queries_for_user = 16 CONST,
  max_threads = 2 CONST,
  max_result_bytes = 50000000 CONST;

CREATE USER IF NOT EXISTS energy_board IDENTIFIED WITH sha256_password BY 'BOARD_PASSWORD'
SETTINGS PROFILE 'energy_board';

GRANT SELECT ON energy*.* TO energy_board;
GRANT SELECT ON system.tables TO energy_board;

-- All boards together get no more than four of these statements in the long run, eight threads.
CREATE QUOTA IF NOT EXISTS energy_board KEYED BY user_name
FOR INTERVAL 1 minute MAX queries = 1200, execution_time = 240
TO energy_board;

-- On a cluster these statements have ON CLUSTER, and those of users-cluster.sql follow.
