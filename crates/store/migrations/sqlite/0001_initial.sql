-- The PostgreSQL twin of this file has the same tables and columns. Times are unix microseconds, days are
-- 'YYYY-MM-DD', truth values 0 or 1.

CREATE TABLE accounts (
    id            TEXT PRIMARY KEY,
    email         TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    plan          TEXT NOT NULL,
    is_owner      INTEGER NOT NULL,
    created_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
    id             TEXT PRIMARY KEY,
    account_id     TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    hash           BLOB NOT NULL UNIQUE,
    mode           TEXT NOT NULL,
    label          TEXT,
    scopes         INTEGER NOT NULL,
    prefix         TEXT NOT NULL,
    last_four      TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    expires_at     INTEGER,
    revoked_at     INTEGER,
    last_used_at   INTEGER,
    last_used_from TEXT
) STRICT;
CREATE INDEX keys_of_account ON keys (account_id, created_at);

-- `seq` is the order of insertion: it decides between recipes of the same microsecond.
CREATE TABLE recipes (
    seq                 INTEGER PRIMARY KEY AUTOINCREMENT,
    id                  TEXT NOT NULL UNIQUE,
    account_id          TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name                TEXT NOT NULL,
    calories            REAL NOT NULL,
    protein             REAL NOT NULL,
    carbs               REAL NOT NULL,
    fat                 REAL NOT NULL,
    serving_description TEXT,
    aliases             TEXT NOT NULL,
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL
) STRICT;
CREATE INDEX recipes_of_account ON recipes (account_id, created_at, seq);

-- A row without `finished_at` is a request still running, or one whose server died.
CREATE TABLE idempotency (
    account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    key          TEXT NOT NULL,
    fingerprint  BLOB NOT NULL,
    started_at   INTEGER NOT NULL,
    finished_at  INTEGER,
    status       INTEGER,
    content_type TEXT,
    body         BLOB,
    PRIMARY KEY (account_id, key)
) STRICT;
CREATE INDEX idempotency_by_age ON idempotency (started_at);

CREATE TABLE usage (
    account_id     TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    day            TEXT NOT NULL,
    key_id         TEXT NOT NULL,
    route          TEXT NOT NULL,
    status         TEXT NOT NULL,
    mode           TEXT NOT NULL,
    latency_bucket INTEGER NOT NULL,
    requests       INTEGER NOT NULL,
    PRIMARY KEY (account_id, day, key_id, route, status, mode, latency_bucket)
) STRICT, WITHOUT ROWID;

-- No foreign key: the row of an image must outlive its account until the file is gone too.
CREATE TABLE images (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    media_type TEXT NOT NULL,
    width      INTEGER NOT NULL,
    height     INTEGER NOT NULL,
    bytes      INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX images_of_account ON images (account_id);
CREATE INDEX images_by_expiry ON images (expires_at);

CREATE TABLE sign_in_links (
    token_hash BLOB PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_links_of_account ON sign_in_links (account_id);
CREATE INDEX sign_in_links_by_expiry ON sign_in_links (expires_at);

CREATE TABLE sessions (
    id         TEXT PRIMARY KEY,
    token_hash BLOB NOT NULL UNIQUE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    user_agent TEXT,
    address    TEXT
) STRICT;
CREATE INDEX sessions_of_account ON sessions (account_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- One row. Its update puts the writers in line, so that numbers follow the order of the commits.
CREATE TABLE change_counter (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    n  INTEGER NOT NULL
) STRICT;
INSERT INTO change_counter (id, n) VALUES (1, 0);

-- Which account the nth change was about. No foreign key: a deleted account is a change too.
CREATE TABLE changes (
    n          INTEGER PRIMARY KEY,
    account_id TEXT NOT NULL
) STRICT;
