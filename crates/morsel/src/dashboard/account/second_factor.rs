//! Two-factor authentication: turning it on with an authenticator app, recovery codes, turning it off.
//!
//! The form that turns it on contains the secret, which is stored only once a code of it was entered: a secret that no app
//! has would lock its user out.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use store::second_factor::RECOVERY_CODES;
use store::{AuditEvent, AuditKind, SecondFactor, TotpSecret};

use super::qr_code::QrSvg;
use crate::app::App;
use crate::dashboard::confirm::{Confirmed, ConfirmedForm, code_field};
use crate::dashboard::field::{Field, FieldKind};
use crate::dashboard::flash;
use crate::dashboard::form::{Form, Problems};
use crate::dashboard::human_time::HumanTime;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::proof;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;
use crate::sign_in::totp;

#[derive(Template)]
#[template(path = "account/second_factor_off.html")]
struct TurnOnPage {
    layout: Layout,
    qr_code: QrSvg,
    uri: String,
    secret: String,
    /// The secret in groups of four, for typing.
    groups: Vec<String>,
    code: Field,
}

#[derive(Template)]
#[template(path = "account/second_factor_on.html")]
struct TurnOffPage {
    layout: Layout,
    since: HumanTime,
    codes_left: u64,
    password: Option<Field>,
    code: Field,
}

#[derive(Template)]
#[template(path = "account/recovery_codes.html")]
struct RecoveryCodesPage {
    layout: Layout,
    codes: Vec<String>,
    /// The codes as a file, in a URL.
    file: String,
    is_new: bool,
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Confirmed(user): Confirmed<SignedIn>,
) -> Result<Response, ApiError> {
    if let Some(factor) = app.store.second_factors().of(&user.account.id).await? {
        return page(StatusCode::OK, &turn_off_page(&user, &factor, &Form::default(), &Problems::default()));
    }
    let secret = TotpSecret::generate(&mut app.rng());
    page(StatusCode::OK, &turn_on_page(&user, &secret, new_code_field())?)
}

/// Turns it on, if the app of the user shows the right code. All other sessions end.
pub(crate) async fn turn_on(
    State(app): State<Arc<App>>,
    ConfirmedForm(user, form): ConfirmedForm<SignedIn>,
) -> Result<Response, ApiError> {
    let secret = totp::from_text(form.text("secret"));
    let secret = secret.ok_or_else(|| ApiError::bad_field("secret", "Open this form again; its secret is damaged."))?;
    let (account, now) = (&user.account.id, app.now());
    let Some(step) = totp::matching_step(&secret, form.text("code"), now) else {
        let mut problems = Problems::default();
        problems.add("code", "This is not the current code. Check that the clock of your device is right.");
        let code = new_code_field().resubmitted(&form, &problems).value("");
        return page(StatusCode::UNPROCESSABLE_ENTITY, &turn_on_page(&user, &secret, code)?);
    };
    let turned_on = app.store.second_factors().turn_on(account, &secret, step, now, &mut app.rng()).await?;
    let Some(codes) = turned_on else {
        // Sent twice: the codes were shown in the first response only.
        return Ok(Redirect::to("/account/second-factor").into_response());
    };
    app.store.sessions().delete_others(account, &user.session.id).await?;
    app.trail.record(AuditEvent::new(AuditKind::SecondFactorOn, now).of(account).from(user.from));
    show_codes(&user, codes, true)
}

/// Replaces the recovery codes.
pub(crate) async fn replace_codes(
    State(app): State<Arc<App>>,
    ConfirmedForm(user, _): ConfirmedForm<SignedIn>,
) -> Result<Response, ApiError> {
    match app.store.second_factors().replace_recovery_codes(&user.account.id, &mut app.rng()).await? {
        Some(codes) => {
            let event = AuditEvent::new(AuditKind::RecoveryCodesReplaced, app.now()).of(&user.account.id);
            app.trail.record(event.from(user.from));
            show_codes(&user, codes, false)
        }
        None => Ok(Redirect::to("/account/second-factor").into_response()),
    }
}

/// Turns it off, with the password and a code: either alone may be stolen.
pub(crate) async fn turn_off(State(app): State<Arc<App>>, user: SignedIn, form: Form) -> Result<Response, ApiError> {
    let (factors, account) = (app.store.second_factors(), &user.account);
    let Some(factor) = factors.of(&account.id).await? else {
        return Ok(flash::redirect("/account", "second-factor-off"));
    };
    let mut problems = Problems::default();
    let has_password = account.password_hash.is_some();
    if has_password && !proof::is_password(&app, account, user.from, form.raw("password")).await? {
        problems.add("password", "Wrong password.");
    } else if !proof::spend_code(&app, &account.id, user.from, form.text("code")).await? {
        problems.add("code", "This code is wrong or was used before. Wait for the next one.");
    }
    if !problems.is_empty() {
        return page(StatusCode::UNPROCESSABLE_ENTITY, &turn_off_page(&user, &factor, &form, &problems));
    }
    factors.turn_off(&account.id).await?;
    app.trail.record(AuditEvent::new(AuditKind::SecondFactorOff, app.now()).of(&account.id).from(user.from));
    Ok(flash::redirect("/account", "second-factor-off"))
}

fn turn_on_page(user: &SignedIn, secret: &TotpSecret, code: Field) -> Result<TurnOnPage, ApiError> {
    let uri = totp::uri(secret, user.account.email.as_str());
    let text = totp::to_text(secret);
    let groups = text.as_bytes().chunks(4).map(|group| String::from_utf8_lossy(group).into_owned());
    Ok(TurnOnPage {
        layout: user.layout(Section::Account),
        qr_code: QrSvg::new(&uri)?,
        uri,
        groups: groups.collect(),
        secret: text,
        code,
    })
}

fn turn_off_page(user: &SignedIn, factor: &SecondFactor, form: &Form, problems: &Problems) -> TurnOffPage {
    let password = Field::new(FieldKind::Password, "password", "Password").autocomplete("current-password").required();
    let has_password = user.account.password_hash.is_some();
    TurnOffPage {
        layout: user.layout(Section::Account),
        since: HumanTime::exactly(factor.created_at),
        codes_left: factor.codes_left,
        password: has_password.then(|| password.resubmitted(form, problems)),
        code: code_field("code").resubmitted(form, problems).value(""),
    }
}

fn new_code_field() -> Field {
    Field::new(FieldKind::Text, "code", "Code from the app")
        .autocomplete("one-time-code")
        .max_length(10)
        .hint("Six digits. They change every half minute.")
        .required()
}

/// Shows recovery codes. This is the only response that contains them.
fn show_codes(user: &SignedIn, codes: Vec<String>, is_new: bool) -> Result<Response, ApiError> {
    debug_assert_eq!(codes.len(), RECOVERY_CODES);
    let text =
        format!("Recovery codes of {} for Morsel. Each works once.\n\n{}\n", user.account.email, codes.join("\n"));
    let file = format!("data:text/plain;charset=utf-8;base64,{}", BASE64.encode(text));
    page(StatusCode::OK, &RecoveryCodesPage { layout: user.layout(Section::Account), codes, file, is_new })
}
