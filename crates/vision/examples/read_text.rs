//! Prints the text of photos, every line with its confidence and place, then the label, the bar codes and the dishes.
//!
//! `cargo run --release -p vision --example read_text PHOTO…`

use std::time::Instant;

use vision::dish::DishRecognizer;
use vision::photo::Photo;
use vision::text::{TextLine, TextReader};
use vision::{barcode, label};

fn main() {
    let start = Instant::now();
    let (reader, recognizer) = (TextReader::load(1), DishRecognizer::load(1, true));
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
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let start = Instant::now();
        let density = reader.text_density(&photo);
        let density_took = start.elapsed();
        let start = Instant::now();
        let page = reader.read(&photo);
        let took = start.elapsed();
        eprintln!(
            "{path}: {photo:?}, {:.1} % text, measured in {:.0} ms; {} lines read in {:.0} ms, at {:.0}°",
            density * 100.0,
            density_took.as_secs_f64() * 1e3,
            page.lines.len(),
            took.as_secs_f64() * 1e3,
            page.angle.to_degrees(),
        );
        for TextLine { text, confidence, place } in &page.lines {
            eprintln!(
                "  {confidence:.2} ({:>4.0}, {:>4.0}) {:>4.0} × {:>3.0} {text}",
                place.center.0, place.center.1, place.length, place.thickness
            );
        }
        eprintln!("  {:?}\n  {:?}\n  {:?}", label::parse(&page), barcode::find(&photo), recognizer.recognize(&photo));
    }
}
