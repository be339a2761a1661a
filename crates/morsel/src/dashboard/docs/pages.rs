//! The pages and files of the documentation.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::Value;

use super::guide::{self, Guide, Heading};
use super::highlight::{Language, sample};
use super::html::escape;
use super::reference::{self, Endpoint, EndpointGroup};
use super::samples::DEFAULT_BASE;
use super::search::{MAX_QUERY, Place, SearchIndex};
use super::try_it::{ApiHandlers, Connection, TriedResponse, send_form};
use crate::app::App;
use crate::dashboard::assets::{Asset, DOCS_SCRIPT, DOCS_STYLE, TRY_SCRIPT};
use crate::dashboard::form::Form;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::query::PageQuery;
use crate::dashboard::visitor::{SignedIn, Visitor};
use crate::error::ApiError;
use crate::error_codes::{self, ERROR_CODES, ErrorCode};
use crate::path::Path;

/// Results of a search that are shown.
const MAX_RESULTS: usize = 30;

/// The rendered documentation.
pub(crate) struct Docs {
    guide: Guide,
    groups: Vec<EndpointGroup>,
    /// Everything that can be found.
    pub index: SearchIndex,
}

impl Docs {
    /// Renders the guide, and the reference from the OpenAPI document.
    pub fn new(document: &Value) -> Self {
        let (guide, groups) = (Guide::new(guide::MARKDOWN), reference::groups(document));
        let index = SearchIndex::new(&guide, &groups);
        Self { guide, groups, index }
    }

    fn endpoints(&self) -> impl Iterator<Item = &Endpoint> {
        self.groups.iter().flat_map(|group| &group.endpoints)
    }
}

/// What the pages of the documentation have in common.
struct DocsFrame {
    style: Asset,
    script: Asset,
    /// The tab that the page belongs to.
    tab: &'static str,
    /// The query in the search field.
    query: String,
}

impl DocsFrame {
    fn new(tab: &'static str) -> Self {
        Self { style: DOCS_STYLE, script: DOCS_SCRIPT, tab, query: String::new() }
    }
}

#[derive(Template)]
#[template(path = "docs/guide.html")]
struct GuidePage<'a> {
    layout: Layout,
    docs: DocsFrame,
    title: &'a str,
    contents: &'a [Heading],
    html: String,
}

#[derive(Template)]
#[template(path = "docs/reference.html")]
struct ReferencePage<'a> {
    layout: Layout,
    docs: DocsFrame,
    groups: &'a [EndpointGroup],
}

#[derive(Template)]
#[template(path = "docs/endpoint.html")]
struct EndpointPage<'a> {
    layout: Layout,
    docs: DocsFrame,
    try_script: Asset,
    base: &'a str,
    groups: &'a [EndpointGroup],
    endpoint: &'a Endpoint,
    previous: Option<&'a Endpoint>,
    next: Option<&'a Endpoint>,
    /// Whether requests can be sent with the session.
    is_signed_in: bool,
    /// What was sent without scripts.
    form: Form,
    tried: Option<TriedResponse>,
}

#[derive(Template)]
#[template(path = "docs/errors.html")]
struct ErrorsPage {
    layout: Layout,
    docs: DocsFrame,
    codes: &'static [ErrorCode],
}

impl ErrorsPage {
    /// Whether a code is the first with its status.
    fn is_first(&self, error: &ErrorCode) -> bool {
        self.codes.iter().find(|other| other.status == error.status).is_some_and(|first| first.code == error.code)
    }
}

#[derive(Template)]
#[template(path = "docs/error.html")]
struct ErrorCodePage {
    layout: Layout,
    docs: DocsFrame,
    error: &'static ErrorCode,
    /// An example as HTML.
    body: String,
    /// Other codes with the same status.
    related: Vec<&'static ErrorCode>,
}

#[derive(Template)]
#[template(path = "docs/search.html")]
struct SearchPage<'a> {
    layout: Layout,
    docs: DocsFrame,
    places: Vec<&'a Place>,
}

/// A query of the documentation's search.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct DocsQuery {
    q: String,
}

/// Renders a description: text in backticks becomes code.
fn inline(text: &str) -> String {
    let piece = |(at, piece): (usize, &str)| {
        if at % 2 == 1 { format!("<code>{}</code>", escape(piece)) } else { escape(piece) }
    };
    text.split('`').enumerate().map(piece).collect()
}

impl<'a> EndpointPage<'a> {
    fn new(docs: &'a Docs, user: &'a Visitor, id: &str) -> Result<Self, ApiError> {
        let endpoints: Vec<&Endpoint> = docs.endpoints().collect();
        let at = endpoints.iter().position(|endpoint| endpoint.id == id);
        let at = at.ok_or_else(|| ApiError::not_found("There is no such endpoint."))?;
        Ok(Self {
            layout: user.layout(Section::Docs),
            docs: DocsFrame::new("reference"),
            try_script: TRY_SCRIPT,
            base: &user.base.0,
            groups: &docs.groups,
            endpoint: endpoints[at],
            previous: at.checked_sub(1).map(|before| endpoints[before]),
            next: endpoints.get(at + 1).copied(),
            is_signed_in: user.signed_in.is_some(),
            form: Form::default(),
            tried: None,
        })
    }

    /// Puts the service's own URL into samples.
    fn with_base(&self, html: &str) -> String {
        html.replace(DEFAULT_BASE, &escape(self.base))
    }

    /// Returns the value of a field: what was sent, else the example.
    fn value(&self, name: &str, example: &str) -> String {
        if self.tried.is_some() { self.form.raw(name).to_owned() } else { example.to_owned() }
    }

    /// Returns where the script sends requests to.
    fn target(&self) -> String {
        let prefix = if self.is_signed_in { "/docs/try" } else { "" };
        format!("{prefix}{}", self.endpoint.path)
    }
}

pub(crate) async fn show_guide(user: Visitor, Extension(docs): Extension<Arc<Docs>>) -> Result<Response, ApiError> {
    let shown = GuidePage {
        layout: user.layout(Section::Docs),
        docs: DocsFrame::new("guide"),
        title: &docs.guide.title,
        contents: &docs.guide.contents,
        html: docs.guide.html.replace(DEFAULT_BASE, &escape(&user.base.0)),
    };
    page(StatusCode::OK, &shown)
}

/// Lists all endpoints.
pub(crate) async fn show_reference(user: Visitor, Extension(docs): Extension<Arc<Docs>>) -> Result<Response, ApiError> {
    let layout = user.layout(Section::Docs);
    page(StatusCode::OK, &ReferencePage { layout, docs: DocsFrame::new("reference"), groups: &docs.groups })
}

pub(crate) async fn show_endpoint(
    user: Visitor,
    Extension(docs): Extension<Arc<Docs>>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    page(StatusCode::OK, &EndpointPage::new(&docs, &user, &id)?)
}

/// Sends a request for a user without scripts, and shows the response on the page of the endpoint.
pub(crate) async fn try_endpoint(
    State(app): State<Arc<App>>,
    user: SignedIn,
    (Extension(docs), Extension(api)): (Extension<Arc<Docs>>, Extension<ApiHandlers>),
    Path(id): Path<String>,
    (headers, Connection(extensions)): (HeaderMap, Connection),
    form: Form,
) -> Result<Response, ApiError> {
    let endpoint = docs.endpoints().find(|endpoint| endpoint.id == id);
    let endpoint = endpoint.ok_or_else(|| ApiError::not_found("There is no such endpoint."))?;
    let tried = send_form(&app, api, &user, endpoint, &form, &headers, &extensions).await?;
    let user = Visitor::from(user);
    let shown = EndpointPage { tried: Some(tried), form, ..EndpointPage::new(&docs, &user, &id)? };
    page(StatusCode::OK, &shown)
}

/// Lists all error codes.
pub(crate) async fn show_errors(user: Visitor) -> Result<Response, ApiError> {
    let layout = user.layout(Section::Docs);
    page(StatusCode::OK, &ErrorsPage { layout, docs: DocsFrame::new("errors"), codes: &ERROR_CODES })
}

pub(crate) async fn show_error(user: Visitor, Path(code): Path<String>) -> Result<Response, ApiError> {
    let error = error_codes::find(&code).ok_or_else(|| ApiError::not_found("There is no such error code."))?;
    let param = if error.code == "invalid_request" { ", \"param\": \"calories\"" } else { "" };
    let message = Value::from(error.message);
    let body = format!("{{\"error\": {message}, \"code\": \"{code}\", \"request_id\": \"req_…\"{param}}}");
    let is_related = |other: &&ErrorCode| other.status == error.status && other.code != error.code;
    let shown = ErrorCodePage {
        layout: user.layout(Section::Docs),
        docs: DocsFrame::new("errors"),
        error,
        body: sample(Language::Json, &body),
        related: ERROR_CODES.iter().filter(is_related).collect(),
    };
    page(StatusCode::OK, &shown)
}

/// Shows what was found in the documentation.
pub(crate) async fn show_search(
    user: Visitor,
    Extension(docs): Extension<Arc<Docs>>,
    PageQuery(asked): PageQuery<DocsQuery>,
) -> Result<Response, ApiError> {
    let query: String = asked.q.trim().chars().take(MAX_QUERY).collect();
    let places = docs.index.find(&query, MAX_RESULTS, user.signed_in.is_some());
    let layout = user.layout(Section::Docs);
    page(StatusCode::OK, &SearchPage { layout, docs: DocsFrame { query, ..DocsFrame::new("search") }, places })
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
         - [Reference]({base}/docs/reference): the same for people, with forms to try requests; HTML\n\
         - [Error codes]({base}/docs/errors): what each one means and how to fix it; HTML\n"
    );
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text)
}
