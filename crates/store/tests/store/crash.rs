//! A process that is killed in the middle of writing loses nothing that it had acknowledged.

use std::io::{BufRead, BufReader, Write};
use std::time::Duration;

use store::{KeyText, NewKey, RecipeId, Rng};

use test_support::{Database, a_recipe, an_account, child_store, email, noon, on_both, start_child};

const KILLS: u64 = 15;

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_survives_a_kill() {
    on_both(async |database| {
        let store = database.open().await;
        an_account(&store, "ada@example.org").await;
        let mut acknowledged = vec![];
        for kill in 0..KILLS {
            // Moments that differ from run to run of the loop, not from run to run of the test.
            let wait = Duration::from_millis(5 + kill * 37 % 150);
            acknowledged.extend(write_until_killed(database, wait));
            // Whoever was connected all the time sees what the dead one left, at once.
            let left = store.changed_accounts(0).await.expect("read").latest;
            assert!(store.latest_change().await.expect("read") >= left);
        }
        // And so does whoever comes new.
        store.close().await;
        let store = database.open().await;
        let (mut keys, mut recipes) = (0, 0);
        for line in &acknowledged {
            match line.split_once(' ').expect("a kind and an id") {
                ("recipe", id) => {
                    let id = RecipeId::parse(id).expect("an id");
                    assert!(store.recipes().by_id(&id).await.expect("read").is_some(), "{id} is lost");
                    recipes += 1;
                }
                ("key", text) => {
                    let key = KeyText::parse(text).expect("a key");
                    assert!(store.keys().by_hash(&key.hash()).await.expect("read").is_some(), "{key:?} is lost");
                    keys += 1;
                }
                other => panic!("{other:?}"),
            }
        }
        eprintln!("{recipes} recipes and {keys} keys outlived {KILLS} kills");
        assert!(recipes >= KILLS && keys > 0);
        // Every change was numbered, none twice: the account, and what was acknowledged at least.
        assert!(store.latest_change().await.expect("read") > recipes + keys);
    })
    .await;
}

/// The lines that a writing process had printed when it was killed.
fn write_until_killed(database: &Database, wait: Duration) -> Vec<String> {
    let mut child = start_child("crash::child_that_writes", database);
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let is_ours = |line: &String| line.starts_with("recipe ") || line.starts_with("key ");
    // The clock starts with the first acknowledgement, so that every run has something to lose.
    let first = lines.by_ref().map(|line| line.expect("text")).find(is_ours);
    let first = first.expect("the child writes until it is killed");
    std::thread::sleep(wait);
    child.kill().expect("killed");
    child.wait().expect("gone");
    let rest = lines.map_while(Result::ok).filter(is_ours);
    let mut all: Vec<_> = std::iter::once(first).chain(rest).collect();
    // The last line may be cut short.
    all.retain(|line| line.len() == if line.starts_with("key ") { 4 + 45 } else { 7 + 26 });
    all
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "started by the test above"]
async fn child_that_writes() {
    let Some(store) = child_store().await else { return };
    let rng = &mut Rng::system();
    let account = store.accounts().find_or_create(&email("ada@example.org"), noon(), rng).await.expect("there").id;
    let keys = tokio::spawn({
        let (store, account) = (store.clone(), account.clone());
        async move {
            loop {
                let (_, text) =
                    store.keys().create(&account, NewKey::live(), noon(), &mut Rng::system()).await.expect("a key");
                say(&format!("key {}", text.as_str()));
            }
        }
    });
    loop {
        let made = store.recipes().create(&account, a_recipe("Pie"), 1_000_000, noon(), rng, None).await;
        say(&format!("recipe {}", made.expect("made").id));
        assert!(!keys.is_finished());
    }
}

/// One write for the whole line, so that lines of two tasks do not mix.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("{line}\n").as_bytes()).expect("the parent listens");
    out.flush().expect("the parent listens");
}
