//! One account, for whoever runs the service: its plan, whether it may be used, its end.

use std::sync::Arc;

use askama::Template;
use axum::extract::{FromRequestParts, Path};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use jiff::Timestamp;
use store::{Account, AccountId, Email, Plan, Removal};

use super::delete_account::remove;
use super::done::done;
use super::field::{Field, Kind};
use super::form::{Form, Problems};
use super::keys::{KeyLine, lines};
use super::layout::{Layout, Section};
use super::owner_accounts::link_shown;
use super::owner_health::size;
use super::visitor::{Away, Owner, SignedIn};
use super::when::When;
use super::{filters, page};
use crate::app::App;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "owner_account.html")]
struct AccountPage {
    layout: Layout,
    id: String,
    email: String,
    plan: &'static str,
    plans: [(&'static str, u32); 4],
    is_owner: bool,
    is_self: bool,
    disabled: Option<When>,
    created: When,
    has_password: bool,
    keys: Vec<KeyLine>,
    images: String,
    confirm: Field,
}

/// The account that an owner's address names.
pub(super) struct Chosen {
    app: Arc<App>,
    me: SignedIn,
    account: Account,
}

impl FromRequestParts<Arc<App>> for Chosen {
    type Rejection = Away;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Away> {
        let Owner(me) = Owner::from_request_parts(parts, app).await?;
        let id = Path::<String>::from_request_parts(parts, app).await.ok().and_then(|id| AccountId::parse(&id));
        let account = match id {
            Some(id) => app.store.accounts().by_id(&id).await.map_err(|error| Away::Error(error.into()))?,
            None => None,
        };
        let missing = || ApiError::not_found("There is no such account; it may have been deleted.");
        Ok(Self { app: Arc::clone(app), me, account: account.ok_or_else(|| Away::Error(missing()))? })
    }
}

pub(super) async fn show(Chosen { app, me, account }: Chosen) -> Result<Response, ApiError> {
    account_page(&app, &me, &account, StatusCode::OK, confirm_field()).await
}

pub(super) async fn set_plan(Chosen { app, account, .. }: Chosen, form: Form) -> Result<Response, ApiError> {
    let plan: Plan = form.text("plan").parse().map_err(|_| ApiError::bad_field("plan", "Choose one of the plans."))?;
    app.store.accounts().set_plan(&account.id, plan).await?;
    Ok(changed(&account))
}

/// Lets nobody in with the account from the next request on, or again.
pub(super) async fn set_disabled(Chosen { app, account, .. }: Chosen, form: Form) -> Result<Response, ApiError> {
    let since = form.has("disabled", "yes").then(Timestamp::now);
    let set = app.store.accounts().set_disabled(&account.id, since).await?;
    set.ok_or_else(|| ApiError::new(StatusCode::CONFLICT, "is_owner", "An owner’s account cannot be disabled."))?;
    Ok(changed(&account))
}

/// Makes the account an owner's, or no longer.
pub(super) async fn set_owner(Chosen { app, account, .. }: Chosen, form: Form) -> Result<Response, ApiError> {
    let set = app.store.accounts().set_owner(&account.id, form.has("owner", "yes")).await?;
    let message = "The service needs an owner, and a disabled account cannot be one.";
    set.ok_or_else(|| ApiError::new(StatusCode::CONFLICT, "last_owner", message))?;
    Ok(changed(&account))
}

/// A link that signs in to the account, once.
pub(super) async fn make_link(Chosen { app, me, account }: Chosen) -> Result<Response, ApiError> {
    link_shown(&app, &me, &account, false).await
}

/// Removes the account and everything it holds.
pub(super) async fn delete(Chosen { app, me, account }: Chosen, form: Form) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    if Email::parse(form.text("confirm")).as_ref() != Some(&account.email) {
        problems.add("confirm", "This is not the address of the account.");
    } else if account.id == me.account.id {
        problems.add("confirm", "This is your own account. Delete it on your account page.");
    } else if remove(&app, &account.id).await? == Removal::LastOwner {
        problems.add("confirm", "The last owner’s account cannot be deleted.");
    }
    if !problems.is_empty() {
        let confirm = confirm_field().again(&form, &problems);
        return account_page(&app, &me, &account, StatusCode::UNPROCESSABLE_ENTITY, confirm).await;
    }
    Ok(done("/owner/accounts", "account-deleted"))
}

fn changed(account: &Account) -> Response {
    done(&format!("/owner/accounts/{}", account.id), "account-changed")
}

fn confirm_field() -> Field {
    Field::new(Kind::Email, "confirm", "Type the e-mail address of the account").autocomplete("off").required()
}

async fn account_page(
    app: &App,
    me: &SignedIn,
    account: &Account,
    status: StatusCode,
    confirm: Field,
) -> Result<Response, ApiError> {
    let now = Timestamp::now();
    let account_page = AccountPage {
        layout: me.layout(Section::Owner),
        id: account.id.to_string(),
        email: account.email.to_string(),
        plan: account.plan.name(),
        plans: Plan::ALL.map(|plan| (plan.name(), app.config.limits.of(plan))),
        is_owner: account.is_owner,
        is_self: account.id == me.account.id,
        disabled: account.disabled_at.map(|at| When::from(at, now)),
        created: When::from(account.created_at, now),
        has_password: account.password_hash.is_some(),
        keys: lines(app, &account.id, now).await?,
        images: size(app.store.images().bytes_of(&account.id).await?),
        confirm,
    };
    page(status, &account_page)
}
