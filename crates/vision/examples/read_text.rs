//! What is read in photos: every line with its confidence and place, then the label, the bar codes and the dishes, if any.
//!
//! `cargo run --release -p vision --example read_text PHOTO…`

use std::time::Instant;

use vision::dish::Dishes;
use vision::photo::Photo;
use vision::text::Reader;
use vision::{barcode, label, text};

fn main() {
    let start = Instant::now();
    let (reader, dishes) = (Reader::load(1), Dishes::load(1, true));
    eprintln!("loaded in {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    for path in std::env::args().skip(1) {
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let photo = match Photo::read(&bytes) {
            Ok(photo) => photo,
            Err(refusal) => {
                eprintln!("{path}: {refusal}");
                continue;
            }
        };
        let start = Instant::now();
        let glance = reader.glance(&photo);
        let glanced = start.elapsed();
        let start = Instant::now();
        let page = reader.read(&photo);
        let took = start.elapsed();
        eprintln!(
            "{path}: {photo:?}, {:.1} % print, seen in {:.0} ms; {} lines in {:.0} ms, running at {:.0}°",
            glance * 100.0,
            glanced.as_secs_f64() * 1e3,
            page.lines.len(),
            took.as_secs_f64() * 1e3,
            page.angle.to_degrees(),
        );
        for text::Line { text, confidence, place } in &page.lines {
            eprintln!(
                "  {confidence:.2} ({:>4.0}, {:>4.0}) {:>4.0} × {:>3.0} {text}",
                place.center.0, place.center.1, place.length, place.thickness
            );
        }
        eprintln!("  {:?}\n  {:?}\n  {:?}", label::parse(&page), barcode::find(&photo), dishes.see(&photo));
    }
}
