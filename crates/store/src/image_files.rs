//! The bytes of images.

use std::fs::DirEntry;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bytes::Bytes;
use jiff::Timestamp;

use crate::base62;
use crate::bucket::Bucket;
use crate::error::Error;
use crate::files::{create_folder, on_disk, write_private_file};
use crate::id::ImageId;

/// Storage for the bytes of images.
#[derive(Debug, Clone)]
pub enum ImageFiles {
    /// A folder: `ab/img_ab…`, spread over subfolders so that none grows without bound.
    Disk(PathBuf),
    /// A bucket that several servers share: `images/ab/img_ab…`.
    Bucket(Bucket),
}

/// The folder of images in a bucket.
const BUCKET_FOLDER: &str = "images";
/// How long the images of a bucket that begin with one character are looked at, in seconds; then come those with the next one.
/// So a bucket of millions is not listed as a whole, and by each server.
const TURN_SECONDS: i64 = 600;

impl ImageFiles {
    /// Stores the bytes; when this returns they survive a crash.
    pub async fn put(&self, id: &ImageId, bytes: &[u8]) -> Result<(), Error> {
        let path = match self {
            Self::Disk(folder) => path(folder, id),
            Self::Bucket(bucket) => return bucket.put(&key(id), Bytes::copy_from_slice(bytes)).await,
        };
        let bytes = bytes.to_vec();
        on_disk("cannot write an image", move || {
            create_folder(path.parent().unwrap_or(&path))?;
            write_private_file(&path, &bytes)
        })
        .await
    }

    /// Returns the bytes, if they exist.
    pub async fn get(&self, id: &ImageId) -> Result<Option<Vec<u8>>, Error> {
        let path = match self {
            Self::Disk(folder) => path(folder, id),
            Self::Bucket(bucket) => return Ok(bucket.get(&key(id)).await?.map(Vec::from)),
        };
        on_disk("cannot read an image", move || match std::fs::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        })
        .await
    }

    /// Deletes the bytes. It is not an error if they are gone: after a crash the row may be left.
    pub async fn delete(&self, id: &ImageId) -> Result<(), Error> {
        let path = match self {
            Self::Disk(folder) => path(folder, id),
            Self::Bucket(bucket) => return bucket.delete(&key(id)).await,
        };
        on_disk("cannot remove an image", move || match std::fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        })
        .await
    }

    /// Returns the images whose files are older than a moment, and removes temporary files of that age, which a killed
    /// program left. Files that are neither are not ours and stay. In a bucket, looks at one of 62 parts, another one every ten
    /// minutes.
    pub(crate) async fn older_than(&self, moment: Timestamp) -> Result<Vec<ImageId>, Error> {
        let folder = match self {
            Self::Disk(folder) => folder.clone(),
            Self::Bucket(bucket) => return older_in_bucket(bucket, moment).await,
        };
        on_disk("cannot list the images", move || {
            let mut found = Vec::new();
            for subfolder in entries(&folder)? {
                if !subfolder.file_type()?.is_dir() {
                    continue;
                }
                for file in entries(&subfolder.path())? {
                    look_at(&file, SystemTime::from(moment), &mut found)?;
                }
            }
            Ok(found)
        })
        .await
    }
}

/// Returns the file of an image. The first two random characters name its folder; an id always has them.
fn path(folder: &Path, id: &ImageId) -> PathBuf {
    folder.join(&id.as_str()[4..6]).join(id.as_str())
}

fn key(id: &ImageId) -> String {
    [BUCKET_FOLDER, "/", &id.as_str()[4..6], "/", id.as_str()].concat()
}

/// Returns the images of a bucket whose turn it is and that are older than a moment.
async fn older_in_bucket(bucket: &Bucket, moment: Timestamp) -> Result<Vec<ImageId>, Error> {
    let turn = moment.as_second().div_euclid(TURN_SECONDS).rem_euclid(i64::from(base62::BASE));
    let from = base62::number(u32::try_from(turn).unwrap_or(0), 1);
    // Nothing of a key lies between a character and the one after it in ASCII.
    let to = from.chars().next().and_then(|first| char::from_u32(first as u32 + 1)).unwrap_or('~');
    let range = (&*format!("{BUCKET_FOLDER}/{from}"), &*format!("{BUCKET_FOLDER}/{to}"));
    let keys = bucket.older_than(BUCKET_FOLDER, range, moment).await?;
    Ok(keys.iter().filter_map(|key| ImageId::parse(key.rsplit('/').next()?)).collect())
}

/// Notes the image of a file, or removes a temporary file, if it is old enough.
fn look_at(file: &DirEntry, moment: SystemTime, found: &mut Vec<ImageId>) -> io::Result<()> {
    let name = file.file_name();
    let Some(name) = name.to_str().filter(|name| name.starts_with("img_")) else { return Ok(()) };
    let is_old = match file.metadata() {
        Ok(metadata) => metadata.is_file() && metadata.modified()? < moment,
        // It was removed meanwhile.
        Err(error) if error.kind() == ErrorKind::NotFound => false,
        Err(error) => return Err(error),
    };
    if !is_old {
        return Ok(());
    }
    if let Some(id) = ImageId::parse(name) {
        found.push(id);
    } else if Path::new(name).extension().is_some_and(|extension| extension == "tmp") {
        match std::fs::remove_file(file.path()) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Returns what a folder contains; nothing if it does not exist.
fn entries(folder: &Path) -> io::Result<Vec<DirEntry>> {
    match std::fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
