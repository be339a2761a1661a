//! Style sheets, scripts and the icon, embedded in the program. Their URLs contain a hash of the content, so that browsers
//! may cache them for a year.

use std::fmt;

use axum::http::header;
use axum::response::IntoResponse;
use foods::hash::fnv1a;

use crate::error::ApiError;
use crate::path::Path;

/// A file that pages refer to; its `Display` is its URL.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asset {
    name: &'static str,
    media_type: &'static str,
    content: &'static str,
    hash: u64,
}

const STYLE_TYPE: &str = "text/css; charset=utf-8";
const SCRIPT_TYPE: &str = "text/javascript; charset=utf-8";

/// The style of every page.
pub(super) const STYLE: Asset = Asset::new("style.css", STYLE_TYPE, include_str!("../../assets/style.css"));
/// Conveniences for every page: copy buttons, local times, flash messages that are shown once.
pub(super) const SCRIPT: Asset = Asset::new("app.js", SCRIPT_TYPE, include_str!("../../assets/app.js"));
/// The icon in the browser's tab.
pub(super) const ICON: Asset = Asset::new("icon.svg", "image/svg+xml", include_str!("../../assets/icon.svg"));

/// The additional style of the documentation.
pub(super) const DOCS_STYLE: Asset = Asset::new("docs.css", STYLE_TYPE, include_str!("../../assets/docs.css"));
/// Code samples: copying, choosing a language.
pub(super) const DOCS_SCRIPT: Asset = Asset::new("docs.js", SCRIPT_TYPE, include_str!("../../assets/docs.js"));
/// The “Try it” forms of the reference.
pub(super) const TRY_SCRIPT: Asset = Asset::new("try.js", SCRIPT_TYPE, include_str!("../../assets/try.js"));

/// The additional style of the playground.
pub(super) const PLAYGROUND_STYLE: Asset =
    Asset::new("playground.css", STYLE_TYPE, include_str!("../../assets/playground.css"));
/// The playground.
pub(super) const PLAYGROUND_SCRIPT: Asset =
    Asset::new("playground.js", SCRIPT_TYPE, include_str!("../../assets/playground.js"));
/// Food search as you type.
pub(super) const FOODS_SCRIPT: Asset = Asset::new("foods.js", SCRIPT_TYPE, include_str!("../../assets/foods.js"));

const ALL: &[Asset] =
    &[STYLE, SCRIPT, ICON, DOCS_STYLE, DOCS_SCRIPT, TRY_SCRIPT, PLAYGROUND_STYLE, PLAYGROUND_SCRIPT, FOODS_SCRIPT];

impl Asset {
    const fn new(name: &'static str, media_type: &'static str, content: &'static str) -> Self {
        Self { name, media_type, content, hash: fnv1a(content.as_bytes()) }
    }
}

impl fmt::Display for Asset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/assets/{:016x}/{}", self.hash, self.name)
    }
}

/// Serves a file.
pub(super) async fn show(Path((hash, name)): Path<(String, String)>) -> Result<impl IntoResponse, ApiError> {
    let asset = ALL.iter().find(|asset| asset.name == name);
    let asset = asset.ok_or_else(|| ApiError::not_found("File not found."))?;
    // A page of another version has another hash: it gets the current file, but must not cache it.
    let is_current = format!("{:016x}", asset.hash) == hash;
    let cache_control = if is_current { "public, max-age=31536000, immutable" } else { "no-cache" };
    Ok(([(header::CONTENT_TYPE, asset.media_type), (header::CACHE_CONTROL, cache_control)], asset.content))
}
