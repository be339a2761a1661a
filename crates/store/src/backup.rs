//! Backups: one file with everything that a SQLite store holds, photos included, and the way back.
//!
//! A backup is itself a SQLite database with one more table, for the bytes of photos. A restored file is checked and migrated
//! in a folder of its own and then renamed, so that there is always a whole database: the old one or the new one.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use sqlx::sqlite::SqliteConnection;
use sqlx::{ConnectOptions as _, Connection as _, Row as _};

use crate::db::Db;
use crate::error::{Error, OpenError, RestoreError};
use crate::files;
use crate::id::ImageId;
use crate::image_files::ImageFiles;
use crate::location::Location;
use crate::sqlite;
use crate::store::Store;

const CREATE_IMAGES: &str = "CREATE TABLE IF NOT EXISTS backup_images (id TEXT PRIMARY KEY, content BLOB NOT NULL);
                             DELETE FROM backup_images";
const HAS_IMAGES: &str = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'backup_images'";

/// What a restored backup holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// Accounts.
    pub accounts: u64,
    /// API keys, revoked ones included.
    pub keys: u64,
    /// Recipes.
    pub recipes: u64,
    /// Photos.
    pub photos: u64,
    /// Where the database is now that was replaced, if there was one.
    pub replaced: Option<PathBuf>,
}

impl Store {
    /// Writes a consistent copy of a SQLite database and of its photos while they are in use. The file must not exist yet.
    /// Returns the number of photos.
    pub async fn backup(&self, images: &ImageFiles, to: &Path) -> Result<u64, Error> {
        let Db::Sqlite(db) = &*self.db else {
            return Err(Error::Unsupported("back up a PostgreSQL database with pg_dump"));
        };
        let what = format!("cannot write the backup {}", to.display());
        let to = to.to_owned();
        let beside = to.clone();
        let temporary = files::on_disk(&what, move || files::temporary_beside(&beside)).await?.into_temp_path();
        db.copy_to(&temporary).await?;
        let photos = add_images(&temporary, images).await?;
        files::on_disk(&what, move || files::name_new(temporary, &to)).await?;
        Ok(photos)
    }

    /// Puts a backup in place of a SQLite database that no program has open. A database that is there already is replaced
    /// only if `may_replace`, and kept under another name.
    pub async fn restore(
        from: &Path,
        to: &Path,
        images: &ImageFiles,
        may_replace: bool,
    ) -> Result<Restored, RestoreError> {
        let is_there = fs::metadata(to).is_ok_and(|metadata| metadata.len() > 0);
        if is_there && !may_replace {
            return Err(RestoreError::Exists { path: to.to_owned() });
        }
        let (folder, copy) = copy_beside(from, to).await?;
        check(from, &copy).await?;
        let lock = if is_there { lock(to).await? } else { None };
        let mut restored = unpack(from, &copy, images).await?;
        restored.replaced = replace(copy, to, is_there).await?;
        if let Some(lock) = lock {
            // It has nothing left to write.
            let _ = lock.close().await;
        }
        drop(folder);
        Ok(restored)
    }
}

/// Adds the photos to a copy of the database.
async fn add_images(copy: &Path, images: &ImageFiles) -> Result<u64, Error> {
    let mut connection = sqlite::options(copy).pragma("journal_mode", "OFF").connect().await?;
    sqlx::raw_sql(CREATE_IMAGES).execute(&mut connection).await?;
    let rows = sqlx::query("SELECT id FROM images").fetch_all(&mut connection).await?;
    let mut count = 0;
    sqlx::raw_sql("BEGIN").execute(&mut connection).await?;
    for row in rows {
        let id: String = row.try_get("id")?;
        // One that expired meanwhile is gone.
        let Some(id) = ImageId::parse(&id) else { continue };
        let Some(content) = images.get(&id).await? else { continue };
        let insert = sqlx::query("INSERT INTO backup_images (id, content) VALUES ($1, $2)");
        insert.bind(id.as_str()).bind(content).execute(&mut connection).await?;
        count += 1;
    }
    sqlx::raw_sql("COMMIT").execute(&mut connection).await?;
    connection.close().await?;
    Ok(count)
}

/// Takes the lock of a database that no other program has open, and merges its write-ahead log. Returns `None` if the file
/// is so damaged that nobody can have it open.
async fn lock(path: &Path) -> Result<Option<SqliteConnection>, RestoreError> {
    let in_use = || RestoreError::InUse { path: path.to_owned() };
    let options = sqlite::options(path).pragma("locking_mode", "EXCLUSIVE");
    let locked = async {
        let mut connection = options.connect().await?;
        // Leaving the write-ahead log is possible only for the last connection, and removes its files.
        let rows = sqlx::query("PRAGMA journal_mode = DELETE").fetch_all(&mut connection).await?;
        let mode: String = rows.first().map_or(Ok(String::new()), |row| row.try_get(0))?;
        sqlx::raw_sql("BEGIN EXCLUSIVE; COMMIT").execute(&mut connection).await?;
        Ok((connection, mode))
    };
    match locked.await {
        Ok((connection, mode)) if mode == "delete" => Ok(Some(connection)),
        Ok(_) => Err(in_use()),
        Err(error) => match sqlite::open_error(path, &error) {
            OpenError::Damaged { .. } | OpenError::NotADatabase { .. } => Ok(None),
            OpenError::Locked { .. } => Err(in_use()),
            _ => Err(RestoreError::Store(error.into())),
        },
    }
}

/// Copies the backup into a new folder beside the database, which is removed again when the handle on it is dropped.
async fn copy_beside(from: &Path, to: &Path) -> Result<(tempfile::TempDir, PathBuf), RestoreError> {
    let what = format!("cannot copy the backup {}", from.display());
    let (from, to) = (from.to_owned(), to.to_owned());
    let copied = files::on_disk(what, move || {
        let parent = files::folder_of(&to);
        files::create_folder(parent)?;
        if fs::metadata(beside(&from, "-wal")).is_ok_and(|log| log.len() > 0) {
            return Err(io::Error::other("it is a database in use; make a backup of it with `morsel backup`"));
        }
        let folder = tempfile::Builder::new().prefix(".restore-").tempdir_in(parent)?;
        let copy = folder.path().join("morsel.db");
        io::copy(&mut File::open(&from)?, &mut files::create_private(&copy)?)?;
        Ok((folder, copy))
    });
    Ok(copied.await?)
}

/// Checks that a file is a whole database of this program, before anything is done with it.
async fn check(from: &Path, copy: &Path) -> Result<(), RestoreError> {
    let not_ours = || RestoreError::NotABackup { path: from.to_owned() };
    let damaged = |cause: String| RestoreError::Damaged { path: from.to_owned(), cause };
    let read = async {
        let mut connection = sqlite::options(copy).connect().await?;
        let rows = sqlx::query("PRAGMA integrity_check(1)").fetch_all(&mut connection).await?;
        let found: String = rows.first().map_or(Ok(String::new()), |row| row.try_get(0))?;
        let versions = sqlx::query("SELECT version FROM schema_versions").fetch_all(&mut connection).await;
        connection.close().await?;
        Ok((found, versions.is_ok_and(|versions| !versions.is_empty())))
    };
    match read.await {
        Ok((found, _)) if found != "ok" => Err(damaged(found)),
        Ok((_, false)) => Err(not_ours()),
        Ok(_) => Ok(()),
        Err(error) => match sqlite::open_error(copy, &error) {
            OpenError::NotADatabase { .. } => Err(not_ours()),
            _ => Err(damaged(error.to_string())),
        },
    }
}

/// Migrates the copy and moves its photos to their files.
async fn unpack(from: &Path, copy: &Path, images: &ImageFiles) -> Result<Restored, RestoreError> {
    let store = Store::open(&Location::Sqlite(copy.to_owned())).await.map_err(|error| match error {
        OpenError::Newer { found, known } => RestoreError::Newer { found, known },
        other => RestoreError::Damaged { path: from.to_owned(), cause: other.to_string() },
    })?;
    let photos = take_images(&store, images).await?;
    let count = async |sql| match store.db.read_one(sql, vec![]).await? {
        Some(row) => row.unsigned("n"),
        None => Ok(0),
    };
    let restored = Restored {
        accounts: count("SELECT COUNT(*) AS n FROM accounts").await?,
        keys: count("SELECT COUNT(*) AS n FROM keys").await?,
        recipes: count("SELECT COUNT(*) AS n FROM recipes").await?,
        photos,
        replaced: None,
    };
    store.return_space().await?;
    store.close().await;
    Ok(restored)
}

async fn take_images(store: &Store, images: &ImageFiles) -> Result<u64, Error> {
    if store.db.read_one(HAS_IMAGES, vec![]).await?.is_none() {
        return Ok(0);
    }
    let ids = store.db.read("SELECT id FROM backup_images", vec![]).await?;
    for row in &ids {
        let id = row.parsed("id", ImageId::parse)?;
        let sql = "SELECT content FROM backup_images WHERE id = $1";
        if let Some(row) = store.db.read_one(sql, vec![id.as_str().into()]).await? {
            images.put(&id, &row.opt_blob("content")?.unwrap_or_default()).await?;
        }
    }
    store.db.write("DROP TABLE backup_images", vec![]).await?;
    Ok(ids.len() as u64)
}

/// Gives the finished copy the name of the database. Returns the new name of the old one.
async fn replace(copy: PathBuf, to: &Path, is_there: bool) -> Result<Option<PathBuf>, RestoreError> {
    let what = format!("cannot replace the database {}", to.display());
    let to = to.to_owned();
    let replaced = files::on_disk(what, move || {
        let kept = is_there.then(|| beside(&to, ".replaced"));
        if let Some(kept) = &kept {
            remove(kept)?;
            fs::hard_link(&to, kept).or_else(|_| fs::copy(&to, kept).map(drop))?;
        }
        // A log of the old database would be applied to the new one.
        remove(&beside(&to, "-wal"))?;
        remove(&beside(&to, "-shm"))?;
        files::replace(&copy, &to)?;
        Ok(kept)
    });
    Ok(replaced.await?)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns a path with an ending added to its name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
