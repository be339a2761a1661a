//! Creating a key.
//!
//! The form contains the id of the key that it creates. If it is sent again, by a reload or a double click, it creates no
//! second key and does not show the first one again.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use store::{AuditEvent, AuditKind, CreateKeyError, KeyId, Mode, NewKey, Scope, Scopes, end_of_day};

use super::key_shown::show_key;
use super::row::MAX_LABEL;
use super::scope_choice::ScopeChoice;
use crate::app::App;
use crate::dashboard::confirm::{Confirmed, ConfirmedForm};
use crate::dashboard::field::{Field, FieldKind};
use crate::dashboard::flash;
use crate::dashboard::form::{Form, Problems};
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;

/// Active keys of one account.
pub(crate) const MAX_KEYS: u64 = 100;
/// Lifetimes to choose from, in days.
const LIFETIMES: [i64; 4] = [7, 30, 90, 365];
/// The latest expiration, in days from now.
const MAX_DAYS: i64 = 3_653;

#[derive(Template)]
#[template(path = "keys/new_key.html")]
struct NewKeyPage {
    layout: Layout,
    /// The id of the key that the form creates.
    id: String,
    label: Field,
    is_test: bool,
    preset: &'static str,
    presets: [Preset; 4],
    scopes: Vec<ScopeChoice>,
    expires: String,
    days: [i64; 4],
    date: Field,
    scopes_error: Option<String>,
    expires_error: Option<String>,
    problem: Option<String>,
}

#[derive(Clone, Copy)]
struct Preset {
    value: &'static str,
    name: &'static str,
    hint: &'static str,
}

const PRESETS: [Preset; 4] = [
    Preset { value: "all", name: "Everything", hint: "full access to the API" },
    Preset { value: "estimate", name: "Estimates only", hint: "estimate meals and upload photos" },
    Preset { value: "read", name: "Read only", hint: "search foods and read recipes" },
    Preset { value: "custom", name: "Custom", hint: "choose below" },
];

pub(crate) async fn show_form(
    State(app): State<Arc<App>>,
    Confirmed(user): Confirmed<SignedIn>,
) -> Result<Response, ApiError> {
    let form = new_key_page(&user, &KeyId::generate(&mut app.rng()), &Form::default(), &Problems::default());
    page(StatusCode::OK, &form)
}

pub(crate) async fn create(
    State(app): State<Arc<App>>,
    ConfirmedForm(user, form): ConfirmedForm<SignedIn>,
) -> Result<Response, ApiError> {
    let now = app.now();
    let mut problems = Problems::default();
    let new = read(&form, now, &mut problems);
    let rng = &mut app.rng();
    let id = KeyId::parse(form.text("id")).unwrap_or_else(|| KeyId::generate(rng));
    if !problems.is_empty() {
        return page(StatusCode::UNPROCESSABLE_ENTITY, &new_key_page(&user, &id, &form, &problems));
    }
    match app.store.keys().create_once(&user.account.id, &id, new, MAX_KEYS, now, rng).await {
        Ok((key, text)) => {
            let event = AuditEvent::new(AuditKind::KeyCreated, now).of(&user.account.id).from(user.from);
            app.trail.record(event.detail(key.id.as_str()));
            show_key(&user, &key, &text, None)
        }
        Err(CreateKeyError::LimitReached) => {
            let problem = Some(format!("You have {MAX_KEYS} active keys, which is the maximum. Revoke one first."));
            page(StatusCode::CONFLICT, &NewKeyPage { problem, ..new_key_page(&user, &id, &form, &problems) })
        }
        Err(CreateKeyError::Store(error)) => Err(error.into()),
        Err(CreateKeyError::AlreadyCreated | CreateKeyError::NotFound) => {
            Ok(flash::redirect("/keys", "key-already-created"))
        }
    }
}

/// Reads the form.
fn read(form: &Form, now: Timestamp, problems: &mut Problems) -> NewKey {
    let label = form.line("label", MAX_LABEL, problems);
    let mode = if form.text("mode") == "test" { Mode::Test } else { Mode::Live };
    let scopes = match preset(form) {
        "estimate" => [Scope::Estimate, Scope::Upload].into_iter().collect(),
        "read" => [Scope::FoodsRead, Scope::RecipesRead].into_iter().collect(),
        "custom" => form.all("scopes").filter_map(|name| name.parse::<Scope>().ok()).collect(),
        _ => Scopes::all(),
    };
    if scopes.is_empty() {
        problems.add("scopes", "Choose at least one permission.");
    }
    let expires_at = expiry(form, now).unwrap_or_else(|problem| {
        problems.add("expires", problem);
        None
    });
    NewKey { mode, label, scopes, expires_at }
}

/// Returns when the key expires: after some days, at the end of a day, or never.
fn expiry(form: &Form, now: Timestamp) -> Result<Option<Timestamp>, &'static str> {
    match form.text("expires") {
        "" | "never" => Ok(None),
        "date" => {
            let date: Date = form.text("date").parse().map_err(|_| "Choose the last day on which the key works.")?;
            let end = end_of_day(date).filter(|end| *end > now).ok_or("This date is in the past.")?;
            let is_near = end.duration_since(now) <= SignedDuration::from_hours(24 * MAX_DAYS);
            if is_near { Ok(Some(end)) } else { Err("Choose a date within the next ten years, or never.") }
        }
        days => {
            let days = days.parse().ok().filter(|days| LIFETIMES.contains(days)).ok_or("Choose one of the options.")?;
            Ok(now.checked_add(SignedDuration::from_hours(24 * days)).ok())
        }
    }
}

fn preset(form: &Form) -> &'static str {
    PRESETS.iter().find(|preset| preset.value == form.text("preset")).map_or("all", |preset| preset.value)
}

fn new_key_page(user: &SignedIn, id: &KeyId, form: &Form, problems: &Problems) -> NewKeyPage {
    let label = Field::new(FieldKind::Text, "label", "Label").placeholder("phone app").max_length(MAX_LABEL);
    let date = Field::new(FieldKind::Date, "date", "Last day");
    let expires = form.text("expires");
    NewKeyPage {
        layout: user.layout(Section::Keys),
        id: id.to_string(),
        label: label.hint("What the key is for, so that you can tell your keys apart.").resubmitted(form, problems),
        is_test: form.text("mode") == "test",
        preset: preset(form),
        presets: PRESETS,
        scopes: ScopeChoice::all(|scope| form.has("scopes", scope.name())),
        expires: if expires.is_empty() { "never".to_owned() } else { expires.to_owned() },
        days: LIFETIMES,
        date: date.resubmitted(form, problems),
        scopes_error: problems.of("scopes").map(str::to_owned),
        expires_error: problems.of("expires").map(str::to_owned),
        problem: None,
    }
}
