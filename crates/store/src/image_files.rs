//! The bytes of images.

use std::io::ErrorKind;
use std::path::PathBuf;

use crate::error::Error;
use crate::files::{create_folder, on_disk, write_private_file};
use crate::id::ImageId;

/// Storage for the bytes of images.
#[derive(Debug, Clone)]
pub enum ImageFiles {
    /// A folder: `ab/img_ab…`, spread over subfolders so that none grows without bound.
    Disk(PathBuf),
}

impl ImageFiles {
    /// Stores the bytes; when this returns they survive a crash.
    pub async fn put(&self, id: &ImageId, bytes: &[u8]) -> Result<(), Error> {
        let path = self.path(id);
        let bytes = bytes.to_vec();
        on_disk("cannot write an image", move || {
            create_folder(path.parent().unwrap_or(&path))?;
            write_private_file(&path, &bytes)
        })
        .await
    }

    /// Returns the bytes, if they exist.
    pub async fn get(&self, id: &ImageId) -> Result<Option<Vec<u8>>, Error> {
        let path = self.path(id);
        on_disk("cannot read an image", move || match std::fs::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        })
        .await
    }

    /// Deletes the bytes. It is not an error if they are gone: after a crash the row may be left.
    pub async fn delete(&self, id: &ImageId) -> Result<(), Error> {
        let path = self.path(id);
        on_disk("cannot remove an image", move || match std::fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        })
        .await
    }

    fn path(&self, id: &ImageId) -> PathBuf {
        let Self::Disk(folder) = self;
        // The first two random characters; an id always has them.
        folder.join(&id.as_str()[4..6]).join(id.as_str())
    }
}
