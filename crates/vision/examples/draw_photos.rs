//! Draws photos for tests of other programs: nutrition labels as phones photograph them, and shapes without any text.
//! They are the same in every run.
//!
//! `cargo run --release -p vision --example draw_photos FOLDER [NUMBER]`
//!
//! Writes NUMBER (8) photos of each kind, as `label-0.jpg`, `plain-0.jpg` and so on.

#[path = "../tests/drawn/mod.rs"]
mod drawn;

use std::path::PathBuf;

use drawn::canvas::Typeface;
use drawn::clutter;
use drawn::label::{self, LAYOUTS};
use drawn::random::Random;
use drawn::shot::Shot;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        eprintln!("Usage: draw_photos FOLDER [NUMBER]");
        std::process::exit(2);
    };
    let number: usize = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(8);
    std::fs::create_dir_all(&folder)?;
    let typeface = Typeface::built_in();
    for at in 0..number {
        let mut random = Random::new(at as u64);
        let drawn = label::random(LAYOUTS[at % LAYOUTS.len()], &typeface, &mut random);
        let shot = Shot {
            turn: random.between(-10.0, 10.0),
            tilt: (random.between(-10.0, 10.0), random.between(-10.0, 10.0)),
            blur: 0.7,
            grain: 4.0,
            ..Shot::clean((1_200, 1_600))
        };
        std::fs::write(folder.join(format!("label-{at}.jpg")), shot.take(&drawn.picture, &mut random))?;
        let plain = Shot { fill: 1.0, blur: 0.7, grain: 4.0, ..Shot::clean((1_600, 1_200)) };
        std::fs::write(folder.join(format!("plain-{at}.jpg")), plain.take(&clutter::shapes(&mut random), &mut random))?;
    }
    Ok(())
}
