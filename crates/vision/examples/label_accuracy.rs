//! Measures how many nutrition labels are read correctly: drawn ones, American and European, clean and as phones
//! photograph them. A label is correct if energy, protein, carbohydrate and fat are all as printed, for the right
//! amount of food. Times are the CPU time from the bytes of a photo to all that it shows, including the search for bar
//! codes and dishes.
//!
//! `cargo run --release -p vision --example label_accuracy [NUMBER] [FONTS] [FOLDER]`
//!
//! Draws NUMBER (240) clean labels, and as many distorted ones. FONTS is a folder with typefaces to use beside the one
//! that comes with the tests (`/usr/share/fonts`); on Debian: `apt install fonts-liberation fonts-open-sans
//! fonts-roboto-unhinted`. The photos that were misread are written to FOLDER.

#[path = "../tests/drawn/mod.rs"]
mod drawn;
#[path = "measured/mod.rs"]
mod measured;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use drawn::canvas::Typeface;
use drawn::clutter;
use drawn::label::{self, DrawnLabel, LAYOUTS};
use drawn::random::Random;
use drawn::shot::Shot;
use measured::{Times, memory};
use nutrition::sighting::{Label, Sighting};
use vision::photo::Photo;
use vision::text::TextReader;
use vision::{PhotoAnalyzer, Settings};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number: usize = arguments.first().and_then(|number| number.parse().ok()).unwrap_or(240);
    let typefaces = typefaces(Path::new(arguments.get(1).map_or("/usr/share/fonts", String::as_str)));
    let folder = arguments.get(2).map(PathBuf::from);
    let start = Instant::now();
    let (analyzer, reader) = (PhotoAnalyzer::new(Settings::default()), TextReader::load(1));
    // Loads all networks.
    drop(analyzer.analyze(&clutter::photo(1, (256, 256), &typefaces[0], &mut Random::new(1)), |_| false));
    eprintln!("networks loaded after {:.0} ms; {} typefaces", start.elapsed().as_secs_f64() * 1e3, typefaces.len());
    for is_clean in [true, false] {
        let mut rows: BTreeMap<String, (usize, usize, usize)> = BTreeMap::new();
        let mut times = Times::default();
        for at in 0..number {
            // Each label has a generator of its own, so that it does not depend on how many are drawn.
            let mut random = Random::new(2 * at as u64 + u64::from(is_clean));
            let typeface = &typefaces[at / LAYOUTS.len() % typefaces.len()];
            let drawn = label::random(LAYOUTS[at % LAYOUTS.len()], typeface, &mut random);
            let shot = if is_clean { clean(&mut random) } else { distorted(&mut random) };
            let file = shot.take(&drawn.picture, &mut random);
            let read = || Photo::read(&file).expect("the file was just written");
            let sightings = times.of(|| analyzer.analyze(&read(), |_| false));
            let found = sightings.iter().find_map(label_of);
            let confidence = found.and_then(|_| vision::label::find(&reader, &read())).map(|label| label.confidence);
            let right = found.is_some_and(|label| is_right(label, &drawn));
            let sure = confidence.is_some_and(|confidence| confidence >= 0.7);
            for name in [format!("{:?}", drawn.layout), drawn.language.to_owned(), "~ all".to_owned()] {
                let row = rows.entry(name).or_default();
                *row = (row.0 + 1, row.1 + usize::from(right), row.2 + usize::from(!right && sure));
            }
            if !right && let Some(folder) = &folder {
                let name = format!("{}-{at}", if is_clean { "clean" } else { "distorted" });
                eprintln!(
                    "{name}: {:?} {} {:?}\n  printed {:?}\n  read    {:?}",
                    drawn.layout,
                    drawn.language,
                    confidence,
                    drawn.facts,
                    found.map(|label| (label.per, label.facts))
                );
                std::fs::write(folder.join(format!("{name}.jpg")), &file).expect("the folder can be written to");
            }
        }
        eprintln!("\n{}", if is_clean { "Clean" } else { "Distorted" });
        eprintln!("{:<12} {:>6} {:>6} {:>8} {:>16}", "", "drawn", "right", "share", "wrong, but sure");
        for (name, (drawn, right, wrong)) in rows {
            eprintln!("{name:<12} {drawn:>6} {right:>6} {:>7.1}% {wrong:>16}", right as f64 * 100.0 / drawn as f64);
        }
        eprintln!("{times}");
    }
    let (mut false_positives, mut times, mut random) = (0, Times::default(), Random::new(3));
    for at in 0..number / 4 {
        let photo = clutter::photo(at, (1_024, 768), &typefaces[0], &mut random);
        let sightings = times.of(|| analyzer.analyze(&photo, |_| false));
        false_positives += sightings.iter().filter_map(label_of).count();
    }
    eprintln!("\n{} images without a label: {false_positives} labels found, {times}", number / 4);
    eprintln!("peak memory: {} MB", memory("VmHWM") / 1_000);
}

fn label_of(sighting: &Sighting) -> Option<&Label> {
    if let Sighting::Label { label, .. } = sighting { Some(label) } else { None }
}

fn is_right(read: &Label, drawn: &DrawnLabel) -> bool {
    let same =
        |one: Option<f64>, other: Option<f64>| one.zip(other).is_some_and(|(one, other)| (one - other).abs() < 0.01);
    let (facts, printed) = (read.facts.macros, drawn.facts.macros);
    read.per == drawn.per
        && same(facts.calories, printed.calories)
        && same(facts.protein, printed.protein)
        && same(facts.carbs, printed.carbs)
        && same(facts.fat, printed.fat)
}

fn clean(random: &mut Random) -> Shot {
    let size = *random.pick(&[(900, 1200), (1200, 1600)]);
    Shot { turn: random.between(-2.0, 2.0), fill: random.between(0.8, 0.97), ..Shot::clean(size) }
}

fn distorted(random: &mut Random) -> Shot {
    let size = *random.pick(&[(900, 1200), (1200, 1600), (1200, 1200)]);
    Shot {
        size,
        fill: random.between(0.75, 1.0),
        turn: random.between(-15.0, 15.0),
        tilt: (random.between(-14.0, 14.0), random.between(-14.0, 14.0)),
        bend: random.happens(0.4).then(|| random.between(0.75, 2.0)),
        blur: random.between(0.3, 1.3),
        grain: random.between(1.0, 8.0),
        light: (random.between(0.35, 1.0), random.between(0.0, 30.0)),
        shadow: if random.happens(0.5) { random.between(0.1, 0.5) } else { 0.0 },
        jpeg_quality: random.between(50.0, 95.0) as u8,
    }
}

/// Returns the typeface of the tests, and the plain ones in a folder that have a bold face.
fn typefaces(folder: &Path) -> Vec<Typeface> {
    let wanted =
        ["LiberationSans", "LiberationSansNarrow", "OpenSans", "Roboto", "LiberationSerif", "DejaVuSansCondensed"];
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    let file = |name: String| files.iter().find(|path| path.file_name().is_some_and(|file| *file == *name));
    let found = wanted.iter().filter_map(|name| {
        let regular = file(format!("{name}-Regular.ttf")).or_else(|| file(format!("{name}.ttf")))?;
        Typeface::from_files(regular, file(format!("{name}-Bold.ttf"))?)
    });
    std::iter::once(Typeface::built_in()).chain(found).collect()
}
