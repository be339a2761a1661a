//! Usage statistics: as a page with a chart, and as a file.

pub(super) mod csv;
pub(super) mod page;
mod log_figures;
pub(super) mod chart;
pub(super) mod filter;
mod key_figures;
pub(super) mod request_counts;
mod sparkline;
pub(super) mod this_minute;
