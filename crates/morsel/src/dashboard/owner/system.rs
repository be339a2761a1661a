//! What the operating system says about the program: memory and disk.

use std::fs;
use std::path::Path;

/// Bytes of memory that the program has in use; `None` where the system does not say.
pub(super) fn memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1_024)
}

/// Bytes that are free on the disk of a folder, and its size.
#[cfg(target_os = "linux")]
pub(super) fn disk(folder: &Path) -> Option<(u64, u64)> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some((disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize))
}

/// Other systems do not say.
#[cfg(not(target_os = "linux"))]
pub(super) fn disk(_: &Path) -> Option<(u64, u64)> {
    None
}
