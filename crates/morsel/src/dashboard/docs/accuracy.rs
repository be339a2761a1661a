//! How accurate estimates are and how that was measured: `docs/ACCURACY.md` of the repository, rendered as HTML once, at start.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::http::StatusCode;
use axum::response::Response;

use super::guide::Guide;
use crate::dashboard::assets::{Asset, DOCS_STYLE};
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::visitor::Visitor;
use crate::error::ApiError;

const MARKDOWN: &str = include_str!("../../../../../docs/ACCURACY.md");

/// The rendered page.
pub(crate) struct Accuracy(Guide);

impl Default for Accuracy {
    fn default() -> Self {
        Self(Guide::new(&without_paths(MARKDOWN)))
    }
}

#[derive(Template)]
#[template(path = "docs/accuracy.html")]
struct AccuracyPage<'a> {
    layout: Layout,
    style: Asset,
    html: &'a str,
}

pub(crate) async fn show(user: Visitor, Extension(accuracy): Extension<Arc<Accuracy>>) -> Result<Response, ApiError> {
    let layout = user.layout(Section::Docs);
    page(StatusCode::OK, &AccuracyPage { layout, style: DOCS_STYLE, html: &accuracy.0.html })
}

/// Replaces links to files of the repository, which the service does not have, by their text.
fn without_paths(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut rest = markdown;
    while let Some(at) = rest.find("](") {
        let (before, link) = rest.split_at(at);
        let end = link.find(')').map_or(link.len(), |end| end + 1);
        let is_path = !link.starts_with("](http") && !link.starts_with("](#");
        if let Some(open) = before.rfind('[').filter(|_| is_path) {
            out.push_str(&before[..open]);
            out.push_str(&before[open + 1..]);
        } else {
            out.push_str(before);
            out.push_str(&link[..end]);
        }
        rest = &link[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_files_become_text() {
        let text = "See [bench](../bench/README.md), [here](#results) and [there](https://x.test/).";
        assert_eq!(without_paths(text), "See bench, [here](#results) and [there](https://x.test/).");
    }
}
