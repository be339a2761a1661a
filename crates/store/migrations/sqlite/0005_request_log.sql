-- The PostgreSQL twin of this file changes the same tables.

-- The last requests of each account: a row holds many of them, as lines of JSON, so that a second of traffic costs one
-- insert. `bodies` comes last, because lists do not read it.
CREATE TABLE request_log (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    first_at   INTEGER NOT NULL,
    last_at    INTEGER NOT NULL,
    requests   INTEGER NOT NULL,
    bytes      INTEGER NOT NULL,
    content    TEXT NOT NULL,
    bodies     TEXT NOT NULL
) STRICT;
CREATE INDEX request_log_of_account ON request_log (account_id, seq);

-- Whether the log of the account keeps the bodies of requests and responses.
ALTER TABLE accounts ADD COLUMN keeps_bodies INTEGER NOT NULL DEFAULT 0;

-- The networks that a key may be used from, separated by commas; empty for all.
ALTER TABLE keys ADD COLUMN networks TEXT NOT NULL DEFAULT '';

-- Limits that an owner set in the dashboard. Plans without a row have those of the server's settings.
CREATE TABLE plan_limits (
    plan                TEXT PRIMARY KEY,
    requests_per_minute INTEGER NOT NULL,
    log_requests        INTEGER NOT NULL,
    log_days            INTEGER NOT NULL
) STRICT;
