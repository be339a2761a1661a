//! One key: renaming, restricting, rotating and revoking it.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::tz::TimeZone;
use store::{AuditEvent, AuditKind, CreateKeyError, Grace, Key, KeyId, Scope, Scopes};

use super::key_shown::show_key;
use super::row::{KeyRow, MAX_LABEL};
use super::scope_choice::ScopeChoice;
use crate::app::App;
use crate::config::Networks;
use crate::dashboard::confirm::ConfirmedForm;
use crate::dashboard::field::{Field, FieldKind};
use crate::dashboard::flash;
use crate::dashboard::form::{Form, Problems};
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;
use crate::path::Path;

#[derive(Template)]
#[template(path = "keys/key.html")]
struct KeyPage {
    layout: Layout,
    key: KeyRow,
    label: Field,
    scopes: Vec<ScopeChoice>,
    scopes_error: Option<String>,
    networks: Field,
    /// The id of the key that rotating creates.
    new_id: String,
    grace_periods: [(&'static str, &'static str); 4],
}

#[derive(Template)]
#[template(path = "keys/revoke.html")]
struct RevokePage {
    layout: Layout,
    key: KeyRow,
}

/// Networks of one key.
const MAX_NETWORKS: usize = 50;

const GRACE_PERIODS: [(&str, &str); 4] =
    [("now", "immediately"), ("hour", "in 1 hour"), ("day", "in 24 hours"), ("week", "in 7 days")];

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    user: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let key = find(&app, &user, &id).await?;
    key_page(&app, &user, StatusCode::OK, &key, KeyForms::new(&key)).await
}

/// Changes the label.
pub(crate) async fn rename(
    State(app): State<Arc<App>>,
    user: SignedIn,
    Path(id): Path<String>,
    form: Form,
) -> Result<Response, ApiError> {
    let key = find(&app, &user, &id).await?;
    let mut problems = Problems::default();
    let label = form.line("label", MAX_LABEL, &mut problems);
    if !problems.is_empty() {
        let forms = KeyForms { label: label_field().resubmitted(&form, &problems), ..KeyForms::new(&key) };
        return key_page(&app, &user, StatusCode::UNPROCESSABLE_ENTITY, &key, forms).await;
    }
    app.store.keys().rename(&user.account.id, &key.id, label.as_deref()).await?;
    Ok(flash::redirect(&format!("/keys/{}", key.id), "key-renamed"))
}

/// Changes what the key may do, and from where.
pub(crate) async fn restrict(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    ConfirmedForm(user, form): ConfirmedForm<SignedIn>,
) -> Result<Response, ApiError> {
    let key = find(&app, &user, &id).await?;
    let mut problems = Problems::default();
    let scopes: Scopes = form.all("scopes").filter_map(|name| name.parse::<Scope>().ok()).collect();
    if scopes.is_empty() {
        problems.add("scopes", "Choose at least one permission.");
    }
    let networks = networks(form.raw("networks")).unwrap_or_else(|problem| {
        problems.add("networks", problem);
        Vec::new()
    });
    if !problems.is_empty() {
        let forms = KeyForms {
            scopes: ScopeChoice::all(|scope| form.has("scopes", scope.name())),
            scopes_error: problems.of("scopes").map(str::to_owned),
            networks: networks_field().resubmitted(&form, &problems),
            ..KeyForms::new(&key)
        };
        return key_page(&app, &user, StatusCode::UNPROCESSABLE_ENTITY, &key, forms).await;
    }
    app.store.keys().restrict(&user.account.id, &key.id, scopes, &networks).await?;
    let event = AuditEvent::new(AuditKind::KeyRestricted, app.now()).of(&user.account.id).from(user.from);
    let from = if networks.is_empty() { "anywhere".to_owned() } else { networks.join(", ") };
    app.trail.record(event.detail(format!("{}: {} from {from}", key.id, scopes.names().join(", "))));
    Ok(flash::redirect(&format!("/keys/{}", key.id), "key-permissions-saved"))
}

/// Reads addresses and networks, separated by commas or spaces.
fn networks(text: &str) -> Result<Vec<String>, String> {
    let separators = |c: char| c == ',' || c == ';' || c.is_whitespace();
    let mut networks: Vec<String> =
        text.split(separators).filter(|network| !network.is_empty()).map(str::to_owned).collect();
    networks.dedup();
    if networks.len() > MAX_NETWORKS {
        return Err(format!("Enter at most {MAX_NETWORKS} addresses and networks."));
    }
    Networks::parse(&networks).map_err(|problem| format!("{problem}."))?;
    Ok(networks)
}

/// Creates a successor; the old key stops working after a grace period.
pub(crate) async fn rotate(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    ConfirmedForm(user, form): ConfirmedForm<SignedIn>,
) -> Result<Response, ApiError> {
    let key = find(&app, &user, &id).await?;
    let grace = match form.text("grace") {
        "now" => Grace::Now,
        "hour" => Grace::Hour,
        "day" => Grace::Day,
        "week" => Grace::Week,
        _ => return Err(ApiError::bad_field("grace", "Choose when the old key stops working.")),
    };
    let (now, rng) = (app.now(), &mut app.rng());
    let new_id = KeyId::parse(form.text("new_id")).unwrap_or_else(|| KeyId::generate(rng));
    match app.store.keys().rotate(&user.account.id, &key.id, &new_id, grace, now, rng).await {
        Ok((new, text)) => {
            let event = AuditEvent::new(AuditKind::KeyRotated, now).of(&user.account.id).from(user.from);
            app.trail.record(event.detail(format!("{} replaced by {}", key.id, new.id)));
            let old = find(&app, &user, &id).await?;
            show_key(&user, &new, &text, old.revoked_at)
        }
        Err(CreateKeyError::Store(error)) => Err(error.into()),
        Err(CreateKeyError::NotFound) => {
            let message = "This key is no longer active and cannot be rotated. Create a new key instead.";
            Err(ApiError::new(StatusCode::CONFLICT, "key_ended", message))
        }
        Err(CreateKeyError::AlreadyCreated | CreateKeyError::LimitReached) => {
            Ok(flash::redirect("/keys", "key-already-created"))
        }
    }
}

/// Asks for confirmation before a key is revoked.
pub(crate) async fn confirm_revoke(
    State(app): State<Arc<App>>,
    user: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let key = find(&app, &user, &id).await?;
    let key = row(&app, &key).await?;
    page(StatusCode::OK, &RevokePage { layout: user.layout(Section::Keys), key })
}

/// Revokes a key immediately and permanently. No password is needed: a key that leaked must be stopped at once.
pub(crate) async fn revoke(
    State(app): State<Arc<App>>,
    user: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let key = find(&app, &user, &id).await?;
    app.store.keys().revoke(&user.account.id, &key.id, app.now()).await?;
    let event = AuditEvent::new(AuditKind::KeyRevoked, app.now()).of(&user.account.id).from(user.from);
    app.trail.record(event.detail(key.id.as_str()));
    Ok(flash::redirect("/keys", "key-revoked"))
}

/// Returns the account's key with this id. Keys of other accounts look like missing ones.
async fn find(app: &App, user: &SignedIn, id: &str) -> Result<Key, ApiError> {
    let key = match KeyId::parse(id) {
        Some(id) => app.store.keys().by_id(&user.account.id, &id).await?,
        None => None,
    };
    key.ok_or_else(|| ApiError::not_found("Key not found."))
}

async fn row(app: &App, key: &Key) -> Result<KeyRow, ApiError> {
    let now = app.now();
    let today = now.to_zoned(TimeZone::UTC).date();
    let used = app.store.usage().today_by_key(&key.account_id, today).await?;
    let requests = used.into_iter().find(|(id, _)| *id == key.id).map_or(0, |(_, requests)| requests);
    Ok(KeyRow::new(key, requests, now))
}

async fn key_page(
    app: &App,
    user: &SignedIn,
    status: StatusCode,
    key: &Key,
    forms: KeyForms,
) -> Result<Response, ApiError> {
    let key_page = KeyPage {
        layout: user.layout(Section::Keys),
        key: row(app, key).await?,
        label: forms.label,
        scopes: forms.scopes,
        scopes_error: forms.scopes_error,
        networks: forms.networks.hint(format!(
            "One per line, such as 203.0.113.7 or 10.0.0.0/8. Empty for all. Yours is {} now.",
            user.from
        )),
        new_id: KeyId::generate(&mut app.rng()).to_string(),
        grace_periods: GRACE_PERIODS,
    };
    page(status, &key_page)
}

/// The forms of the page, with what is saved or was sent.
struct KeyForms {
    label: Field,
    scopes: Vec<ScopeChoice>,
    scopes_error: Option<String>,
    networks: Field,
}

impl KeyForms {
    fn new(key: &Key) -> Self {
        Self {
            label: label_field().value(key.label.clone().unwrap_or_default()),
            scopes: ScopeChoice::all(|scope| key.scopes.contains(scope)),
            scopes_error: None,
            networks: networks_field().value(key.networks.join("\n")),
        }
    }
}

fn networks_field() -> Field {
    Field::new(FieldKind::Lines, "networks", "Allowed IP addresses")
}

fn label_field() -> Field {
    Field::new(FieldKind::Text, "label", "Label").max_length(MAX_LABEL)
}
