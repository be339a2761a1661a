//! The documentation of the API at `/docs`, open to everyone. It is rendered once, at start: the guide from `docs/API.md`,
//! the reference from the OpenAPI document, with a page for each endpoint, and a page for each error code.

pub(super) mod pages;
pub(super) mod try_it;
pub(super) mod search;
pub(super) mod accuracy;
pub(super) mod first_request;
mod reference;
mod guide;
mod fields;
mod samples;
pub(super) mod highlight;
mod html;
pub mod examples;
