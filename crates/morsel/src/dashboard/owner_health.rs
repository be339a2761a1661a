//! How the service is: for whoever runs it.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use store::Plan;
use store::figures::Figures;

use super::layout::{Layout, Section};
use super::visitor::Owner;
use super::{filters, page};
use crate::app::App;
use crate::config::Signup;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "owner_health.html")]
struct Health {
    layout: Layout,
    version: &'static str,
    engine: String,
    uptime: String,
    figures: Figures,
    database_size: String,
    image_size: String,
    queues: [(&'static str, usize); 2],
    is_open: bool,
    foods: usize,
    layers: Vec<LayerLine>,
    plans: [(&'static str, u32); 4],
}

struct LayerLine {
    name: &'static str,
    foods: u32,
    sources: Vec<SourceLine>,
}

struct SourceLine {
    name: String,
    publisher: String,
    foods: u64,
}

pub(super) async fn show(State(app): State<Arc<App>>, Owner(me): Owner) -> Result<Response, ApiError> {
    let menu = app.kitchen.menu();
    let figures = app.store.figures().await?;
    let layer = |(n, layer): (usize, &foods::catalog::Layer)| LayerLine {
        name: if n == 0 { "Part of the program" } else { "Imported" },
        foods: layer.len(),
        sources: layer.manifest().sources.iter().map(SourceLine::from).collect(),
    };
    let health = Health {
        layout: me.layout(Section::Owner),
        version: env!("CARGO_PKG_VERSION"),
        engine: menu.version.to_string(),
        uptime: duration(app.started.elapsed()),
        database_size: size(figures.bytes),
        image_size: size(figures.image_bytes),
        figures,
        queues: [("Texts", app.thinking.under_way()), ("Photos", app.looking.under_way())],
        is_open: app.config.signup == Signup::Open,
        foods: menu.catalog.len(),
        layers: menu.catalog.layers().iter().enumerate().map(layer).collect(),
        plans: Plan::ALL.map(|plan| (plan.name(), app.config.limits.of(plan))),
    };
    page(StatusCode::OK, &health)
}

impl From<&foods::catalog::ManifestSource> for SourceLine {
    fn from(source: &foods::catalog::ManifestSource) -> Self {
        Self { name: source.name.clone(), publisher: source.publisher.clone(), foods: source.foods }
    }
}

/// "3 d 4 h", "12 min".
fn duration(time: Duration) -> String {
    let minutes = time.as_secs() / 60;
    match minutes {
        0 => format!("{} s", time.as_secs()),
        1..60 => format!("{minutes} min"),
        60..1_440 => format!("{} h {} min", minutes / 60, minutes % 60),
        _ => format!("{} d {} h", minutes / 1_440, minutes % 1_440 / 60),
    }
}

/// "1.5 MB".
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_read_well() {
        let times = [5, 90, 3_700, 100_000].map(|seconds| duration(Duration::from_secs(seconds)));
        assert_eq!(times, ["5 s", "1 min", "1 h 1 min", "1 d 3 h"]);
        assert_eq!([999, 1_500, 2_000_000, 3_000_000_000].map(size), ["999 B", "1.5 kB", "2.0 MB", "3.0 GB"]);
    }
}
