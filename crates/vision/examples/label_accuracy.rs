//! How many nutrition labels are read right: drawn ones, American and European, clean and as phones photograph them.
//! Right is a label whose energy, protein, carbohydrate and fat are all as printed, for the right amount of food. Times are
//! those that one core takes from the bytes of a photo to what it shows, with the search for bar codes and dishes.
//!
//! `cargo run --release -p vision --example label_accuracy [NUMBER] [FONTS] [FOLDER]`
//!
//! NUMBER (240) is how many are drawn clean, and again how many distorted. FONTS is a folder with typefaces beside the one
//! that comes with the tests (`/usr/share/fonts`); on Debian: `apt install fonts-liberation fonts-open-sans
//! fonts-roboto-unhinted`. What was not read right is written into FOLDER.

#[path = "../tests/drawn/mod.rs"]
mod drawn;
#[path = "measured/mod.rs"]
mod measured;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use drawn::canvas::Typeface;
use drawn::chance::Chance;
use drawn::clutter;
use drawn::label::{self, Drawn, LAYOUTS};
use drawn::shot::Shot;
use measured::{Times, memory};
use vision::photo::Photo;
use vision::sighting::{Label, Sighting, What};
use vision::{Eyes, Settings};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number: usize = arguments.first().and_then(|number| number.parse().ok()).unwrap_or(240);
    let typefaces = typefaces(Path::new(arguments.get(1).map_or("/usr/share/fonts", String::as_str)));
    let folder = arguments.get(2).map(PathBuf::from);
    let start = Instant::now();
    let eyes = Eyes::new(Settings::default());
    // Loads all networks.
    drop(eyes.look(&clutter::photo(1, (256, 256), &typefaces[0], &mut Chance::new(1)), |_| false));
    eprintln!("networks loaded after {:.0} ms; {} typefaces", start.elapsed().as_secs_f64() * 1e3, typefaces.len());
    for is_clean in [true, false] {
        let mut rows: BTreeMap<String, (usize, usize, usize)> = BTreeMap::new();
        let mut times = Times::default();
        for at in 0..number {
            // Each label has a chance of its own, so that it is the same however many are drawn.
            let mut chance = Chance::new(2 * at as u64 + u64::from(is_clean));
            let typeface = &typefaces[at / LAYOUTS.len() % typefaces.len()];
            let drawn = label::random(LAYOUTS[at % LAYOUTS.len()], typeface, &mut chance);
            let shot = if is_clean { clean(&mut chance) } else { distorted(&mut chance) };
            let file = shot.take(&drawn.picture, &mut chance);
            let seen = times.of(|| {
                let photo = Photo::read(&file).expect("the file was just written");
                eyes.look(&photo, |_| false)
            });
            let found = seen.iter().find_map(label_of);
            let right = found.is_some_and(|(label, _)| is_right(label, &drawn));
            let sure = found.is_some_and(|(_, confidence)| confidence >= 0.7);
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
                    found.map(|(_, confidence)| confidence),
                    drawn.facts,
                    found.map(|(label, _)| (label.per, label.facts))
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
    let (mut seen, mut times, mut chance) = (0, Times::default(), Chance::new(3));
    for at in 0..number / 4 {
        let photo = clutter::photo(at, (1_024, 768), &typefaces[0], &mut chance);
        seen += usize::from(times.of(|| eyes.look(&photo, |_| false)).iter().any(|seen| label_of(seen).is_some()));
    }
    eprintln!("\n{} pictures without a label: {seen} seen, {times}", number / 4);
    eprintln!("most memory held: {} MB", memory("VmHWM") / 1_000);
}

/// The label of a sighting, with its confidence.
fn label_of(seen: &Sighting) -> Option<(&Label, f32)> {
    if let What::Label(label) = &seen.what { Some((label, seen.confidence)) } else { None }
}

fn is_right(read: &Label, drawn: &Drawn) -> bool {
    let same =
        |one: Option<f64>, other: Option<f64>| one.zip(other).is_some_and(|(one, other)| (one - other).abs() < 0.01);
    let (facts, printed) = (&read.facts, &drawn.facts);
    read.per == drawn.per
        && same(facts.calories, printed.calories)
        && same(facts.protein, printed.protein)
        && same(facts.carbs, printed.carbs)
        && same(facts.fat, printed.fat)
}

fn clean(chance: &mut Chance) -> Shot {
    let size = *chance.pick(&[(900, 1200), (1200, 1600)]);
    Shot { turn: chance.between(-2.0, 2.0), fill: chance.between(0.8, 0.97), ..Shot::clean(size) }
}

fn distorted(chance: &mut Chance) -> Shot {
    let size = *chance.pick(&[(900, 1200), (1200, 1600), (1200, 1200)]);
    Shot {
        size,
        fill: chance.between(0.75, 1.0),
        turn: chance.between(-15.0, 15.0),
        tilt: (chance.between(-14.0, 14.0), chance.between(-14.0, 14.0)),
        bend: chance.happens(0.4).then(|| chance.between(0.75, 2.0)),
        blur: chance.between(0.3, 1.3),
        grain: chance.between(1.0, 8.0),
        light: (chance.between(0.35, 1.0), chance.between(0.0, 30.0)),
        shadow: if chance.happens(0.5) { chance.between(0.1, 0.5) } else { 0.0 },
        jpeg_quality: chance.between(50.0, 95.0) as u8,
    }
}

/// The typeface of the tests, and those plain ones in a folder that have a bold face.
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
        Typeface::of_files(regular, file(format!("{name}-Bold.ttf"))?)
    });
    std::iter::once(Typeface::own()).chain(found).collect()
}
