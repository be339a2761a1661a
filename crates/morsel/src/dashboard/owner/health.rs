//! The state of the service.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use store::Plan;
use store::figures::Figures;

use crate::app::App;
use crate::config::Signup;
use crate::dashboard::filters;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::visitor::Owner;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "owner/health.html")]
struct HealthPage {
    layout: Layout,
    version: &'static str,
    engine: String,
    uptime: String,
    figures: Figures,
    queues: [(&'static str, usize); 2],
    is_open: bool,
    foods: usize,
    layers: Vec<CatalogLayerRow>,
    plans: [(&'static str, u32); 4],
    /// Why imported foods are missing.
    catalog_problem: Option<String>,
}

struct CatalogLayerRow {
    name: &'static str,
    foods: u32,
    sources: Vec<CatalogSourceRow>,
}

struct CatalogSourceRow {
    name: String,
    publisher: String,
    foods: u64,
}

pub(crate) async fn show(State(app): State<Arc<App>>, Owner(user): Owner) -> Result<Response, ApiError> {
    let snapshot = app.engine.snapshot();
    let figures = app.store.figures().await?;
    let layer = |(n, layer): (usize, &foods::catalog::Layer)| CatalogLayerRow {
        name: if n == 0 { "Built in" } else { "Imported" },
        foods: layer.len(),
        sources: layer.manifest().sources.iter().map(CatalogSourceRow::from).collect(),
    };
    let health = HealthPage {
        layout: user.layout(Section::Owner),
        version: env!("CARGO_PKG_VERSION"),
        engine: snapshot.version.to_string(),
        uptime: duration(app.started.elapsed()),
        figures,
        queues: [("Estimates", app.texts.jobs()), ("Photo analyses", app.photos.jobs())],
        is_open: app.config.signup == Signup::Open,
        foods: snapshot.catalog.len(),
        layers: snapshot.catalog.layers().iter().enumerate().map(layer).collect(),
        plans: Plan::ALL.map(|plan| (plan.name(), app.config.limits.of(plan))),
        catalog_problem: app.engine.problem(),
    };
    page(StatusCode::OK, &health)
}

impl From<&foods::catalog::ManifestSource> for CatalogSourceRow {
    fn from(source: &foods::catalog::ManifestSource) -> Self {
        Self { name: source.name.clone(), publisher: source.publisher.clone(), foods: source.foods }
    }
}

/// Formats a duration: "3 d 4 h", "12 min".
fn duration(time: Duration) -> String {
    let minutes = time.as_secs() / 60;
    match minutes {
        0 => format!("{} s", time.as_secs()),
        1..60 => format!("{minutes} min"),
        60..1_440 => format!("{} h {} min", minutes / 60, minutes % 60),
        _ => format!("{} d {} h", minutes / 1_440, minutes % 1_440 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units_at_most() {
        let times = [5, 90, 3_700, 100_000].map(|seconds| duration(Duration::from_secs(seconds)));
        assert_eq!(times, ["5 s", "1 min", "1 h 1 min", "1 d 3 h"]);
    }
}
