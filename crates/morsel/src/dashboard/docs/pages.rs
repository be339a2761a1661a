//! The pages and files of the documentation.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::guide::{self, Guide, Heading};
use super::html::escape;
use super::reference::{self, EndpointGroup};
use super::samples::DEFAULT_BASE;
use crate::dashboard::assets::{Asset, DOCS_SCRIPT, DOCS_STYLE, TRY_SCRIPT};
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::visitor::Visitor;
use crate::error::ApiError;

/// The rendered documentation.
pub(crate) struct Docs {
    guide: Guide,
    groups: Vec<EndpointGroup>,
}

impl Docs {
    /// Renders the guide, and the reference from the OpenAPI document.
    pub fn new(document: &Value) -> Self {
        Self { guide: Guide::new(guide::MARKDOWN), groups: reference::groups(document) }
    }
}

#[derive(Template)]
#[template(path = "docs/guide.html")]
struct GuidePage<'a> {
    layout: Layout,
    docs_style: Asset,
    docs_script: Asset,
    title: &'a str,
    contents: &'a [Heading],
    html: String,
}

#[derive(Template)]
#[template(path = "docs/reference.html")]
struct ReferencePage<'a> {
    layout: Layout,
    docs_style: Asset,
    docs_script: Asset,
    try_script: Asset,
    base: &'a str,
    groups: &'a [EndpointGroup],
}

impl ReferencePage<'_> {
    /// Renders a description: text in backticks becomes code.
    fn inline(text: &str) -> String {
        let piece = |(at, piece): (usize, &str)| {
            if at % 2 == 1 { format!("<code>{}</code>", escape(piece)) } else { escape(piece) }
        };
        text.split('`').enumerate().map(piece).collect()
    }

    /// Puts the service's own URL into samples.
    fn with_base(&self, html: &str) -> String {
        html.replace(DEFAULT_BASE, &escape(self.base))
    }
}

pub(crate) async fn show_guide(user: Visitor, Extension(docs): Extension<Arc<Docs>>) -> Result<Response, ApiError> {
    let shown = GuidePage {
        layout: user.layout(Section::Docs),
        docs_style: DOCS_STYLE,
        docs_script: DOCS_SCRIPT,
        title: &docs.guide.title,
        contents: &docs.guide.contents,
        html: docs.guide.html.replace(DEFAULT_BASE, &escape(&user.base.0)),
    };
    page(StatusCode::OK, &shown)
}

pub(crate) async fn show_reference(user: Visitor, Extension(docs): Extension<Arc<Docs>>) -> Result<Response, ApiError> {
    let shown = ReferencePage {
        layout: user.layout(Section::Docs),
        docs_style: DOCS_STYLE,
        docs_script: DOCS_SCRIPT,
        try_script: TRY_SCRIPT,
        base: &user.base.0,
        groups: &docs.groups,
    };
    page(StatusCode::OK, &shown)
}

/// Returns the guide as Markdown.
pub(crate) async fn markdown(user: Visitor) -> impl IntoResponse {
    let kind = [(header::CONTENT_TYPE, "text/markdown; charset=utf-8")];
    (kind, guide::MARKDOWN.replace(DEFAULT_BASE, &user.base.0))
}

/// Returns an introduction for language models.
pub(crate) async fn for_language_models(user: Visitor) -> impl IntoResponse {
    let base = user.base.0;
    let text = format!(
        "# Morsel\n\n\
         > An HTTP API that turns a meal, described in words or shown in a photo, into foods with calories, protein, carbs \
         and fat. It also searches a food database and stores the account's own recipes.\n\n\
         Every request goes to {base} and needs the header `Authorization: Bearer svc_live_…` (or `svc_test_…`). Request \
         and response bodies are JSON. A first request:\n\n\
         ```sh\n\
         curl {base}/v1/estimate/sync -H \"Authorization: Bearer $KEY\" \\\n  \
         -d '{{\"messages\":[{{\"role\":\"user\",\"content\":\"two eggs and a slice of toast\"}}]}}'\n\
         ```\n\n\
         ## Docs\n\n\
         - [Guide]({base}/docs.md): first request, streaming, photos, recipes, errors, limits, keys; Markdown\n\
         - [OpenAPI document]({base}/openapi.json): every endpoint with its fields; JSON\n\
         - [Reference]({base}/docs/reference): the same for people, with forms to try requests; HTML\n"
    );
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text)
}
