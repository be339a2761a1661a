//! One import under way: its report, its sink and how far it is.

use std::cell::Cell;
use std::rc::Rc;

use super::check;
use super::report::{ImportError, Progress, Report, Sink, Skip};
use crate::food::Food;

/// How many rows go by between two words about progress.
const ROWS_PER_UPDATE: u64 = 4096;

/// What every importer carries along.
pub(crate) struct Run<'a> {
    /// What was taken and what was left out.
    pub report: &'a mut Report,
    sink: &'a mut dyn Sink,
    read: Rc<Cell<u64>>,
    total: u64,
    rows: u64,
}

impl<'a> Run<'a> {
    /// An import that has read nothing; `read` counts the bytes, of which there are `total`.
    pub fn new(report: &'a mut Report, sink: &'a mut dyn Sink, read: Rc<Cell<u64>>, total: u64) -> Self {
        Self { report, sink, read, total, rows: 0 }
    }

    /// Counts a row that was read.
    pub fn row(&mut self) {
        self.rows += 1;
        if self.rows.is_multiple_of(ROWS_PER_UPDATE) {
            self.say();
        }
    }

    /// Says how far the import is.
    pub fn say(&mut self) {
        let bytes = self.read.get().min(self.total);
        self.sink.progress(Progress { bytes, total: self.total, rows: self.rows });
    }

    /// Counts a row that is left out.
    pub fn skip(&mut self, reason: Skip, place: impl FnOnce() -> String) {
        self.report.skip(reason, place);
    }

    /// Hands a food on if it passes the checks, else counts why not.
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
