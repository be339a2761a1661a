//! Making a key, and showing it this once.
//!
//! The form carries the id of the key that it makes. Sent again, by a reload or an impatient hand, it makes no second key
//! and shows the first one to nobody.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use store::{CreateKeyError, KeyId, KeyText, Mode, NewKey, Rng, Scope, Scopes};

use super::done::done;
use super::field::{Field, Kind};
use super::form::{Form, Problems};
use super::keys::MOST_KEYS;
use super::layout::{Layout, Section};
use super::page;
use super::visitor::SignedIn;
use super::when::When;
use crate::app::App;
use crate::error::ApiError;

/// Longest label of a key.
pub(super) const LONGEST_LABEL: usize = 100;
/// Days after which a key may be made to end.
const DAYS: [i64; 4] = [7, 30, 90, 365];
/// Latest end that can be asked for.
const LONGEST_DAYS: i64 = 3_653;

#[derive(Template)]
#[template(path = "new_key.html")]
struct NewKeyPage {
    layout: Layout,
    /// Of the key that the form makes.
    id: String,
    label: Field,
    is_test: bool,
    preset: &'static str,
    presets: [Preset; 4],
    scopes: Vec<ScopeBox>,
    expires: String,
    days: [i64; 4],
    date: Field,
    scopes_error: Option<String>,
    expires_error: Option<String>,
    refused: Option<&'static str>,
}

#[derive(Clone, Copy)]
struct Preset {
    value: &'static str,
    name: &'static str,
    hint: &'static str,
}

struct ScopeBox {
    name: &'static str,
    hint: &'static str,
    is_ticked: bool,
}

/// The page that shows a key.
#[derive(Template)]
#[template(path = "key_shown.html")]
struct KeyShown {
    layout: Layout,
    key: String,
    label: String,
    base: String,
    is_live: bool,
    may_estimate: bool,
    may_search: bool,
    ends: Option<When>,
    /// The key that this one replaces goes on working until then.
    old_ends: Option<When>,
}

const PRESETS: [Preset; 4] = [
    Preset { value: "all", name: "Everything", hint: "All of the API" },
    Preset { value: "estimate", name: "Estimates only", hint: "Meals and photos in, numbers out" },
    Preset { value: "read", name: "Read only", hint: "Search foods and look at recipes" },
    Preset { value: "custom", name: "Custom", hint: "Choose below" },
];

pub(super) async fn ask(me: SignedIn) -> Result<Response, ApiError> {
    let form = new_key_page(&me, &KeyId::generate(&mut Rng::system()), &Form::default(), &Problems::default());
    page(StatusCode::OK, &form)
}

pub(super) async fn create(State(app): State<Arc<App>>, me: SignedIn, form: Form) -> Result<Response, ApiError> {
    let now = Timestamp::now();
    let mut problems = Problems::default();
    let new = read(&form, now, &mut problems);
    let rng = &mut Rng::system();
    let id = KeyId::parse(form.text("id")).unwrap_or_else(|| KeyId::generate(rng));
    if !problems.is_empty() {
        return page(StatusCode::UNPROCESSABLE_ENTITY, &new_key_page(&me, &id, &form, &problems));
    }
    match app.store.keys().create_once(&me.account.id, &id, new, MOST_KEYS, now, rng).await {
        Ok((key, text)) => shown(&me, &key, &text, None),
        Err(CreateKeyError::LimitReached) => {
            let refused = Some("You have 100 keys that work, and no account can have more. Revoke one first.");
            page(StatusCode::CONFLICT, &NewKeyPage { refused, ..new_key_page(&me, &id, &form, &problems) })
        }
        Err(CreateKeyError::Store(error)) => Err(error.into()),
        Err(CreateKeyError::MadeBefore | CreateKeyError::NotFound) => Ok(done("/keys", "key-made-before")),
    }
}

/// The page that shows a new key, this once.
pub(super) fn shown(
    me: &SignedIn,
    key: &store::Key,
    text: &KeyText,
    old_ends: Option<Timestamp>,
) -> Result<Response, ApiError> {
    let shown = KeyShown {
        layout: me.layout(Section::Keys),
        key: text.as_str().to_owned(),
        label: key.label.clone().unwrap_or_default(),
        base: me.base.0.clone(),
        is_live: key.mode == Mode::Live,
        may_estimate: key.scopes.contains(Scope::Estimate),
        may_search: key.scopes.contains(Scope::FoodsRead),
        ends: key.expires_at.map(When::exactly),
        old_ends: old_ends.map(When::exactly),
    };
    page(StatusCode::OK, &shown)
}

/// The key that a form asks for.
fn read(form: &Form, now: Timestamp, problems: &mut Problems) -> NewKey {
    let label = form.line("label", LONGEST_LABEL, problems);
    let mode = if form.text("mode") == "test" { Mode::Test } else { Mode::Live };
    let scopes = match preset(form) {
        "estimate" => [Scope::Estimate, Scope::Upload].into_iter().collect(),
        "read" => [Scope::FoodsRead, Scope::RecipesRead].into_iter().collect(),
        "custom" => form.all("scopes").filter_map(Scope::from_name).collect(),
        _ => Scopes::all(),
    };
    if scopes.is_empty() {
        problems.add("scopes", "Choose at least one thing that the key may do.");
    }
    let expires_at = expiry(form, now).unwrap_or_else(|sentence| {
        problems.add("expires", sentence);
        None
    });
    NewKey { mode, label, scopes, expires_at }
}

/// When a key is to end: after some days, at the end of a day, or never.
fn expiry(form: &Form, now: Timestamp) -> Result<Option<Timestamp>, &'static str> {
    match form.text("expires") {
        "" | "never" => Ok(None),
        "date" => {
            let date: Date = form.text("date").parse().map_err(|_| "Choose the last day on which the key works.")?;
            let end = date.tomorrow().ok().and_then(|next| next.to_zoned(TimeZone::UTC).ok());
            let end = end.map(|end| end.timestamp()).filter(|end| *end > now).ok_or("This day has passed.")?;
            let is_near = end.duration_since(now) <= SignedDuration::from_hours(24 * LONGEST_DAYS);
            if is_near { Ok(Some(end)) } else { Err("Choose a day within the next ten years, or never.") }
        }
        days => {
            let days = days.parse().ok().filter(|days| DAYS.contains(days)).ok_or("Choose one of the times shown.")?;
            Ok(now.checked_add(SignedDuration::from_hours(24 * days)).ok())
        }
    }
}

fn preset(form: &Form) -> &'static str {
    PRESETS.iter().find(|preset| preset.value == form.text("preset")).map_or("all", |preset| preset.value)
}

fn new_key_page(me: &SignedIn, id: &KeyId, form: &Form, problems: &Problems) -> NewKeyPage {
    let scope = |scope: Scope| ScopeBox {
        name: scope.name(),
        hint: match scope {
            Scope::Estimate => "turn texts and photos into foods with numbers",
            Scope::Upload => "send and remove photos",
            Scope::FoodsRead => "search the food database",
            Scope::RecipesRead => "look at your recipes",
            Scope::RecipesWrite => "make, change and delete your recipes",
        },
        is_ticked: form.has("scopes", scope.name()),
    };
    let label = Field::new(Kind::Text, "label", "Label").placeholder("phone app").longest(LONGEST_LABEL);
    let date = Field::new(Kind::Date, "date", "Last day");
    let expires = form.text("expires");
    NewKeyPage {
        layout: me.layout(Section::Keys),
        id: id.to_string(),
        label: label.hint("What uses it, so that you can tell your keys apart.").again(form, problems),
        is_test: form.text("mode") == "test",
        preset: preset(form),
        presets: PRESETS,
        scopes: Scope::ALL.map(scope).into(),
        expires: if expires.is_empty() { "never".to_owned() } else { expires.to_owned() },
        days: DAYS,
        date: date.again(form, problems),
        scopes_error: problems.of("scopes").map(str::to_owned),
        expires_error: problems.of("expires").map(str::to_owned),
        refused: None,
    }
}
