//! The OpenAPI document, from the handlers themselves.

use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{InfoBuilder, LicenseBuilder, OpenApi, SecurityRequirement, Tag};

/// Adds to the paths what holds for all of them.
pub fn complete(mut document: OpenApi) -> OpenApi {
    document.info = InfoBuilder::new()
        .title("Morsel")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "What a person ate, in words or in a photo, becomes foods with calories, protein, carbs and fat. \
             Every request carries an API key. Every answer to a valid key has the headers X-RateLimit-Limit, \
             X-RateLimit-Remaining and X-RateLimit-Reset, and every answer has X-Request-Id.",
        ))
        .license(Some(LicenseBuilder::new().name("Apache-2.0").identifier(Some("Apache-2.0")).build()))
        .build();
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("svc_live_… or svc_test_…").build();
    let components = document.components.get_or_insert_default();
    components.add_security_scheme("key", SecurityScheme::Http(bearer));
    document.security = Some(vec![SecurityRequirement::new::<_, [String; 0], String>("key", [])]);
    let tags = [
        ("estimates", "Meals become foods with numbers"),
        ("foods", "The food database"),
        ("recipes", "Your own recipes, whose numbers are used when an estimate mentions them"),
        ("photos", "Photos to be used in estimates"),
    ];
    let tag = |(name, description): (&str, &str)| {
        let mut tag = Tag::new(name);
        tag.description = Some(description.to_owned());
        tag
    };
    document.tags = Some(tags.map(tag).into());
    document
}
