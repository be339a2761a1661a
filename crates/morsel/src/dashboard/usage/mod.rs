//! Usage statistics: as a page with a chart, and as a file.

pub(super) mod csv;
pub(super) mod page;
pub(super) mod chart;
pub(super) mod filter;
pub(super) mod request_counts;
