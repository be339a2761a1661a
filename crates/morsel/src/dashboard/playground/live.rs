//! What the script of the playground calls: estimates as a part of the page, and photos.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;
use store::Mode;
use vision::photo::{MAX_BYTES, Photo};

use crate::api::estimate::include::{Extra, Include};
use crate::api::estimate::request::{EstimateRequest, Requester};
use crate::api::estimate::rows::EstimateAnswer;
use crate::api::estimate::sync;
use crate::api::images::{data_url, stored};
use crate::app::App;
use crate::dashboard::layout::page;
use crate::dashboard::meal::code::CodeView;
use crate::dashboard::meal::meal_view::{Actions, MealView};
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;
use crate::guard::count_request;
use crate::request_body::{self, RequestBody};

/// What the script puts into the page.
#[derive(Template)]
#[template(path = "playground/result.html")]
struct ResultPart {
    meal: MealView,
    code: CodeView,
}

/// The URL of an uploaded photo.
#[derive(Serialize)]
struct UploadedPhoto {
    url: String,
}

/// Estimates the body of an API request, and returns the result as HTML. The response that it shows as JSON is the API's, with the
/// extras that the body asks for.
pub(crate) async fn estimate(
    State(app): State<Arc<App>>,
    user: SignedIn,
    request: Request,
) -> Result<Response, ApiError> {
    count_request(&app, &user.account, Mode::Test).await?;
    let account = &user.account.id;
    app.texts.check(account)?;
    let (head, unread) = request.into_parts();
    let received = RequestBody::read(&app, Some(account), unread, request_body::MAX_WITH_PHOTOS).await?;
    let bytes = received.bytes.clone();
    let requester = Requester { account, mode: Mode::Test, recipes: app.account_cache.recipes(account).await? };
    let mut request = EstimateRequest::read(&app, requester, &head, received).await?;
    let asked = std::mem::replace(&mut request.include, Include::of(Extra::ALL));
    let request = Arc::new(request);
    let estimated = sync::estimated(&app, &request).await?;
    let whole = request.answer(&estimated.parts);
    let answer = EstimateAnswer {
        unresolved: whole.unresolved.clone().filter(|_| asked.has(Extra::Unresolved)),
        language: whole.language.filter(|_| asked.has(Extra::Language)),
        ..EstimateAnswer::from_parts(&estimated.parts, asked)
    };
    let sent: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let shown = ResultPart {
        meal: MealView::new(&whole, request.snapshot.engine.translator(), Actions::Corrections),
        code: CodeView::of_answer(&answer).with_request(&user.base.0, &sent),
    };
    page(StatusCode::OK, &shown)
}

/// Stores a photo.
pub(crate) async fn photo(State(app): State<Arc<App>>, user: SignedIn, body: Body) -> Result<Response, ApiError> {
    count_request(&app, &user.account, Mode::Test).await?;
    let account = &user.account.id;
    app.photos.check(account)?;
    let received = RequestBody::read(&app, Some(account), body, MAX_BYTES).await?;
    let prepare = move || {
        let photo = Photo::read(&received.bytes).map_err(|refusal| data_url::refused(&refusal))?;
        Ok::<_, ApiError>(((photo.width(), photo.height()), photo.encode()))
    };
    let (size, jpeg) = app.photos.try_run(account, prepare).await?;
    let image = stored::keep(&app, account, size, &jpeg).await?;
    Ok(Json(UploadedPhoto { url: format!("{}/v1/images/{}", user.base.0, image.id) }).into_response())
}
