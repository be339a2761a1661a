//! Uploaded images: the rows. The bytes are in [`ImageFiles`](crate::image_files::ImageFiles).
//!
//! The row is written after the file and deleted after it: a crash leaves at worst a row without a file (treated as not
//! found, deleted when it expires), or a file that was never acknowledged.

use jiff::Timestamp;

use crate::db::{Db, Row, whole_micros};
use crate::error::Error;
use crate::id::{AccountId, ImageId};
use crate::store::Store;

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
    /// Records an image whose file has been written. Times are stored in whole microseconds.
    pub async fn insert(self, image: &Image) -> Result<(), Error> {
        let sql = "INSERT INTO images (id, account_id, media_type, width, height, bytes, created_at, expires_at)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
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
        self.db.write(sql, values).await.map(drop)
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
