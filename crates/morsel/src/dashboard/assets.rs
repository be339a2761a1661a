//! The style, the scripts and the icon: part of the program. Their addresses change with their content, so that browsers
//! may keep them for a year.

use std::fmt;

use axum::extract::Path;
use axum::http::header;
use axum::response::IntoResponse;

use crate::error::ApiError;

/// A file that pages refer to; its `Display` is its address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asset {
    name: &'static str,
    media_type: &'static str,
    content: &'static str,
    hash: u64,
}

const STYLE_TYPE: &str = "text/css; charset=utf-8";
const SCRIPT_TYPE: &str = "text/javascript; charset=utf-8";

/// How everything looks.
pub(super) const STYLE: Asset = Asset::new("style.css", STYLE_TYPE, include_str!("../../assets/style.css"));
/// What every page can do beyond HTML: copy, show local times, forget the sentence after something was done.
pub(super) const SCRIPT: Asset = Asset::new("app.js", SCRIPT_TYPE, include_str!("../../assets/app.js"));
/// The picture in a browser's tab.
pub(super) const ICON: Asset = Asset::new("icon.svg", "image/svg+xml", include_str!("../../assets/icon.svg"));

/// How the documentation looks beyond that.
pub(super) const DOCS_STYLE: Asset = Asset::new("docs.css", STYLE_TYPE, include_str!("../../assets/docs.css"));
/// Samples of code: copying, choosing a language.
pub(super) const DOCS_SCRIPT: Asset = Asset::new("docs.js", SCRIPT_TYPE, include_str!("../../assets/docs.js"));
/// The boxes in which requests are tried.
pub(super) const TRY_SCRIPT: Asset = Asset::new("try.js", SCRIPT_TYPE, include_str!("../../assets/try.js"));

/// How the playground looks beyond that.
pub(super) const PLAYGROUND_STYLE: Asset =
    Asset::new("playground.css", STYLE_TYPE, include_str!("../../assets/playground.css"));
/// The playground.
pub(super) const PLAYGROUND_SCRIPT: Asset =
    Asset::new("playground.js", SCRIPT_TYPE, include_str!("../../assets/playground.js"));
/// Foods as one types, and the numbers of a chosen portion.
pub(super) const FOODS_SCRIPT: Asset = Asset::new("foods.js", SCRIPT_TYPE, include_str!("../../assets/foods.js"));

const ALL: &[Asset] =
    &[STYLE, SCRIPT, ICON, DOCS_STYLE, DOCS_SCRIPT, TRY_SCRIPT, PLAYGROUND_STYLE, PLAYGROUND_SCRIPT, FOODS_SCRIPT];

impl Asset {
    const fn new(name: &'static str, media_type: &'static str, content: &'static str) -> Self {
        Self { name, media_type, content, hash: fnv(content.as_bytes()) }
    }
}

impl fmt::Display for Asset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/assets/{:016x}/{}", self.hash, self.name)
    }
}

pub(super) async fn show(Path((hash, name)): Path<(String, String)>) -> Result<impl IntoResponse, ApiError> {
    let asset = ALL.iter().find(|asset| asset.name == name);
    let asset = asset.ok_or_else(|| ApiError::not_found("There is no such file."))?;
    // A page of the version before this one asks by another hash: it gets what there is, and keeps it for that once.
    let is_current = format!("{:016x}", asset.hash) == hash;
    let keep = if is_current { "public, max-age=31536000, immutable" } else { "no-cache" };
    Ok(([(header::CONTENT_TYPE, asset.media_type), (header::CACHE_CONTROL, keep)], asset.content))
}

/// FNV-1a: tells versions of our own files apart, nothing more.
const fn fnv(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        at += 1;
    }
    hash
}
