-- The SQLite twin of this file changes the same tables.

-- From when on nobody gets in with this account, by key or by session.
ALTER TABLE accounts ADD COLUMN disabled_at BIGINT;

ALTER TABLE sessions ADD COLUMN last_seen_at BIGINT NOT NULL DEFAULT 0;
UPDATE sessions SET last_seen_at = created_at;

-- For forgetting what is too old, whoever's it is.
CREATE INDEX usage_by_day ON usage (day);
