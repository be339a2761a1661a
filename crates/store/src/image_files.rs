//! Where the bytes of images are.

use std::io::ErrorKind;
use std::path::PathBuf;

use crate::files::{create_folder, on_disk, write_private_file};
use crate::{Error, ImageId};

/// A place for the bytes of images.
#[derive(Debug, Clone)]
pub enum ImageFiles {
    /// A folder: `ab/img_ab…`, spread over subfolders so that none grows without end.
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

    /// The bytes, if they are there.
    pub async fn get(&self, id: &ImageId) -> Result<Option<Vec<u8>>, Error> {
        let path = self.path(id);
        on_disk("cannot read an image", move || match std::fs::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        })
        .await
    }

    /// Removes the bytes. That they were gone already is no error: the row may be left after a crash.
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
