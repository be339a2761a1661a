//! The limits of the plans, which owners can change.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use store::{AuditEvent, AuditKind, Plan, StoredLimits};

use crate::app::App;
use crate::dashboard::confirm::ConfirmedForm;
use crate::dashboard::filters;
use crate::dashboard::flash;
use crate::dashboard::form::Form;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::visitor::{Owner, SignedIn};
use crate::error::ApiError;
use crate::live_limits::EffectiveLimits;
use crate::path::Path;

/// The largest values. The log of an account is read as a whole to be filtered.
const MAX_REQUESTS: u32 = 1_000_000;
const MAX_LOG_REQUESTS: u32 = 20_000;
const MAX_LOG_DAYS: u32 = 90;

/// A number of the form: its name, its label and its largest value.
const FIELDS: [(&str, &str, u32); 3] = [
    ("requests_per_minute", "Requests per minute", MAX_REQUESTS),
    ("log_requests", "Requests in the log", MAX_LOG_REQUESTS),
    ("log_days", "Days in the log", MAX_LOG_DAYS),
];

#[derive(Template)]
#[template(path = "owner/plans.html")]
struct PlansPage {
    layout: Layout,
    plans: Vec<PlanForm>,
}

struct PlanForm {
    name: &'static str,
    is_edited: bool,
    configured: EffectiveLimits,
    fields: Vec<NumberField>,
}

struct NumberField {
    name: &'static str,
    label: &'static str,
    max: u32,
    value: String,
    error: Option<String>,
}

pub(crate) async fn show(State(app): State<Arc<App>>, Owner(user): Owner) -> Result<Response, ApiError> {
    plans_page(&app, &user, StatusCode::OK, None)
}

/// Changes the limits of a plan, or returns it to those of the settings.
pub(crate) async fn save(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    ConfirmedForm(Owner(user), form): ConfirmedForm<Owner>,
) -> Result<Response, ApiError> {
    let plan: Plan = name.parse().map_err(|_| ApiError::not_found("Plan not found."))?;
    let event = AuditEvent::new(AuditKind::PlanLimitsChanged, app.now()).by(&user.account.id).from(user.from);
    if form.has("reset", "yes") {
        app.store.plan_limits().reset(plan).await?;
        app.trail.record(event.detail(format!("{plan}: reset")));
    } else {
        let numbers = FIELDS.map(|(name, _, max)| number(form.text(name), max));
        let [Ok(requests_per_minute), Ok(log_requests), Ok(log_days)] = numbers else {
            return plans_page(&app, &user, StatusCode::UNPROCESSABLE_ENTITY, Some((plan, &form)));
        };
        app.store.plan_limits().set(StoredLimits { plan, requests_per_minute, log_requests, log_days }).await?;
        let detail = format!("{plan}: {requests_per_minute} per minute, log {log_requests} requests, {log_days} days");
        app.trail.record(event.detail(detail));
    }
    app.limits.refresh(&app.store).await?;
    Ok(flash::redirect("/owner/plans", "plan-changed"))
}

/// Reads a number from 1 to a maximum.
fn number(text: &str, max: u32) -> Result<u32, String> {
    let digits: String = text.chars().filter(|c| !matches!(c, ',' | ' ')).collect();
    let number = digits.parse().ok().filter(|number| (1..=max).contains(number));
    number.ok_or_else(|| format!("Enter a whole number from 1 to {max}."))
}

/// Shows the forms of all plans; that of one as it was sent, with what is wrong with it.
fn plans_page(
    app: &App,
    user: &SignedIn,
    status: StatusCode,
    sent: Option<(Plan, &Form)>,
) -> Result<Response, ApiError> {
    let form_of = |plan: Plan| {
        let limits = app.limits.of(plan);
        let saved = [limits.requests_per_minute, limits.log_requests, limits.log_days];
        let form = sent.filter(|(of, _)| *of == plan).map(|(_, form)| form);
        let field = |((name, label, max), saved): ((&'static str, &'static str, u32), u32)| NumberField {
            name,
            label,
            max,
            value: form.map_or_else(|| saved.to_string(), |form| form.text(name).to_owned()),
            error: form.and_then(|form| number(form.text(name), max).err()),
        };
        PlanForm {
            name: plan.name(),
            is_edited: limits.is_edited,
            configured: app.limits.configured(plan),
            fields: FIELDS.into_iter().zip(saved).map(field).collect(),
        }
    };
    let plans = Plan::ALL.into_iter().map(form_of).collect();
    page(status, &PlansPage { layout: user.layout(Section::Owner), plans })
}
