//! What migrations of PostgreSQL may do: servers of the version before go on working with the tables.

use std::path::Path;

/// Returns why a statement would break servers of the version before, which know nothing of it.
fn breaks(statement: &str) -> Option<&'static str> {
    let words = statement.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
    let is_column = words.starts_with("ALTER TABLE") && words.contains(" ADD COLUMN ");
    if is_column && words.contains("NOT NULL") && !words.contains("DEFAULT") {
        return Some("their rows have no value for the column");
    }
    let only_adds = ["CREATE TABLE ", "CREATE INDEX ", "INSERT INTO ", "UPDATE ", "DELETE FROM "];
    let is_harmless = is_column || only_adds.iter().any(|start| words.starts_with(start));
    (!is_harmless).then_some("it does not only add")
}

#[test]
fn migrations_only_add() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations/postgres");
    let mut statements = 0;
    for file in std::fs::read_dir(folder).expect("a folder").flatten() {
        let text = std::fs::read_to_string(file.path()).expect("readable");
        let code: String =
            text.lines().map(|line| line.split("--").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
        for statement in code.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
            assert_eq!(breaks(statement), None, "{}: {statement}", file.path().display());
            statements += 1;
        }
    }
    assert!(statements > 20, "{statements}");
    for wrong in [
        "DROP TABLE usage",
        "ALTER TABLE keys ADD COLUMN n BIGINT NOT NULL",
        "ALTER TABLE keys RENAME COLUMN hash TO h",
    ] {
        assert!(breaks(wrong).is_some(), "{wrong}");
    }
}
