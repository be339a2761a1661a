-- The PostgreSQL twin of this file changes the same tables.

-- What a recipe is made of, so that it can be edited again; the service decides the form. The numbers of a recipe are its own:
-- they may differ from what follows from the ingredients.
CREATE TABLE recipe_ingredients (
    recipe_id TEXT PRIMARY KEY REFERENCES recipes (id) ON DELETE CASCADE,
    content   TEXT NOT NULL
) STRICT;

-- What an account has done for the first time, for the list of first steps.
CREATE TABLE milestones (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    reached_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, name)
) STRICT, WITHOUT ROWID;
