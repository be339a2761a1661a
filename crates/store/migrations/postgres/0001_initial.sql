-- The SQLite twin of this file has the same tables and columns. Times are unix microseconds, days are
-- 'YYYY-MM-DD', truth values 0 or 1.

CREATE TABLE accounts (
    id            TEXT PRIMARY KEY,
    email         TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    plan          TEXT NOT NULL,
    is_owner      BIGINT NOT NULL,
    created_at    BIGINT NOT NULL
);

CREATE TABLE keys (
    id             TEXT PRIMARY KEY,
    account_id     TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    hash           BYTEA NOT NULL UNIQUE,
    mode           TEXT NOT NULL,
    label          TEXT,
    scopes         BIGINT NOT NULL,
    prefix         TEXT NOT NULL,
    last_four      TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT,
    revoked_at     BIGINT,
    last_used_at   BIGINT,
    last_used_from TEXT
);
CREATE INDEX keys_of_account ON keys (account_id, created_at);

-- `seq` is the order of insertion: it decides between recipes of the same microsecond.
CREATE TABLE recipes (
    seq                 BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id                  TEXT NOT NULL UNIQUE,
    account_id          TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name                TEXT NOT NULL,
    calories            DOUBLE PRECISION NOT NULL,
    protein             DOUBLE PRECISION NOT NULL,
    carbs               DOUBLE PRECISION NOT NULL,
    fat                 DOUBLE PRECISION NOT NULL,
    serving_description TEXT,
    aliases             TEXT NOT NULL,
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL
);
CREATE INDEX recipes_of_account ON recipes (account_id, created_at, seq);

-- A row without `finished_at` is a request still running, or one whose server died.
CREATE TABLE idempotency (
    account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    key          TEXT NOT NULL,
    fingerprint  BYTEA NOT NULL,
    started_at   BIGINT NOT NULL,
    finished_at  BIGINT,
    status       BIGINT,
    content_type TEXT,
    body         BYTEA,
    PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_by_age ON idempotency (started_at);

CREATE TABLE usage (
    account_id     TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    day            TEXT NOT NULL,
    key_id         TEXT NOT NULL,
    route          TEXT NOT NULL,
    status         TEXT NOT NULL,
    mode           TEXT NOT NULL,
    latency_bucket BIGINT NOT NULL,
    requests       BIGINT NOT NULL,
    PRIMARY KEY (account_id, day, key_id, route, status, mode, latency_bucket)
);

-- No foreign key: the row of an image must outlive its account until the file is gone too.
CREATE TABLE images (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    media_type TEXT NOT NULL,
    width      BIGINT NOT NULL,
    height     BIGINT NOT NULL,
    bytes      BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX images_of_account ON images (account_id);
CREATE INDEX images_by_expiry ON images (expires_at);

CREATE TABLE sign_in_links (
    token_hash BYTEA PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sign_in_links_of_account ON sign_in_links (account_id);
CREATE INDEX sign_in_links_by_expiry ON sign_in_links (expires_at);

CREATE TABLE sessions (
    id         TEXT PRIMARY KEY,
    token_hash BYTEA NOT NULL UNIQUE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    user_agent TEXT,
    address    TEXT
);
CREATE INDEX sessions_of_account ON sessions (account_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- One row. Its update puts the writers in line, so that numbers follow the order of the commits.
CREATE TABLE change_counter (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    n  BIGINT NOT NULL
);
INSERT INTO change_counter (id, n) VALUES (1, 0);

-- Which account the nth change was about. No foreign key: a deleted account is a change too.
CREATE TABLE changes (
    n          BIGINT PRIMARY KEY,
    account_id TEXT NOT NULL
);
