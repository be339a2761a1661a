//! Uploaded images: the rows. The bytes are in [`ImageFiles`].
//!
//! The row is written after the file and deleted after it: a crash leaves at worst a row without a file (treated as not
//! found, deleted when it expires), or a file that was never acknowledged.
//!
//! Servers that share a database and no bucket have files of their own: a row may be deleted on another server than the one
//! that has the file. So every server also removes files without a row ([`Images::remove_strays`]).

use std::collections::HashSet;

use jiff::Timestamp;

use crate::db::{Db, Row, Value, whole_micros};
use crate::error::Error;
use crate::id::{AccountId, ImageId};
use crate::image_files::ImageFiles;
use crate::store::Store;

/// Files that one query looks up.
const STRAYS_PER_QUERY: usize = 16;
const WHICH_EXIST: &str = "SELECT id FROM images
    WHERE id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)";

/// What is stored about an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// The id, `img_…`.
    pub id: ImageId,
    /// The account it belongs to.
    pub account_id: AccountId,
    /// The media type of the stored bytes.
    pub media_type: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The size of the file.
    pub bytes: u64,
    /// When it was uploaded.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// The images of a store.
#[derive(Debug, Clone, Copy)]
pub struct Images<'a> {
    db: &'a Db,
}

impl Store {
    /// Returns the images.
    pub fn images(&self) -> Images<'_> {
        Images { db: &self.db }
    }
}

impl Images<'_> {
    /// Records an image whose file has been written, unless the account was deleted meanwhile. Times are stored in whole microseconds.
    pub async fn insert(self, image: &Image) -> Result<(), Error> {
        let sql = "INSERT INTO images (id, account_id, media_type, width, height, bytes, created_at, expires_at)
                   SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE EXISTS (SELECT 1 FROM accounts WHERE id = $2)";
        let values = vec![
            image.id.as_str().into(),
            image.account_id.as_str().into(),
            image.media_type.as_str().into(),
            i64::from(image.width).into(),
            i64::from(image.height).into(),
            image.bytes.into(),
            whole_micros(image.created_at).into(),
            whole_micros(image.expires_at).into(),
        ];
        match self.db.write(sql, values).await? {
            0 => Err(Error::AccountGone),
            _ => Ok(()),
        }
    }

    /// Returns the image with this id, of any account, even if it has expired and is not yet removed.
    pub async fn by_id(self, id: &ImageId) -> Result<Option<Image>, Error> {
        let sql = "SELECT images.id, account_id, media_type, width, height, bytes, images.created_at, expires_at
                   FROM images JOIN accounts ON accounts.id = account_id WHERE images.id = $1";
        self.db.read_one(sql, vec![id.as_str().into()]).await?.map(|row| image(&row)).transpose()
    }

    /// Returns the images of an account, the newest first, including expired ones that are not yet removed.
    pub async fn list(self, account: &AccountId) -> Result<Vec<Image>, Error> {
        let sql = "SELECT id, account_id, media_type, width, height, bytes, created_at, expires_at
                   FROM images WHERE account_id = $1 ORDER BY created_at DESC, id";
        self.db.read(sql, vec![account.as_str().into()]).await?.iter().map(image).collect()
    }

    /// Deletes the row of an image; returns `false` if the account has none with this id.
    pub async fn delete(self, account: &AccountId, id: &ImageId) -> Result<bool, Error> {
        let sql = "DELETE FROM images WHERE id = $1 AND account_id = $2";
        Ok(self.db.write(sql, vec![id.as_str().into(), account.as_str().into()]).await? == 1)
    }

    /// Returns at most `max` images that have expired or whose account was deleted. Remove the file, then the row.
    pub async fn expired(self, now: Timestamp, max: u32) -> Result<Vec<Image>, Error> {
        let sql = "SELECT id, account_id, media_type, width, height, bytes, created_at, expires_at
                   FROM images WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2";
        self.db.read(sql, vec![now.into(), i64::from(max).into()]).await?.iter().map(image).collect()
    }

    /// Removes files older than a moment that no row belongs to; returns how many. The row of an upload is written a moment
    /// after its file, so files must have some age before they are strays.
    pub async fn remove_strays(self, files: &ImageFiles, older_than: Timestamp) -> Result<u64, Error> {
        let mut removed = 0;
        for batch in files.older_than(older_than).await?.chunks(STRAYS_PER_QUERY) {
            // Every query has the same number of parameters; the last is filled up.
            let ids = batch.iter().map(ImageId::as_str).chain(std::iter::repeat("")).take(STRAYS_PER_QUERY);
            let rows = self.db.read(WHICH_EXIST, ids.map(Value::from).collect()).await?;
            let existing =
                rows.iter().map(|row| row.parsed("id", ImageId::parse)).collect::<Result<HashSet<_>, _>>()?;
            for stray in batch.iter().filter(|id| !existing.contains(id)) {
                files.delete(stray).await?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// Sums the size of all images of an account, including expired ones that are not yet removed.
    pub async fn bytes_of(self, account: &AccountId) -> Result<u64, Error> {
        let sql = "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) AS bytes FROM images WHERE account_id = $1";
        let row = self.db.read_one(sql, vec![account.as_str().into()]).await?;
        row.map_or(Ok(0), |row| row.unsigned("bytes"))
    }
}

fn image(row: &Row) -> Result<Image, Error> {
    let pixels = |column| u32::try_from(row.int(column)?).map_err(|_| Error::Corrupt(format!("an image's {column}")));
    Ok(Image {
        id: row.parsed("id", ImageId::parse)?,
        account_id: row.account_id("account_id")?,
        media_type: row.text("media_type")?,
        width: pixels("width")?,
        height: pixels("height")?,
        bytes: row.unsigned("bytes")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
    })
}
