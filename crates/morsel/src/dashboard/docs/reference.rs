//! The reference: every endpoint of the OpenAPI document.

use serde_json::Value;

use super::examples;
use super::fields::{SchemaField, fields, kind};
use super::highlight::{Language, sample, samples};
use super::html::slug;
use super::samples::Sample;
use crate::routes::{self, ROUTES};

/// A parameter of a request.
#[derive(Debug)]
pub(super) struct EndpointParameter {
    pub name: String,
    /// `path`, `query` or `header`.
    pub place: String,
    pub kind: String,
    pub is_required: bool,
    pub description: String,
    /// The initial value in the “Try it” form.
    pub example: String,
}

/// A response of an endpoint.
#[derive(Debug)]
pub(super) struct EndpointResponse {
    pub status: String,
    pub description: String,
    pub fields: Vec<SchemaField>,
}

/// An endpoint.
#[derive(Debug)]
pub(super) struct Endpoint {
    /// The last part of its page's URL.
    pub id: String,
    pub method: &'static str,
    pub path: &'static str,
    pub summary: String,
    pub description: String,
    pub scope: Option<&'static str>,
    pub parameters: Vec<EndpointParameter>,
    pub body: Vec<SchemaField>,
    pub success: Vec<EndpointResponse>,
    pub errors: Vec<EndpointResponse>,
    /// The initial body in the “Try it” form.
    pub example_body: Option<&'static str>,
    /// The example in every language, as HTML.
    pub samples: String,
    /// The response to the example, as HTML.
    pub response: String,
}

impl Endpoint {
    /// Whether a request changes what the account has stored.
    pub fn is_change(&self) -> bool {
        self.method != "GET" && !self.path.starts_with("/v1/estimate")
    }
}

/// A group of endpoints: a tag of the OpenAPI document.
#[derive(Debug)]
pub(super) struct EndpointGroup {
    pub id: String,
    pub name: String,
    pub description: String,
    pub endpoints: Vec<Endpoint>,
}

/// Returns all endpoints, by group.
pub(super) fn groups(document: &Value) -> Vec<EndpointGroup> {
    let tags = document["tags"].as_array().cloned().unwrap_or_default();
    let group = |tag: &Value| {
        let name = tag["name"].as_str().unwrap_or_default();
        let of_group = |route: &&routes::Route| operation(document, route)["tags"][0] == name;
        let endpoints = ROUTES.iter().filter(of_group).map(|route| endpoint(document, route)).collect();
        let description = text(&tag["description"]);
        let mut shown = name.to_owned();
        if let Some(first) = shown.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        EndpointGroup { id: slug(name), name: shown, description, endpoints }
    };
    tags.iter().map(group).collect()
}

fn operation<'a>(document: &'a Value, route: &routes::Route) -> &'a Value {
    &document["paths"][route.path][route.method.as_str().to_lowercase()]
}

fn endpoint(document: &Value, route: &'static routes::Route) -> Endpoint {
    let operation = operation(document, route);
    let example = examples::of(route.name);
    let responses =
        operation["responses"].as_object().into_iter().flatten().map(|(status, response)| EndpointResponse {
            status: status.clone(),
            description: text(&response["description"]),
            fields: content(response).map(|schema| fields(document, schema)).unwrap_or_default(),
        });
    let (success, errors) = responses.partition(|response| response.status.starts_with('2'));
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    Endpoint {
        id: slug(route.name),
        method: route.method.as_str(),
        path: route.path,
        summary: text(&operation["summary"]),
        description: text(&operation["description"]),
        scope: route.scope.map(store::Scope::name),
        parameters: parameters.map(|each| parameter(document, each, example)).collect(),
        body: content(&operation["requestBody"]).map(|schema| fields(document, schema)).unwrap_or_default(),
        success,
        errors,
        example_body: example.and_then(|example| example.body),
        samples: example.map(|example| requests(route, example)).unwrap_or_default(),
        response: example.map(response).unwrap_or_default(),
    }
}

/// Returns the schema of a body, whatever its media type.
fn content(message: &Value) -> Option<&Value> {
    message["content"].as_object()?.values().next().map(|content| &content["schema"])
}

fn parameter(document: &Value, parameter: &Value, example: Option<&examples::Example>) -> EndpointParameter {
    let name = text(&parameter["name"]);
    let place = text(&parameter["in"]);
    let example = example.and_then(|example| match place.as_str() {
        "path" => example.path.rsplit('/').next().map(str::to_owned),
        "query" => {
            let (_, query) = example.path.split_once('?')?;
            let mut pairs = form_urlencoded::parse(query.as_bytes());
            pairs.find(|(key, _)| *key == name).map(|(_, value)| value.into_owned())
        }
        _ => None,
    });
    EndpointParameter {
        kind: kind(document, &parameter["schema"]),
        is_required: parameter["required"] == true,
        description: text(&parameter["description"]),
        example: example.unwrap_or_default(),
        name,
        place,
    }
}

fn requests(route: &routes::Route, example: &examples::Example) -> String {
    let request = Sample {
        section: Some(route.name.to_owned()),
        method: route.method.to_string(),
        path: example.path.to_owned(),
        headers: Vec::new(),
        body: example.body.map(str::to_owned),
        key: None,
    };
    samples("request", &request.in_all_languages())
}

fn response(example: &examples::Example) -> String {
    let language = if example.response.starts_with('{') { Language::Json } else { Language::Plain };
    sample(language, example.response)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
