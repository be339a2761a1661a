//! Damaged database files: an error that says what to do, or a store whose calls return, never a panic or an endless loop.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flate2::read::GzDecoder;
use fuzz_corpus::Corpus;
use store::{AccountId, KeyText, Location, Store};
use test_support::{after, noon};

const ADA: &str = "acc_5FTzwFP7TWfqlukzdcMgND";
const LIVE: &str = "svc_live_Fy6qerRShiXbVFGe5BhgjuZntq8g5H0DO8Qm";

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Reads and writes a little of everything; returns how many calls worked.
async fn use_store(store: &Store) -> usize {
    let ada = AccountId::parse(ADA).expect("an id");
    let key = KeyText::parse(LIVE).expect("a key");
    let worked = [
        store.accounts().by_id(&ada).await.is_ok(),
        store.keys().by_hash(&key.hash()).await.is_ok(),
        store.keys().list(&ada).await.is_ok(),
        store.recipes().list(&ada).await.is_ok(),
        store.sessions().prune(after(1)).await.is_ok(),
        store.audit().prune(noon()).await.is_ok(),
        store.check(noon()).await.is_ok(),
        store.return_space().await.is_ok(),
    ];
    worked.into_iter().filter(|worked| *worked).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_databases() {
    let packed = File::open(tests().join("store/stored/schema-2.db.gz")).expect("a stored database");
    let mut whole = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut whole).expect("unpacked");
    let corpus = Corpus::new(tests().join("corpus/databases")).cases(25).max_bytes(2 * whole.len());
    let mut inputs = corpus.seeds([whole]).words(["SQLite format 3\0", "CREATE TABLE", "INTEGER"]).inputs();
    while let Some(input) = inputs.next() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("morsel.db");
        std::fs::write(&path, &input).expect("written");
        let location = Location::Sqlite(path);
        // Far more than any call takes; a call that never returns would stop the server.
        let used = tokio::time::timeout(Duration::from_mins(2), async {
            match Store::open(&location).await {
                Ok(store) => {
                    let worked = use_store(&store).await;
                    store.close().await;
                    Ok(worked)
                }
                Err(error) => Err(error.to_string().len()),
            }
        });
        inputs.led_to(used.await.expect("it does not hang"));
    }
}
