//! Nutritionix, version 2: a text becomes foods with nutrients, and foods are searched by name, id or barcode.
//!
//! `x-app-id` and `x-remote-user-id` are ignored; the key is in `x-app-key`.

pub mod search;
pub mod picture;
pub mod rows;
pub mod attributes;

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::{Extension, Json};
use meal::{MAX_CHARS, Part};

use self::picture::picture_url;
use self::rows::{NixContext, NixFood, NixFoods, NixLineError};
use super::estimated::estimate;
use super::parameters::Parameters;
use crate::api::estimate::body::CheckedBody;
use crate::app::App;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::request_body::{MAX_JSON, RequestBody};
use crate::speaker::ENGLISH;

/// What clients compare when nothing was recognized.
const NO_MATCH: &str = "We couldn't match any of your foods";
/// Nutritionix' number for this.
const NO_MATCH_CODE: u16 = 100;
/// The largest number of servings that a text may be divided by.
const MAX_SERVINGS: f64 = 1_000.0;
/// Longest name of a meal.
const MAX_NAME: usize = 200;

/// Estimate a meal, as Nutritionix does
///
/// JSON or a form. Amounts that are not stated are normal portions.
#[utoipa::path(post, path = "/v2/natural/nutrients", tag = "nutritionix", request_body(
    content = inline(Object), description = "`query` (required): what was eaten. `num_servings`: divides all numbers. `aggregate`: a name under which all foods are added up. `line_delimited`: reports lines that were not understood. `consumed_at`, `meal_type`: repeated in the answer. `locale`: the language, such as `de_DE`. Others are ignored."
), responses(
    (status = 200, description = "The foods", body = NixFoods),
    (status = 404, description = "Nothing was recognized"),
))]
pub async fn natural_nutrients(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Json<NixFoods>, ApiError> {
    let (head, unread) = request.into_parts();
    let body = RequestBody::read(&app, Some(&caller.account.id), unread, MAX_JSON).await?;
    let parameters = Parameters::of_body(&head.headers, &body.bytes)?;
    let text = parameters.words("query").ok_or_else(|| ApiError::bad_field("query", "“query” is required."))?;
    if text.chars().count() > MAX_CHARS {
        return Err(ApiError::bad_field("query", format!("“query” may have at most {MAX_CHARS} characters.")));
    }
    let context = context(&app, &head, &parameters)?;
    let meal = CheckedBody { language: language(&app, &parameters), ..CheckedBody::from_text(text.to_owned()) };
    let estimated = estimate(&app, &caller, &head, meal).await?;
    let mut foods: Vec<NixFood> = estimated.parts.iter().filter_map(|part| NixFood::of_part(part, &context)).collect();
    if foods.is_empty() {
        return Err(ApiError::not_found(NO_MATCH));
    }
    if let Some(name) = parameters.words("aggregate").filter(|name| !matches!(*name, "false" | "0")) {
        let name: String = name.chars().take(MAX_NAME).collect();
        // Each was divided by the servings already.
        foods = vec![NixFood::aggregated(&foods, &name, &NixContext { servings: 1.0, ..context })];
    }
    let by_line = parameters.flag("line_delimited").unwrap_or_default();
    let errors = estimated.parts.iter().filter(|_| by_line).filter_map(line_error).collect();
    Ok(Json(NixFoods { foods, errors }))
}

fn context(app: &App, head: &Parts, parameters: &Parameters) -> Result<NixContext, ApiError> {
    let servings = parameters.number("num_servings").unwrap_or(1.0);
    if !(servings > 0.0 && servings <= MAX_SERVINGS) {
        let message = format!("“num_servings” must be greater than 0 and at most {MAX_SERVINGS}.");
        return Err(ApiError::bad_field("num_servings", message));
    }
    let consumed_at = parameters.words("consumed_at").filter(|time| time.len() <= MAX_NAME).map(str::to_owned);
    let meal_type = parameters.number("meal_type").filter(|number| (1.0..=7.0).contains(number));
    Ok(NixContext {
        picture: picture_url(app, head),
        consumed_at: consumed_at.unwrap_or_else(|| app.now().strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string()),
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to 7")]
        meal_type: meal_type.map(|number| number as u8),
        servings,
    })
}

/// Returns the language of a locale, if it is another than English, which is what clients say by default.
fn language(app: &App, parameters: &Parameters) -> Option<String> {
    let code = parameters.words("locale")?.split(['-', '_']).next()?.to_ascii_lowercase();
    let snapshot = app.engine.snapshot();
    let is_known = code != ENGLISH && snapshot.engine.translator().language(&code).is_some();
    is_known.then_some(code)
}

fn line_error(part: &Part) -> Option<NixLineError> {
    match part {
        Part::Unresolved(words) => {
            Some(NixLineError { original_text: words.clone(), err_code: NO_MATCH_CODE, err_msg: NO_MATCH })
        }
        Part::Food(_) | Part::Recipe(_) => None,
    }
}
