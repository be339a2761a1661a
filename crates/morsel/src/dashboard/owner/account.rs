//! One account, as an owner manages it: plan, access, deletion.

use std::sync::Arc;

use askama::Template;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use store::{Account, AccountId, AuditEvent, AuditKind, Email, Plan, Removal};

use super::link_shown::show_link;
use crate::app::App;
use crate::dashboard::account::delete::remove;
use crate::dashboard::confirm::ConfirmedForm;
use crate::dashboard::field::{Field, FieldKind};
use crate::dashboard::filters;
use crate::dashboard::flash;
use crate::dashboard::form::Problems;
use crate::dashboard::human_time::HumanTime;
use crate::dashboard::keys::row::{KeyRow, key_rows};
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::visitor::{Owner, Rejection, SignedIn};
use crate::error::ApiError;
use crate::path::Path;

#[derive(Template)]
#[template(path = "owner/account.html")]
struct ManagedAccountPage {
    layout: Layout,
    id: String,
    email: String,
    plan: &'static str,
    plans: [(&'static str, u32); 4],
    is_owner: bool,
    is_self: bool,
    disabled: Option<HumanTime>,
    created: HumanTime,
    password: &'static str,
    has_second_factor: bool,
    keys: Vec<KeyRow>,
    images: u64,
    confirm: Field,
}

/// The account in the URL of an owner's request.
pub(crate) struct ManagedAccount {
    app: Arc<App>,
    user: SignedIn,
    account: Account,
}

impl AsRef<SignedIn> for ManagedAccount {
    fn as_ref(&self) -> &SignedIn {
        &self.user
    }
}

impl FromRequestParts<Arc<App>> for ManagedAccount {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Rejection> {
        let Owner(user) = Owner::from_request_parts(parts, app).await?;
        let id = Path::<String>::from_request_parts(parts, app).await.ok().and_then(|Path(id)| AccountId::parse(&id));
        let account = match id {
            Some(id) => app.store.accounts().by_id(&id).await?,
            None => None,
        };
        let missing = || ApiError::not_found("Account not found; it may have been deleted.");
        Ok(Self { app: Arc::clone(app), user, account: account.ok_or_else(missing)? })
    }
}

pub(crate) async fn show(ManagedAccount { app, user, account }: ManagedAccount) -> Result<Response, ApiError> {
    account_page(&app, &user, &account, StatusCode::OK, confirm_field()).await
}

pub(crate) async fn set_plan(
    ConfirmedForm(ManagedAccount { app, user, account }, form): ConfirmedForm<ManagedAccount>,
) -> Result<Response, ApiError> {
    let plan: Plan = form.text("plan").parse().map_err(|_| ApiError::bad_field("plan", "Choose a plan."))?;
    app.store.accounts().set_plan(&account.id, plan).await?;
    let event = event(&app, &user, &account, AuditKind::PlanChanged);
    app.trail.record(event.detail(format!("{} to {plan}", account.plan)));
    Ok(changed(&account))
}

/// Disables or enables the account.
pub(crate) async fn set_disabled(
    ConfirmedForm(ManagedAccount { app, user, account }, form): ConfirmedForm<ManagedAccount>,
) -> Result<Response, ApiError> {
    let since = form.has("disabled", "yes").then(|| app.now());
    let set = app.store.accounts().set_disabled(&account.id, since).await?;
    set.ok_or_else(|| ApiError::new(StatusCode::CONFLICT, "is_owner", "An owner account cannot be disabled."))?;
    let kind = if since.is_some() { AuditKind::AccountDisabled } else { AuditKind::AccountEnabled };
    app.trail.record(event(&app, &user, &account, kind));
    Ok(changed(&account))
}

/// Gives the account owner rights or removes them.
pub(crate) async fn set_owner(
    ConfirmedForm(ManagedAccount { app, user, account }, form): ConfirmedForm<ManagedAccount>,
) -> Result<Response, ApiError> {
    let is_owner = form.has("owner", "yes");
    let set = app.store.accounts().set_owner(&account.id, is_owner).await?;
    let message = "The service needs at least one owner, and a disabled account cannot be an owner.";
    set.ok_or_else(|| ApiError::new(StatusCode::CONFLICT, "last_owner", message))?;
    let kind = if is_owner { AuditKind::OwnerAdded } else { AuditKind::OwnerRemoved };
    app.trail.record(event(&app, &user, &account, kind));
    Ok(changed(&account))
}

/// Creates a one-time sign-in link.
pub(crate) async fn make_link(
    ConfirmedForm(ManagedAccount { app, user, account }, _): ConfirmedForm<ManagedAccount>,
) -> Result<Response, ApiError> {
    show_link(&app, &user, &account, false).await
}

/// Turns the second factor off, for somebody who lost it.
pub(crate) async fn reset_second_factor(
    ConfirmedForm(ManagedAccount { app, user, account }, _): ConfirmedForm<ManagedAccount>,
) -> Result<Response, ApiError> {
    if app.store.second_factors().turn_off(&account.id).await? {
        app.trail.record(event(&app, &user, &account, AuditKind::SecondFactorOff));
    }
    Ok(changed(&account))
}

/// Deletes the account and all its data.
pub(crate) async fn delete(
    ConfirmedForm(ManagedAccount { app, user, account }, form): ConfirmedForm<ManagedAccount>,
) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    if Email::parse(form.text("confirm")).as_ref() != Some(&account.email) {
        problems.add("confirm", "This is not the email address of the account.");
    } else if account.id == user.account.id {
        problems.add("confirm", "This is your own account. Delete it on your account page.");
    } else if remove(&app, &account.id).await? == Removal::LastOwner {
        problems.add("confirm", "The last owner account cannot be deleted.");
    }
    if !problems.is_empty() {
        let confirm = confirm_field().resubmitted(&form, &problems);
        return account_page(&app, &user, &account, StatusCode::UNPROCESSABLE_ENTITY, confirm).await;
    }
    app.trail.record(event(&app, &user, &account, AuditKind::AccountDeleted));
    Ok(flash::redirect("/owner/accounts", "account-deleted"))
}

/// Describes what an owner did to an account.
fn event(app: &App, user: &SignedIn, account: &Account, kind: AuditKind) -> AuditEvent {
    AuditEvent::new(kind, app.now()).of(&account.id).by(&user.account.id).from(user.from)
}

fn changed(account: &Account) -> Response {
    flash::redirect(&format!("/owner/accounts/{}", account.id), "account-changed")
}

fn confirm_field() -> Field {
    Field::new(FieldKind::Email, "confirm", "Type the account’s email address to confirm")
        .autocomplete("off")
        .required()
}

async fn account_page(
    app: &App,
    user: &SignedIn,
    account: &Account,
    status: StatusCode,
    confirm: Field,
) -> Result<Response, ApiError> {
    let now = app.now();
    let account_page = ManagedAccountPage {
        layout: user.layout(Section::Owner),
        id: account.id.to_string(),
        email: account.email.to_string(),
        plan: account.plan.name(),
        plans: Plan::ALL.map(|plan| (plan.name(), app.limits.of(plan).requests_per_minute)),
        is_owner: account.is_owner,
        is_self: account.id == user.account.id,
        disabled: account.disabled_at.map(|at| HumanTime::relative(at, now)),
        created: HumanTime::relative(account.created_at, now),
        password: if account.password_hash.is_some() { "set" } else { "none; signs in with a link" },
        has_second_factor: app.store.second_factors().of(&account.id).await?.is_some(),
        keys: key_rows(app, &account.id, now).await?,
        images: app.store.images().bytes_of(&account.id).await?,
        confirm,
    };
    page(status, &account_page)
}
