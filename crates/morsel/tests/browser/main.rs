//! Tests of the pages in a real browser: one Chromium, one service, and the flows of this folder one after another.
//!
//! This is a program of its own, without libtest, because the browser must be closed at the end. It accepts parts of
//! names as any test does: `cargo test -p morsel --test browser -- docs`. Screenshots of every page are saved to
//! `target/screenshots`. With `MORSEL_PICTURES=docs/pictures` it only takes the screenshots of the README.

#[path = "../service/harness.rs"]
#[allow(dead_code, reason = "shared with the service's own tests, which use more of it")]
mod harness;

#[path = "../service/authenticator.rs"]
mod authenticator;
mod driver;
#[path = "../../../vision/tests/drawn/fruit.rs"]
#[allow(dead_code, reason = "shared with the tests of recognition, which use more of it")]
mod fruit;
mod page;
mod stage;

mod docs;
mod foods;
mod home;
mod keys;
mod log;
mod owner;
mod palette;
mod pictures;
mod playground;
mod recipes;
mod second_factor;
mod signing;
mod start;

use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::ExitCode;
use std::time::Instant;

use futures_util::FutureExt as _;
use stage::Stage;

type Flow = for<'a> fn(&'a Stage) -> Pin<Box<dyn Future<Output = ()> + 'a>>;

/// All flows by name.
const FLOWS: &[(&str, Flow)] = &[
    ("docs: the guide", |stage| Box::pin(docs::the_guide(stage))),
    ("docs: the reference", |stage| Box::pin(docs::the_reference(stage))),
    ("docs: trying with a session", |stage| Box::pin(docs::trying_with_a_session(stage))),
    ("docs: searching", |stage| Box::pin(docs::searching(stage))),
    ("palette: finding everything", |stage| Box::pin(palette::finding_everything(stage))),
    ("palette: for visitors", |stage| Box::pin(palette::for_visitors(stage))),
    ("foods: search as you type", |stage| Box::pin(foods::search_as_you_type(stage))),
    ("foods: without script", |stage| Box::pin(foods::without_script(stage))),
    ("home: the demo", |stage| Box::pin(home::the_demo(stage))),
    ("home: without script", |stage| Box::pin(home::without_script(stage))),
    ("playground: a meal in words", |stage| Box::pin(playground::a_meal_in_words(stage))),
    ("playground: what goes wrong", |stage| Box::pin(playground::what_goes_wrong(stage))),
    ("playground: a photo", |stage| Box::pin(playground::a_photo(stage))),
    ("playground: pins on a photo", |stage| Box::pin(playground::pins_on_a_photo(stage))),
    ("playground: without script", |stage| Box::pin(playground::without_script(stage))),
    ("recipes: from first to last", |stage| Box::pin(recipes::a_recipe_from_first_to_last(stage))),
    ("recipes: from ingredients", |stage| Box::pin(recipes::from_ingredients(stage))),
    ("start: the first steps", |stage| Box::pin(start::the_first_steps(stage))),
    ("keys: from first to last", |stage| Box::pin(keys::from_first_to_last(stage))),
    ("keys: usage", |stage| Box::pin(keys::usage(stage))),
    ("log: from a request id to the playground", |stage| Box::pin(log::from_a_request_id_to_the_playground(stage))),
    ("log: without script", |stage| Box::pin(log::without_script(stage))),
    ("log: usage by the minute", |stage| Box::pin(log::usage_by_the_minute(stage))),
    ("owner: accounts and health", |stage| Box::pin(owner::accounts_and_health(stage))),
    ("second factor: on, used, off", |stage| Box::pin(second_factor::on_used_off(stage))),
    ("second factor: confirming a step without script", |stage| {
        Box::pin(second_factor::confirming_a_step_without_script(stage))
    }),
    ("signing: from sign-up to deletion", |stage| Box::pin(signing::from_sign_up_to_deletion(stage))),
    ("signing: by keyboard alone", |stage| Box::pin(signing::by_keyboard_alone(stage))),
    ("signing: the first run", |stage| Box::pin(signing::the_first_run(stage))),
    ("signing: below a path", |stage| Box::pin(signing::below_a_path(stage))),
];

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(run(&wanted))
}

/// Returns the root of the workspace.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

async fn run(wanted: &[String]) -> ExitCode {
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    let flows: Vec<_> = FLOWS.iter().filter(|(name, _)| is_wanted(name)).collect();
    eprintln!("running {} flows in chromium", flows.len());
    let stage = Stage::set().await;
    if let Some(folder) = std::env::var_os("MORSEL_PICTURES") {
        pictures::make(&stage, &workspace().join(folder)).await;
        stage.page.stop().await;
        return ExitCode::SUCCESS;
    }
    let mut failed = Vec::new();
    for (name, flow) in &flows {
        let started = Instant::now();
        stage.page.reset().await;
        let outcome = AssertUnwindSafe(flow(&stage)).catch_unwind().await;
        let seconds = started.elapsed().as_secs_f64();
        if outcome.is_ok() {
            eprintln!("{name} … ok ({seconds:.1} s)");
        } else {
            eprintln!("{name} … FAILED ({seconds:.1} s)");
            stage.page.picture(&format!("failed-{}", name.replace([':', ' '], "-"))).await;
            failed.push(*name);
        }
    }
    stage.page.stop().await;
    eprintln!("{} passed, {} failed {failed:?}", flows.len() - failed.len(), failed.len());
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
