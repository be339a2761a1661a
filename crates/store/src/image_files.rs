//! The bytes of images.

use std::fs::DirEntry;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;

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

    /// Returns the images whose files are older than a moment, and removes temporary files of that age, which a killed
    /// program left. Files that are neither are not ours and stay.
    pub(crate) async fn older_than(&self, moment: Timestamp) -> Result<Vec<ImageId>, Error> {
        let Self::Disk(folder) = self;
        let folder = folder.clone();
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

    fn path(&self, id: &ImageId) -> PathBuf {
        let Self::Disk(folder) = self;
        // The first two random characters; an id always has them.
        folder.join(&id.as_str()[4..6]).join(id.as_str())
    }
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
