-- The SQLite twin of this file changes the same tables.

-- What happened to accounts and keys, and who tried to get in. No foreign keys: an event outlives its account.
CREATE TABLE audit_events (
    seq        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         BIGINT NOT NULL,
    kind       TEXT NOT NULL,
    is_failure BIGINT NOT NULL,
    account_id TEXT,
    actor_id   TEXT,
    address    TEXT,
    detail     TEXT
);
CREATE INDEX audit_events_by_age ON audit_events (at);
CREATE INDEX audit_events_of_account ON audit_events (account_id, seq);

-- One row, rewritten to find out whether the database can be written.
CREATE TABLE write_check (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    at BIGINT NOT NULL
);
INSERT INTO write_check (id, at) VALUES (1, 0);

-- How many bytes the responses of the account had taken when this one was stored: a response is deleted once the account
-- has stored so many bytes more. A response without a body is computed again.
ALTER TABLE idempotency ADD COLUMN stored_to BIGINT;
CREATE INDEX idempotency_of_account ON idempotency (account_id, stored_to);
DELETE FROM idempotency WHERE length(body) > 65536;
