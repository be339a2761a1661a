//! The OpenAPI document: what the handlers declare of themselves, completed with what holds for many of them and with what
//! they cannot declare.

mod rules;

use axum::http::Method;
use serde_json::Value;
use utoipa::openapi::path::{Operation, ParameterBuilder, ParameterIn};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{
    ContentBuilder, InfoBuilder, LicenseBuilder, ObjectBuilder, OpenApi, Ref, RefOr, Required, ResponseBuilder,
    SecurityRequirement, Server, Tag, Type,
};

use crate::routes::{ROUTES, Route};

/// Adds the document's head, the parameters and errors that endpoints have in common, and the rules that handlers cannot
/// declare. The paths are below the base path of the service.
pub fn complete(mut document: OpenApi, base_path: &str) -> Value {
    document.info = InfoBuilder::new()
        .title("Morsel")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Turns what a person ate, in words or photos, into foods with calories, protein, carbs and fat. \
             Every request needs an API key. Every response to a valid key has the headers X-RateLimit-Limit, \
             X-RateLimit-Remaining and X-RateLimit-Reset, and every response has X-Request-Id.",
        ))
        .license(Some(LicenseBuilder::new().name("Apache-2.0").identifier(Some("Apache-2.0")).build()))
        .build();
    document.servers = servers(base_path);
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("svc_live_… or svc_test_…").build();
    let components = document.components.get_or_insert_default();
    components.add_security_scheme("key", SecurityScheme::Http(bearer));
    document.security = Some(vec![SecurityRequirement::new::<_, [String; 0], String>("key", [])]);
    let tags = [
        ("estimates", "Nutrition of a meal"),
        ("foods", "The food database"),
        ("recipes", "Your own recipes, whose numbers are used when an estimate mentions them"),
        ("photos", "Photos for estimates"),
    ];
    let tag = |(name, description): (&str, &str)| {
        let mut tag = Tag::new(name);
        tag.description = Some(description.to_owned());
        tag
    };
    document.tags = Some(tags.map(tag).into());
    for route in &ROUTES {
        if let Some(operation) = operation(&mut document, route) {
            complete_operation(operation, route);
        }
    }
    let mut document = serde_json::to_value(document).expect("an OpenAPI document is JSON");
    rules::apply(&mut document);
    document
}

/// Adds the head of the document that describes what is understood in the dialects of other services.
pub fn complete_compat(mut document: OpenApi, base_path: &str) -> Value {
    document.servers = servers(base_path);
    document.info = InfoBuilder::new()
        .title("Morsel, in the dialects of other services")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Requests and responses as other services define them, so that programs written for those work with this one. \
             Parameters that are not listed are ignored. Every request needs an API key, in the place where the other \
             service expects it or in the header Authorization.",
        ))
        .license(Some(LicenseBuilder::new().name("Apache-2.0").identifier(Some("Apache-2.0")).build()))
        .build();
    serde_json::to_value(document).expect("an OpenAPI document is JSON")
}

/// Returns what precedes the paths of a document, if they are below a base path.
fn servers(base_path: &str) -> Option<Vec<Server>> {
    (!base_path.is_empty()).then(|| vec![Server::new(base_path)])
}

fn operation<'a>(document: &'a mut OpenApi, route: &Route) -> Option<&'a mut Operation> {
    let item = document.paths.paths.get_mut(route.path)?;
    match route.method {
        Method::GET => item.get.as_mut(),
        Method::POST => item.post.as_mut(),
        Method::PUT => item.put.as_mut(),
        Method::DELETE => item.delete.as_mut(),
        _ => None,
    }
}

/// Adds the errors that the guard, the reading of bodies and the server itself answer with.
fn complete_operation(operation: &mut Operation, route: &Route) {
    let responses = &mut operation.responses.responses;
    let mut add = |status: &str, description: &str| {
        responses.entry(status.to_owned()).or_insert_with(|| error(description));
    };
    add("400", "The request is invalid");
    add("401", "The API key is missing, invalid, revoked or expired");
    add("429", "Rate limit exceeded");
    add("500", "Something went wrong on the server");
    add("503", "The server is overloaded, or its database cannot be reached");
    if matches!(route.method, Method::POST | Method::PUT) {
        add("408", "The body took too long to arrive");
        add("413", "The body is too large");
    }
    if route.method == Method::POST {
        add("409", "A request with the same `Idempotency-Key` is being answered");
        add("422", "The `Idempotency-Key` was used for another request");
    }
    let denied = match route.scope {
        Some(scope) => format!("The key lacks the scope `{}`, or the account is disabled", scope.name()),
        None => "The account is disabled".to_owned(),
    };
    match responses.get_mut("403") {
        Some(RefOr::T(own)) => own.description = format!("{}. {}", own.description, denied),
        _ => drop(responses.insert("403".to_owned(), error(&denied))),
    }
    if route.method == Method::POST {
        let key = ParameterBuilder::new()
            .name("Idempotency-Key")
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some("Repeating a request with the same key within 24 hours repeats its response"))
            .schema(Some(idempotency_key()));
        operation.parameters.get_or_insert_default().push(key.build().into());
    }
}

fn idempotency_key() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(255)).pattern(Some("^[!-~]+$"))
}

fn error(description: &str) -> RefOr<utoipa::openapi::Response> {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
    ResponseBuilder::new().description(description).content("application/json", content).build().into()
}
