//! `/docs`: how the API is used, for people and for the programs that help them. Made once, at start: the guide from
//! `docs/API.md`, the reference from the OpenAPI document. Anybody may read it.

pub mod examples;
mod fields;
mod guide;
mod highlight;
mod reference;
mod samples;

use std::sync::Arc;

use askama::Template;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use utoipa::openapi::OpenApi;

use super::assets::{Asset, DOCS_SCRIPT, DOCS_STYLE, TRY_SCRIPT};
use super::layout::{Layout, Section};
use super::page;
use super::visitor::Visitor;
use crate::app::App;
use crate::error::ApiError;
use guide::{Guide, Heading};
use reference::Group;

/// The address that samples are written with; pages show the service's own in its place.
const DEFAULT_BASE: &str = "http://127.0.0.1:8080";

/// The pages' content.
struct Docs {
    guide: Guide,
    groups: Vec<Group>,
}

#[derive(Template)]
#[template(path = "docs.html")]
struct GuidePage<'a> {
    layout: Layout,
    docs_style: Asset,
    docs_script: Asset,
    title: &'a str,
    contents: &'a [Heading],
    html: String,
}

#[derive(Template)]
#[template(path = "reference.html")]
struct ReferencePage<'a> {
    layout: Layout,
    docs_style: Asset,
    docs_script: Asset,
    try_script: Asset,
    base: &'a str,
    groups: &'a [Group],
}

impl ReferencePage<'_> {
    /// A description, with what stands in backticks as code.
    fn inline(text: &str) -> String {
        let piece = |(at, piece): (usize, &str)| {
            if at % 2 == 1 { format!("<code>{}</code>", escape(piece)) } else { escape(piece) }
        };
        text.split('`').enumerate().map(piece).collect()
    }

    /// Samples with the address that the reader knows.
    fn of_here(&self, html: &str) -> String {
        html.replace(DEFAULT_BASE, &escape(self.base))
    }
}

/// The addresses of the documentation.
pub fn routes(document: &OpenApi) -> Router<Arc<App>> {
    let docs = Docs { guide: Guide::new(guide::MARKDOWN), groups: reference::groups(document) };
    Router::new()
        .route("/docs", get(show_guide))
        .route("/docs/reference", get(show_reference))
        .route("/docs.md", get(markdown))
        .route("/llms.txt", get(for_language_models))
        .layer(Extension(Arc::new(docs)))
}

async fn show_guide(visitor: Visitor, Extension(docs): Extension<Arc<Docs>>) -> Result<Response, ApiError> {
    let shown = GuidePage {
        layout: visitor.layout(Section::Docs),
        docs_style: DOCS_STYLE,
        docs_script: DOCS_SCRIPT,
        title: &docs.guide.title,
        contents: &docs.guide.contents,
        html: docs.guide.html.replace(DEFAULT_BASE, &escape(&visitor.base.0)),
    };
    page(StatusCode::OK, &shown)
}

async fn show_reference(visitor: Visitor, Extension(docs): Extension<Arc<Docs>>) -> Result<Response, ApiError> {
    let shown = ReferencePage {
        layout: visitor.layout(Section::Docs),
        docs_style: DOCS_STYLE,
        docs_script: DOCS_SCRIPT,
        try_script: TRY_SCRIPT,
        base: &visitor.base.0,
        groups: &docs.groups,
    };
    page(StatusCode::OK, &shown)
}

/// The guide as it was written.
async fn markdown(visitor: Visitor) -> impl IntoResponse {
    let kind = [(header::CONTENT_TYPE, "text/markdown; charset=utf-8")];
    (kind, guide::MARKDOWN.replace(DEFAULT_BASE, &visitor.base.0))
}

/// What a language model needs to know before it reads more.
async fn for_language_models(visitor: Visitor) -> impl IntoResponse {
    let base = visitor.base.0;
    let text = format!(
        "# Morsel\n\n\
         > An HTTP API that turns what a person ate, in words or as a photo, into foods with calories, protein, carbs and \
         fat. It also searches a food database and keeps the account's own recipes.\n\n\
         Every request goes to {base} and needs the header `Authorization: Bearer svc_live_…` (or `svc_test_…`). Bodies \
         and answers are JSON. A first request:\n\n\
         ```sh\n\
         curl {base}/v1/estimate/sync -H \"Authorization: Bearer $KEY\" \\\n  \
         -d '{{\"messages\":[{{\"role\":\"user\",\"content\":\"two eggs and a slice of toast\"}}]}}'\n\
         ```\n\n\
         ## Docs\n\n\
         - [Guide]({base}/docs.md): first request, streaming, photos, recipes, errors, limits, keys; Markdown\n\
         - [OpenAPI document]({base}/openapi.json): every endpoint with its fields; JSON\n\
         - [Reference]({base}/docs/reference): the same for people, with a box to try requests; HTML\n"
    );
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text)
}

/// A text as HTML shows it.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}
