//! The memory of processes and the load of the machine, from the kernel.

use std::fs;

/// Returns the resident bytes of this process.
pub fn of_self() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    kilobytes(&status, "VmRSS:") * 1024
}

/// Returns the bytes of a process and its children, with shared pages counted once (proportional set size).
pub fn of_family(parent: u32) -> u64 {
    let mut family = vec![parent];
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let status = fs::read_to_string(entry.path().join("status")).unwrap_or_default();
        if kilobytes(&status, "PPid:") == u64::from(parent) {
            family.push(pid);
        }
    }
    let share = |pid: &u32| fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    family.iter().map(|pid| kilobytes(&share(pid), "Pss:") * 1024).sum()
}

/// Returns the load average of the last minute, and the number of cores.
pub fn load() -> (f64, usize) {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = text.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or(0.0);
    (load, std::thread::available_parallelism().map_or(1, Into::into))
}

/// Returns the number on the line that starts with a label.
fn kilobytes(text: &str, label: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(label));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
