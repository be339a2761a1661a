-- The PostgreSQL twin of this file changes the same tables.

-- The secret is what an authenticator app has too, so it cannot be stored as a hash. Codes up to `last_step`, a count of
-- half minutes since 1970, are spent.
CREATE TABLE second_factors (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    secret     BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    last_step  INTEGER NOT NULL
) STRICT;

CREATE TABLE recovery_codes (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    code_hash  BLOB NOT NULL,
    PRIMARY KEY (account_id, code_hash)
) STRICT, WITHOUT ROWID;

-- Somebody has the password or a link, and still has to enter a code.
CREATE TABLE sign_in_challenges (
    token_hash BLOB PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    is_by_link INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_challenges_of_account ON sign_in_challenges (account_id);
CREATE INDEX sign_in_challenges_by_expiry ON sign_in_challenges (expires_at);

-- When the user of a session last proved who they are. Sessions that are older than this column never did.
ALTER TABLE sessions ADD COLUMN confirmed_at INTEGER NOT NULL DEFAULT 0;

-- Whether a session began with a sign-in link rather than a password.
ALTER TABLE sessions ADD COLUMN is_by_link INTEGER NOT NULL DEFAULT 0;
