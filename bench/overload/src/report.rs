//! The results as tables and as JSON.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use crate::fairness::Beside;
use crate::levels::{Level, Recovery};
use crate::plot;

/// Everything that was measured.
#[derive(Serialize)]
pub struct Results {
    pub server_cores: usize,
    pub load_has_own_core: bool,
    pub seconds: f64,
    /// Texts per second that the server answers at full speed.
    pub capacity: f64,
    pub levels: Vec<Level>,
    pub recovery: Option<Recovery>,
    pub texts: Option<Beside>,
    pub photos: Option<Beside>,
    pub readers: Option<Beside>,
}

impl Results {
    /// Writes tables, a picture and all figures.
    pub fn write(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder)?;
        let tables = self.tables();
        fs::write(folder.join("results.md"), &tables)?;
        fs::write(folder.join("results.json"), serde_json::to_string_pretty(self)? + "\n")?;
        fs::write(folder.join("overload.svg"), plot::svg(self))?;
        print!("{tables}");
        Ok(())
    }

    fn tables(&self) -> String {
        let mut out = format!(
            "# Results\n\nServer on {} core(s), {}; {} s per measurement. Capacity: {:.0} texts per second, \
             each one different.\n\n![Overload](overload.svg)\n\n## More and more texts, of twenty accounts\n\n\
             | Offered | Answered per second | Share of the peak | By processor time | Refused | p50 | p99 | Server busy | Sent late, p99 | Peak memory |\n\
             |---|---|---|---|---|---|---|---|---|---|\n",
            self.server_cores,
            if self.load_has_own_core { "load on another core" } else { "shared with the load" },
            self.seconds,
            self.capacity
        );
        let highest = |of: fn(&Level) -> f64| self.levels.iter().map(of).fold(f64::MIN_POSITIVE, f64::max);
        let (peak, best) = (highest(|level| level.figures.answered_per_second), highest(answered_per_core));
        for level in &self.levels {
            let Level { times_capacity, figures, server_cores_used, peak_memory_mb } = level;
            // Writing to a string does not fail.
            let _ = writeln!(
                out,
                "| {times_capacity} × ({:.0}/s) | {:.0} | {:.0} % | {:.0} % | {:.0} % | {:.1} ms | {:.0} ms | {:.0} % | {:.1} ms | {peak_memory_mb:.0} MB |",
                figures.offered_per_second,
                figures.answered_per_second,
                figures.answered_per_second / peak * 100.0,
                answered_per_core(level) / best * 100.0,
                figures.refused_share * 100.0,
                figures.p50_ms,
                figures.p99_ms,
                server_cores_used * 100.0,
                figures.sent_late_p99_ms,
            );
        }
        if let Some(Recovery { until_normal_ms, slowest_of_twenty_ms }) = self.recovery {
            let _ = writeln!(
                out,
                "\nAfter five times the capacity, texts are answered as usual within {until_normal_ms:.0} ms; the slowest of \
                 the first twenty takes {slowest_of_twenty_ms:.0} ms."
            );
        }
        let _ = writeln!(
            out,
            "\n## What others notice\n\n\
             | Others send | Next to | p50 alone | p50 together | p99 alone | p99 together | Refused | Peak memory |\n\
             |---|---|---|---|---|---|---|---|"
        );
        for (others, next_to, beside) in [
            ("texts, 0.2 ×", "an account that sends 3 ×", &self.texts),
            ("photos, 0.2 ×", "an account with 16 photos at once", &self.photos),
            ("texts, 0.2 ×", "5,000 clients that hardly read their streams", &self.readers),
        ] {
            let Some(Beside { alone, together, peak_memory_mb, .. }) = beside else { continue };
            let _ = writeln!(
                out,
                "| {others} | {next_to} | {:.1} ms | {:.1} ms | {:.0} ms | {:.0} ms | {:.1} % | {peak_memory_mb:.0} MB |",
                alone.p50_ms,
                together.p50_ms,
                alone.p99_ms,
                together.p99_ms,
                together.refused_share * 100.0,
            );
        }
        out
    }
}

/// Returns how many texts are answered in a second of processor time of the server, refusals included in the time.
fn answered_per_core(level: &Level) -> f64 {
    level.figures.answered_per_second / level.server_cores_used.max(f64::MIN_POSITIVE)
}
