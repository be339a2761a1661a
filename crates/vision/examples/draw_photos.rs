//! Photos for tests of other programs, drawn by code: nutrition labels as phones photograph them, and soft shapes without any
//! print. The same in every run.
//!
//! `cargo run --release -p vision --example draw_photos FOLDER [NUMBER]`
//!
//! NUMBER (8) is how many of each are written, as `label-0.jpg` and `plain-0.jpg` and so on.

#[path = "../tests/drawn/mod.rs"]
mod drawn;

use std::path::PathBuf;

use drawn::canvas::Typeface;
use drawn::chance::Chance;
use drawn::clutter;
use drawn::label::{self, LAYOUTS};
use drawn::shot::Shot;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        eprintln!("Say into which folder the photos are to be written.");
        std::process::exit(2);
    };
    let number: usize = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(8);
    std::fs::create_dir_all(&folder)?;
    let typeface = Typeface::own();
    for at in 0..number {
        let mut chance = Chance::new(at as u64);
        let drawn = label::random(LAYOUTS[at % LAYOUTS.len()], &typeface, &mut chance);
        let shot = Shot {
            turn: chance.between(-10.0, 10.0),
            tilt: (chance.between(-10.0, 10.0), chance.between(-10.0, 10.0)),
            blur: 0.7,
            grain: 4.0,
            ..Shot::clean((1_200, 1_600))
        };
        std::fs::write(folder.join(format!("label-{at}.jpg")), shot.take(&drawn.picture, &mut chance))?;
        let plain = Shot { fill: 1.0, blur: 0.7, grain: 4.0, ..Shot::clean((1_600, 1_200)) };
        std::fs::write(folder.join(format!("plain-{at}.jpg")), plain.take(&clutter::shapes(&mut chance), &mut chance))?;
    }
    Ok(())
}
