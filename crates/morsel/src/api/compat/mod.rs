//! What is understood in the dialects of other services: a folder or file for each, a thin translation of requests into those
//! of our own endpoints and of their results into the other service's rows. Where keys are and how errors look is in
//! [`dialect`](crate::dialect).

pub mod chat_completions;
pub mod ninjas;
pub mod nutritionix;
pub mod open_food_facts;
pub mod food_data_central;
pub mod searched;
pub mod estimated;
pub mod parameters;
pub mod page_number;
pub mod food_codes;

use std::sync::Arc;

use axum::routing::{get, post};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::dialect::OPEN_FOOD_FACTS_SIGN_IN;

/// Returns the routes, which `COMPAT_ROUTES` in [`routes`](crate::routes) lists.
pub fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .merge(chat_completions_routes())
        .routes(routes!(ninjas::calorie_ninjas))
        .routes(routes!(ninjas::api_ninjas))
        .merge(nutritionix_routes())
        .merge(open_food_facts_routes())
        .merge(food_data_central_routes())
}

fn chat_completions_routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(chat_completions::complete))
        .routes(routes!(chat_completions::models::list))
        .routes(routes!(chat_completions::models::get))
}

fn nutritionix_routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(nutritionix::natural_nutrients))
        .routes(routes!(nutritionix::search::instant))
        .routes(routes!(nutritionix::search::item, nutritionix::search::item_by_body))
        .route(nutritionix::picture::PICTURE, get(nutritionix::picture::get))
}

fn open_food_facts_routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(open_food_facts::search::classic))
        .routes(routes!(open_food_facts::search::by_tags))
        .routes(routes!(open_food_facts::search::hits, open_food_facts::search::posted_hits))
        .routes(routes!(open_food_facts::by_code::get))
        .route(OPEN_FOOD_FACTS_SIGN_IN, post(open_food_facts::sign_in::sign_in))
}

fn food_data_central_routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(food_data_central::search::get, food_data_central::search::post))
        .routes(routes!(food_data_central::by_id::get_one))
        .routes(routes!(food_data_central::by_id::get_several, food_data_central::by_id::post_several))
        .routes(routes!(food_data_central::by_id::list))
}
