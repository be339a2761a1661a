//! Cores of their own for the server and for the load, so that neither takes processor time from the other.

use std::io::Result;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The cores of the machine that this process may use.
#[derive(Debug)]
pub struct Cores {
    server: CpuSet,
    load: CpuSet,
    /// Number of cores of the server.
    pub of_server: usize,
    /// Whether the load has a core of its own.
    pub are_apart: bool,
}

impl Cores {
    /// Gives the last core to the load and the others to the server. A single core is shared.
    pub fn split() -> Result<Self> {
        let all = sched_getaffinity(None)?;
        let mut cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|core| all.is_set(*core)).collect();
        let set = |cores: &[usize]| {
            let mut set = CpuSet::new();
            for core in cores {
                set.set(*core);
            }
            set
        };
        let load = if cores.len() > 1 { cores.split_off(cores.len() - 1) } else { cores.clone() };
        let are_apart = load != cores;
        Ok(Self { server: set(&cores), load: set(&load), of_server: cores.len(), are_apart })
    }

    /// Moves this process to the cores of the server: programs that it starts from now on stay there.
    pub fn use_servers(&self) -> Result<()> {
        Ok(sched_setaffinity(None, &self.server)?)
    }

    /// Moves this process to the cores of the load.
    pub fn use_loads(&self) -> Result<()> {
        Ok(sched_setaffinity(None, &self.load)?)
    }
}
