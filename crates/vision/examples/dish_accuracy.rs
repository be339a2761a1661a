//! How many foods are recognised: pictures in folders, a folder for each food.
//!
//! `cargo run --release -p vision --example dish_accuracy FOLDER [LIST] [--aiy] [--each]`
//!
//! A folder's name is the food, in our words ("apple pie", "bell_pepper"); pictures in a folder `not food` must be refused.
//! LIST, a file, names the pictures to take, by what their path ends in ("apple_pie/1005649.jpg" or "1005649"); without
//! it, all are taken. With `--aiy`, the foods learned from research pictures are off; with `--each`, every picture is told of.

#[path = "measured/mod.rs"]
mod measured;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use measured::{Times, memory};
use vision::dish::Dishes;
use vision::photo::Photo;
use vision::sighting::{Sighting, What};

const NOT_FOOD: &str = "not food";

#[derive(Default)]
struct Row {
    pictures: usize,
    first: usize,
    among_five: usize,
    refused: usize,
    several: usize,
}

fn main() {
    let (flags, places): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let Some(folder) = places.first() else {
        eprintln!("Say which folder: dish_accuracy FOLDER [LIST] [--aiy] [--each]");
        std::process::exit(2);
    };
    let list: Option<HashSet<String>> = places.get(1).map(|file| {
        let text = std::fs::read_to_string(file).expect("the list can be read");
        text.lines().map(|line| stem(Path::new(line.trim()))).collect()
    });
    let start = Instant::now();
    let dishes = Dishes::load(1, !flags.iter().any(|flag| flag == "--aiy"));
    eprintln!("networks loaded in {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut mistaken: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut bins = [(0usize, 0.0f64, 0usize); 10];
    let mut times = Times::default();
    for (food, file) in pictures(Path::new(folder)) {
        if list.as_ref().is_some_and(|list| !list.contains(&stem(&file))) {
            continue;
        }
        let Some(photo) = std::fs::read(&file).ok().and_then(|bytes| Photo::read(&bytes).ok()) else {
            eprintln!("{} is left out: it is no photo that the program reads", file.display());
            continue;
        };
        let seen = times.of(|| dishes.see(&photo));
        let guesses = names(&seen);
        if flags.iter().any(|flag| flag == "--each") {
            let (name, confidence) = guesses.first().unwrap_or(&("nothing", 0.0));
            eprintln!("{}\t{name}\t{confidence:.2}\t{} foods", file.display(), seen.len());
        }
        let row = rows.entry(food.clone()).or_default();
        row.pictures += 1;
        row.refused += usize::from(seen.is_empty());
        row.several += usize::from(seen.len() > 1);
        row.among_five += usize::from(guesses.iter().take(5).any(|(name, _)| *name == food));
        if let Some((name, confidence)) = guesses.first() {
            let right = *name == food;
            row.first += usize::from(right);
            let bin = &mut bins[((confidence * 10.0) as usize).min(9)];
            *bin = (bin.0 + 1, bin.1 + f64::from(*confidence), bin.2 + usize::from(right));
            if !right {
                *mistaken.entry((food, (*name).to_owned())).or_default() += 1;
            }
        }
    }
    report(&rows, mistaken, &bins);
    eprintln!("time {times}, memory at most {} MB", memory("VmHWM") / 1024);
}

fn report(rows: &BTreeMap<String, Row>, mistaken: BTreeMap<(String, String), usize>, bins: &[(usize, f64, usize); 10]) {
    let mut all = Row::default();
    eprintln!("{:28} {:>6} {:>7} {:>7} {:>8} {:>8}", "food", "photos", "first", "of five", "refused", "several");
    for (food, row) in rows {
        print_row(food, row);
        if food != NOT_FOOD {
            all.pictures += row.pictures;
            all.first += row.first;
            all.among_five += row.among_five;
            all.refused += row.refused;
            all.several += row.several;
        }
    }
    print_row("all food", &all);
    let mut mistaken: Vec<_> = mistaken.into_iter().collect();
    mistaken.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    eprintln!("\nmost often mistaken:");
    for ((food, name), count) in mistaken.into_iter().take(20) {
        eprintln!("{count:5}  {food} for {name}");
    }
    eprintln!("\nsaid confidence, and how many were right:");
    for (count, sum, right) in bins.iter().filter(|bin| bin.0 > 0) {
        eprintln!("{:4.0} %  {:4.0} %  of {count}", 100.0 * sum / *count as f64, 100.0 * *right as f64 / *count as f64);
    }
}

fn print_row(food: &str, row: &Row) {
    let share = |part: usize| format!("{:.1} %", 100.0 * part as f64 / row.pictures.max(1) as f64);
    let (first, five, refused, several) =
        (share(row.first), share(row.among_five), share(row.refused), share(row.several));
    eprintln!("{food:28} {:>6} {first:>7} {five:>7} {refused:>8} {several:>8}", row.pictures);
}

/// The guesses for the main food.
fn names(seen: &[Sighting]) -> Vec<(&'static str, f32)> {
    match seen.first().map(|sighting| &sighting.what) {
        Some(What::Dish(guesses)) => guesses.iter().map(|guess| (guess.name, guess.confidence)).collect(),
        _ => Vec::new(),
    }
}

/// Every picture with the name of the folder that it lies in, in order.
fn pictures(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut all = Vec::new();
    for class in std::fs::read_dir(folder).expect("the folder can be read").flatten() {
        let food = class.file_name().to_string_lossy().replace('_', " ");
        let files = std::fs::read_dir(class.path()).into_iter().flatten().flatten();
        all.extend(files.map(|file| (food.clone(), file.path())));
    }
    all.sort();
    all
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
