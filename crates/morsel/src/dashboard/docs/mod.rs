//! The documentation of the API at `/docs`, open to everyone. It is rendered once, at start: the guide from `docs/API.md`,
//! the reference from the OpenAPI document.

pub(super) mod pages;
mod reference;
mod guide;
mod fields;
mod samples;
mod highlight;
mod html;
pub mod examples;
