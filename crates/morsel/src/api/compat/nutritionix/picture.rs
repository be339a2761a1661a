//! The picture that stands for every food, since clients expect one.

use axum::http::header;
use axum::http::request::Parts;
use axum::response::IntoResponse;

use crate::app::App;
use crate::request::BaseUrl;

/// Where the picture is.
pub const PICTURE: &str = "/compat/nutritionix/food.png";

/// Sends the picture. It needs no key.
pub async fn get() -> impl IntoResponse {
    let headers = [(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "public, max-age=86400")];
    (headers, include_bytes!("../../../../assets/food.png").as_slice())
}

/// Returns the URL of the picture, for the sender of a request.
pub fn picture_url(app: &App, head: &Parts) -> String {
    BaseUrl::of_parts(head, &app.config).0 + PICTURE
}
