//! Signing in: a key becomes a cookie, for programs in which a user name and a password can be set.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::app::App;
use crate::error::ApiError;
use crate::guard;
use crate::request::{BaseUrl, ClientAddress};
use crate::request_body::RequestBody;

/// Largest form: a name and a key.
const MAX_FORM: usize = 8 * 1_024;

/// Answers the form of a user name, which does not matter, and a password, which is an API key, with a cookie that holds the key.
pub async fn sign_in(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    let base = BaseUrl::of(&request, &app.config);
    let from = request.extensions().get::<ClientAddress>().map(|address| address.0);
    let form = RequestBody::read(&app, None, request.into_body(), MAX_FORM).await?;
    let mut fields = form_urlencoded::parse(&form.bytes);
    let key = fields.find(|(name, _)| name == "password").map(|(_, value)| value.into_owned()).unwrap_or_default();
    let key = key.trim();
    match guard::authenticate(&app, key, from, app.now()).await {
        Ok(_) => {
            let (path, secure) = (base.cookie_path(), if base.is_secure() { "; Secure" } else { "" });
            let cookie = format!("session={key}; HttpOnly; Path={path}; SameSite=Lax{secure}");
            let cookie = HeaderValue::from_str(&cookie).map_err(ApiError::internal)?;
            Ok(([(header::SET_COOKIE, cookie)], "You are signed in.\n").into_response())
        }
        // Programs look for this sentence.
        Err(error) if error.status == StatusCode::UNAUTHORIZED => {
            let message = "Incorrect user name or password: the password must be an API key.\n";
            Ok((StatusCode::FORBIDDEN, message).into_response())
        }
        Err(error) => Err(error),
    }
}
