//! The Model Context Protocol: the API as tools and resources for assistants, over HTTP at `/mcp` ([`http`]) and on the
//! standard streams of `morsel mcp`.
//!
//! A message ([`message`]) is answered by [`protocol`], which knows the methods and the revisions of the protocol, from
//! [`tools`] and [`resources`]. What they ask is in [`backend`]: the whole service, or the engine alone. [`summary`] says in
//! a few lines what [`schemas`] describe.
//!
//! Two kinds of revisions are spoken at the same path. Those up to 2025-11-25 begin with `initialize`; the later ones have
//! no beginning: every request says its revision. Neither needs a session, because a response depends on its request alone.
//!
//! **Why no library.** The official one, `rmcp`, adds twelve crates to the build, among them a second implementation of time
//! and of JSON schemas, and a task and channels to each request. Of the protocol, a server without sessions, streams and
//! questions to the client needs nine methods, each a function from a request to a response. Their results must be bodies
//! of the API, in its schemas, under its limits and statistics, which handlers of our own give without translation.

pub mod http;
pub mod protocol;
pub mod resources;
pub mod tools;
pub mod summary;
pub mod backend;
pub mod schemas;
pub mod message;
