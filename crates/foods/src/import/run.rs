//! An import in progress: its report, its sink and its progress.

use std::cell::Cell;
use std::rc::Rc;

use super::check;
use super::report::{ImportError, Progress, Report, Sink, Skip};
use crate::food::Food;

/// The number of rows between two reports of progress.
const ROWS_PER_UPDATE: u64 = 4096;

/// The state of an import.
pub(crate) struct Run<'a> {
    /// What was imported and what was skipped.
    pub report: &'a mut Report,
    sink: &'a mut dyn Sink,
    read: Rc<Cell<u64>>,
    total: u64,
    rows: u64,
}

impl<'a> Run<'a> {
    /// Starts an import; `read` counts the bytes, of which there are `total`.
    pub fn new(report: &'a mut Report, sink: &'a mut dyn Sink, read: Rc<Cell<u64>>, total: u64) -> Self {
        Self { report, sink, read, total, rows: 0 }
    }

    /// Counts a row that was read.
    pub fn row(&mut self) {
        self.rows += 1;
        if self.rows.is_multiple_of(ROWS_PER_UPDATE) {
            self.report_progress();
        }
    }

    /// Reports progress.
    pub fn report_progress(&mut self) {
        let bytes = self.read.get().min(self.total);
        self.sink.progress(Progress { bytes, total: self.total, rows: self.rows });
    }

    /// Counts a row that is skipped.
    pub fn skip(&mut self, reason: Skip, place: impl FnOnce() -> String) {
        self.report.skip(reason, place);
    }

    /// Passes a food on if it passes the checks, otherwise counts why not.
    pub fn offer(&mut self, mut food: Food, place: impl FnOnce() -> String) -> Result<(), ImportError> {
        match check::food(&mut food) {
            Ok(()) => {
                self.report.foods += 1;
                self.sink.food(food).map_err(ImportError::Sink)
            }
            Err(reason) => {
                self.skip(reason, place);
                Ok(())
            }
        }
    }
}
