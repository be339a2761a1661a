//! One product by its code. Each version of the API has its own way to say that there is none.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use bytes::Bytes;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::product::{Product, ProductForm};
use crate::api::compat::food_codes;
use crate::api::compat::parameters::Parameters;
use crate::api::response::json_response;
use crate::app::App;
use crate::error::ApiError;
use crate::path::Path;
use crate::request::BaseUrl;

/// The most digits of a code.
const MAX_DIGITS: usize = 24;

/// Get a product, as Open Food Facts does
///
/// The code may be written in any form: UPC-A, UPC-E, EAN-8, EAN-13 or GTIN-14, with or without zeros in front and `.json` at the
/// end. Foods without a barcode have a code that starts with 2. Versions 0 to 2 differ only in the status of a product that is not
/// found: 200 in version 0, else 404.
#[utoipa::path(get, path = "/api/{version}/product/{code}", operation_id = "get_product", tag = "open food facts", params(
    ("version" = String, Path, description = "The version of the API: v0, v1, v2 or v3"),
    ("code" = String, Path, description = "The digits under the barcode"),
    ("fields" = Option<String>, Query, description = "The fields of the product to send, separated by commas; by default all"),
    ("lc" = Option<String>, Query, description = "The language of the name"),
), responses(
    (status = 200, description = "The product", body = FoundProduct<'static>),
    (status = 404, description = "There is no product with this code"),
))]
pub async fn get(
    State(app): State<Arc<App>>,
    Path((version, code)): Path<(String, String)>,
    request: Request,
) -> Result<Response, ApiError> {
    let version = Version::parse(&version).ok_or_else(|| ApiError::not_found("There is nothing at this URL."))?;
    let code = code.strip_suffix(".json").unwrap_or(&code);
    if code.is_empty() || code.len() > MAX_DIGITS || !code.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(version.invalid(code));
    }
    let snapshot = app.engine.snapshot();
    let Some(food) = food_codes::by_barcode(&snapshot.catalog, code) else { return Ok(version.not_found(code)) };
    let BaseUrl(base_url) = BaseUrl::of(&request, &app.config);
    let form = ProductForm::read(&Parameters::of_query(request.uri()), base_url, false);
    match Product::new(&snapshot, &food, &form, None) {
        Some(product) => version.found(&product),
        None => Ok(version.not_found(code)),
    }
}

/// A product that was found, up to version 2.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundProduct<'a> {
    /// The product's code.
    code: &'a str,
    /// Always 1.
    status: u8,
    /// Always "product found".
    status_verbose: &'static str,
    /// The product.
    #[schema(value_type = Object)]
    product: &'a Product<'a>,
}

/// A product that was found, from version 3 on.
#[derive(Debug, Serialize)]
struct FoundProductV3<'a> {
    code: &'a str,
    status: &'static str,
    result: Value,
    errors: [(); 0],
    warnings: [(); 0],
    product: &'a Product<'a>,
}

/// The versions of the API that differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    Zero,
    OneOrTwo,
    Three,
}

impl Version {
    fn parse(text: &str) -> Option<Self> {
        let number = text.strip_prefix('v')?;
        match number.split('.').next()? {
            "0" => Some(Self::Zero),
            "1" | "2" => Some(Self::OneOrTwo),
            "3" => Some(Self::Three),
            _ => None,
        }
    }

    fn found(self, product: &Product<'_>) -> Result<Response, ApiError> {
        let code = product.code.as_str();
        let body = match self {
            Self::Zero | Self::OneOrTwo => {
                serde_json::to_vec(&FoundProduct { code, status: 1, status_verbose: "product found", product })
            }
            Self::Three => {
                let result = named("product_found", "Product found");
                let (errors, warnings) = ([], []);
                serde_json::to_vec(&FoundProductV3 { code, status: "success", result, errors, warnings, product })
            }
        };
        Ok(json_response(Bytes::from(body.map_err(ApiError::internal)?)))
    }

    fn not_found(self, code: &str) -> Response {
        let status = if self == Self::Zero { StatusCode::OK } else { StatusCode::NOT_FOUND };
        self.failure(status, code, "product_not_found", "product not found")
    }

    /// Answers a code that cannot be one. Up to version 2 this is no error, and programs rely on it.
    fn invalid(self, code: &str) -> Response {
        let status = if self == Self::Three { StatusCode::BAD_REQUEST } else { StatusCode::OK };
        let code: String = code.chars().take(MAX_DIGITS).collect();
        self.failure(status, &code, "invalid_code", "no code or invalid code")
    }

    fn failure(self, status: StatusCode, code: &str, id: &str, name: &str) -> Response {
        let body = match self {
            Self::Zero | Self::OneOrTwo => json!({"code": code, "status": 0, "status_verbose": name}),
            Self::Three => {
                let field = json!({"id": "code", "value": code});
                let error = json!({"message": named(id, name), "field": field, "impact": named("failure", "Failure")});
                let result = named(id, name);
                json!({"code": code, "status": "failure", "result": result, "errors": [error], "warnings": []})
            }
        };
        let mut response = json_response(Bytes::from(body.to_string()));
        *response.status_mut() = status;
        response
    }
}

/// Something that programs know by its id, and people by its name.
fn named(id: &str, name: &str) -> Value {
    json!({"id": id, "name": name, "lc_name": name})
}
