//! Style sheets, scripts, fonts and icons, embedded in the program. Their URLs contain a hash of the content, so that browsers
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
    content: &'static [u8],
    hash: u64,
}

const STYLE_TYPE: &str = "text/css; charset=utf-8";
const SCRIPT_TYPE: &str = "text/javascript; charset=utf-8";
const SVG_TYPE: &str = "image/svg+xml";
const FONT_TYPE: &str = "font/woff2";
const WEBP_TYPE: &str = "image/webp";

/// The style of every page.
pub(super) const STYLE: Asset = Asset::new("style.css", STYLE_TYPE, include_str!("../../assets/style.css"));
/// Conveniences for every page: copy buttons, local times, flash messages that are shown once.
pub(super) const SCRIPT: Asset = Asset::new("app.js", SCRIPT_TYPE, include_str!("../../assets/app.js"));
/// The command palette of every page, and its style.
pub(super) const PALETTE_SCRIPT: Asset = Asset::new("palette.js", SCRIPT_TYPE, include_str!("../../assets/palette.js"));
pub(super) const PALETTE_STYLE: Asset = Asset::new("palette.css", STYLE_TYPE, include_str!("../../assets/palette.css"));
/// The icon in the browser's tab.
pub(super) const ICON: Asset = Asset::new("icon.svg", SVG_TYPE, include_str!("../../assets/icon.svg"));
/// The icons of menus and buttons, by id.
pub(super) const ICONS: Asset = Asset::new("icons.svg", SVG_TYPE, include_str!("../../assets/icons.svg"));
/// Pictures of foods, by id.
pub(super) const PICTOGRAMS: Asset =
    Asset::new("pictograms.svg", SVG_TYPE, include_str!("../../assets/pictograms.svg"));
/// The typeface of texts. Style sheets name it by its URL, which a test compares with this.
pub(super) const TEXT_FONT: Asset =
    Asset::of_bytes("figtree.woff2", FONT_TYPE, include_bytes!("../../assets/fonts/figtree.woff2"));
/// The typeface of headings and figures.
pub(super) const HEADING_FONT: Asset =
    Asset::of_bytes("fraunces.woff2", FONT_TYPE, include_bytes!("../../assets/fonts/fraunces.woff2"));

/// The additional style of the documentation.
pub(super) const DOCS_STYLE: Asset = Asset::new("docs.css", STYLE_TYPE, include_str!("../../assets/docs.css"));
/// Code samples: copying, choosing a language.
pub(super) const DOCS_SCRIPT: Asset = Asset::new("docs.js", SCRIPT_TYPE, include_str!("../../assets/docs.js"));
/// The “Try it” forms of the reference.
pub(super) const TRY_SCRIPT: Asset = Asset::new("try.js", SCRIPT_TYPE, include_str!("../../assets/try.js"));

/// The additional style of an estimated meal.
pub(super) const MEAL_STYLE: Asset = Asset::new("meal.css", STYLE_TYPE, include_str!("../../assets/meal.css"));
/// Code samples in tabs, in a part of a page that a script has replaced, too.
pub(super) const SAMPLES_SCRIPT: Asset = Asset::new("samples.js", SCRIPT_TYPE, include_str!("../../assets/samples.js"));

/// The additional style of the home page of visitors.
pub(super) const WELCOME_STYLE: Asset = Asset::new("welcome.css", STYLE_TYPE, include_str!("../../assets/welcome.css"));
/// The photo that the page shows with its answer: a package that we drew.
pub(super) const LABEL_PHOTO: Asset =
    Asset::of_bytes("label.webp", WEBP_TYPE, include_bytes!("../../assets/label.webp"));
/// The demo on that page.
pub(super) const DEMO_SCRIPT: Asset = Asset::new("demo.js", SCRIPT_TYPE, include_str!("../../assets/demo.js"));

/// The list of first steps: its style, and how steps turn green.
pub(super) const START_STYLE: Asset = Asset::new("start.css", STYLE_TYPE, include_str!("../../assets/start.css"));
pub(super) const START_SCRIPT: Asset = Asset::new("start.js", SCRIPT_TYPE, include_str!("../../assets/start.js"));

/// The form of a recipe: its style, and ingredients whose numbers follow.
pub(super) const RECIPE_STYLE: Asset = Asset::new("recipe.css", STYLE_TYPE, include_str!("../../assets/recipe.css"));
pub(super) const RECIPE_SCRIPT: Asset = Asset::new("recipe.js", SCRIPT_TYPE, include_str!("../../assets/recipe.js"));

/// The additional style of the playground.
pub(super) const PLAYGROUND_STYLE: Asset =
    Asset::new("playground.css", STYLE_TYPE, include_str!("../../assets/playground.css"));
/// The playground.
pub(super) const PLAYGROUND_SCRIPT: Asset =
    Asset::new("playground.js", SCRIPT_TYPE, include_str!("../../assets/playground.js"));
/// Food search as you type.
pub(super) const FOODS_SCRIPT: Asset = Asset::new("foods.js", SCRIPT_TYPE, include_str!("../../assets/foods.js"));

/// The additional style of the log, usage and health.
pub(super) const LOG_STYLE: Asset = Asset::new("log.css", STYLE_TYPE, include_str!("../../assets/log.css"));
/// Pages that renew themselves when there is news.
pub(super) const LIVE_SCRIPT: Asset = Asset::new("live.js", SCRIPT_TYPE, include_str!("../../assets/live.js"));

const ALL: &[Asset] = &[
    LOG_STYLE,
    LIVE_SCRIPT,
    STYLE,
    SCRIPT,
    ICON,
    ICONS,
    PICTOGRAMS,
    TEXT_FONT,
    HEADING_FONT,
    PALETTE_SCRIPT,
    PALETTE_STYLE,
    START_STYLE,
    START_SCRIPT,
    RECIPE_STYLE,
    RECIPE_SCRIPT,
    DOCS_STYLE,
    DOCS_SCRIPT,
    TRY_SCRIPT,
    WELCOME_STYLE,
    LABEL_PHOTO,
    DEMO_SCRIPT,
    MEAL_STYLE,
    SAMPLES_SCRIPT,
    PLAYGROUND_STYLE,
    PLAYGROUND_SCRIPT,
    FOODS_SCRIPT,
];

impl Asset {
    const fn new(name: &'static str, media_type: &'static str, content: &'static str) -> Self {
        Self::of_bytes(name, media_type, content.as_bytes())
    }

    const fn of_bytes(name: &'static str, media_type: &'static str, content: &'static [u8]) -> Self {
        Self { name, media_type, content, hash: fnv1a(content) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_names_the_fonts_by_their_urls() {
        let style = str::from_utf8(STYLE.content).expect("text");
        for font in [TEXT_FONT, HEADING_FONT] {
            let url = font.to_string().replace("/assets/", "../");
            assert!(style.contains(&format!("url(\"{url}\")")), "{url}");
        }
        assert!(TEXT_FONT.content.len() + HEADING_FONT.content.len() < 60_000);
    }
}
