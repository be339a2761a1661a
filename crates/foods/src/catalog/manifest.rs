//! What a catalog was built from: publishers, files, checksums.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What a catalog was built from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The inputs, in the order they were read.
    pub sources: Vec<ManifestSource>,
}

/// One input of a catalog.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ManifestSource {
    /// The name: "USDA FNDDS 2021-2023".
    pub name: String,
    /// The publisher.
    pub publisher: String,
    /// The number of foods taken from it.
    pub foods: u64,
    /// Its files, with their checksums.
    pub files: Vec<ManifestFile>,
}

/// One input file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// Its name, without its folder.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}

impl ManifestFile {
    /// Describes a file, or each file directly in a folder, by name.
    pub fn describe(path: &Path) -> io::Result<Vec<Self>> {
        if !path.is_dir() {
            return Ok(vec![Self::of(path)?]);
        }
        let entries: Vec<_> = std::fs::read_dir(path)?.collect::<io::Result<_>>()?;
        let mut files: Vec<_> = entries.iter().map(std::fs::DirEntry::path).filter(|path| path.is_file()).collect();
        files.sort();
        files.iter().map(|file| Self::of(file)).collect()
    }

    fn of(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 1 << 20];
        let mut bytes = 0;
        loop {
            let read = file.read(&mut buffer)?;
            if read == 0 {
                break;
            }
            hasher.update(&buffer[..read]);
            bytes += read as u64;
        }
        let sha256 = hasher.finalize().iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, bytes, sha256 })
    }
}
